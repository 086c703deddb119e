#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Compares the emulator's responses with Microsoft's documentation and with responses that the service sent.

usage: wire.py BUILD_FOLDER [--only ID]... [--area AREA]... [--list]

Fails if a row differs that known-differences.txt does not list, or if a listed row agrees. Needs requests.
"""

import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent.parent / "kits" / "pytest" / "src")]
sys.dont_write_bytecode = True

from client import Client  # noqa: E402
from comparison import ROWS, known_differences  # noqa: E402
import rows  # noqa: E402, F401


def shown(value):
    return str(value).replace("\r", "\\r").replace("\n", "\\n")[:500]


def outcome(row, client):
    """The expected and the sent value of a row, in a freshly reset emulator."""
    client.control.reset()
    client.session.cookies.clear()
    try:
        return row.check(client)
    except Exception as problem:  # A row that cannot be evaluated differs.
        return "a response", f"{type(problem).__name__}: {problem}"


def compare(client, chosen):
    known, agreed, wrong = known_differences(), 0, []
    for row in chosen:
        expected, sent = outcome(row, client)
        if expected == sent:
            agreed += 1
            if row.id in known:
                wrong.append(f"{row.id} agrees: remove it from known-differences.txt")
            continue
        print(
            f"{row.id} {row.title}\n    expected {shown(expected)}\n    sent     {shown(sent)}\n    source   {row.source}",
            flush=True,
        )
        if row.id in known:
            print(f"    known    {known[row.id]}")
        else:
            wrong.append(f"{row.id} differs: {row.title}")
    print(f"{agreed} of {len(chosen)} rows agree")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?", help="the folder with the built programs")
    parser.add_argument("--only", action="append", metavar="ID", help="only this row")
    parser.add_argument("--area", action="append", help="only the rows of this area")
    parser.add_argument("--list", action="store_true", help="list the rows with their sources, without running them")
    options = parser.parse_args()
    chosen = [
        row
        for row in ROWS
        if (not options.only or row.id in options.only) and (not options.area or row.area in options.area)
    ]
    if not chosen:
        parser.error("no row has this ID or area")
    if options.list:
        for row in chosen:
            print(f"{row.id}  {row.area:10} {row.title}  [{row.source}]")
        return
    if not options.build:
        parser.error("the folder with the built programs is missing")
    with Client(options.build.resolve() / "entra-emulator") as client:
        wrong = compare(client, chosen)
    if wrong:
        sys.exit("\n".join(["", *wrong]))


if __name__ == "__main__":
    main()
