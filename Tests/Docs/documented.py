# Licensed under the MIT License. See LICENSE.
"""Every public symbol has documentation.

usage: documented.py GRAPHS

GRAPHS holds a folder of symbol graphs for each library, as scripts/docs makes them. Exits with 1 and names the symbols
without a comment.
"""
import json
import pathlib
import sys


def symbols(graphs):
    for path in sorted(graphs.rglob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            # The extension of a type is a page of its own; its members have the documentation.
            if not symbol["kind"]["identifier"].startswith("swift.extension") and "location" in symbol:
                yield path.parent.name, symbol


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    total, bare = 0, []
    for library, symbol in symbols(pathlib.Path(sys.argv[1])):
        total += 1
        text = " ".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
        if not text.strip():
            bare.append(f"{library}: {'.'.join(symbol['pathComponents'])}")
    for line in sorted(bare):
        print(f"FAILED no documentation: {line}")
    if not total:
        sys.exit("There is no public symbol: the symbol graphs are missing.")
    print(f"{total} public symbols, {len(bare)} without documentation.")
    sys.exit(1 if bare else 0)


main()
