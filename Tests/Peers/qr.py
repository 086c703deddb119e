# Licensed under the MIT License. See LICENSE.
"""Reads QR codes drawn with half blocks, using an independent decoder.

Standard input is a JSON list of pictures, each a list of lines; standard output is the list of their texts.
"""

import json
import sys

import numpy
import zxingcpp

LIGHT = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}


def text(lines):
    """The text of one picture; empty if the decoder reads none."""
    rows = [[LIGHT[character][half] for character in line] for line in lines for half in (0, 1)]
    image = numpy.kron(numpy.array(rows, dtype=numpy.uint8), numpy.ones((4, 4), dtype=numpy.uint8))
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)
    return found[0].text if found else ""


if __name__ == "__main__":
    print(json.dumps([text(picture) for picture in json.load(sys.stdin)]))
