#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Checks that a list of components is valid CycloneDX, with the validator of its authors, and that it is complete: each reference
leads to a component, each component is reachable from a program, and the checksums are those of the programs.

usage: Packaging/check-sbom.py SBOM [PROGRAM...]        needs Packaging/requirements.txt
"""
import hashlib
import json
import pathlib
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator


def faults(text, programs):
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem:
        yield f"the schema rejects it: {str(problem.data.message)[:300]}"
        return
    document = json.loads(text)
    components = {one["bom-ref"]: one for one in document["components"]}
    known = {*components, document["metadata"]["component"]["bom-ref"]}
    graph = {one["ref"]: one.get("dependsOn", []) for one in document["dependencies"]}
    yield from (f"{name} depends on {other}, which is not listed" for name, needs in graph.items() for other in needs
                if other not in known)
    reached, ahead = set(), [document["metadata"]["component"]["bom-ref"]]
    while ahead:
        if (one := ahead.pop()) not in reached:
            reached.add(one)
            ahead += graph.get(one, [])
    yield from (f"nothing depends on {name}" for name in sorted(set(components) - reached))
    yield from (f"{name} has no license" for name, one in components.items() if not one.get("licenses"))
    hashes = {one["name"]: one["hashes"][0]["content"] for one in components.values() if one.get("hashes")}
    for program in map(pathlib.Path, programs):
        if hashes.get(program.name) != hashlib.sha256(program.read_bytes()).hexdigest():
            yield f"{program} has a different checksum"


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    found = list(faults(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2:]))
    if found:
        raise SystemExit("\n".join(f"{sys.argv[1]}: {fault}" for fault in found))
    print(f"{sys.argv[1]}: valid and complete")


if __name__ == "__main__":
    main()
