#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Writes the list of components of a release as CycloneDX 1.6, dist/VERSION/sbom-VERSION.cdx.json: the programs with their
checksums, everything that is linked into each, with version, address and license, which component contains which, and the other
contents of the image, which must exist. The output is reproducible.

usage: Packaging/sbom.py VERSION
"""
import datetime
import hashlib
import json
import uuid

import stage
from components import ROOT, Component, components
from origins import Debian

SUMMARIES = {
    "msal": "Tokens of the Microsoft identity platform on the command line",
    "entra-emulator": "The Microsoft identity platform on one's own machine, for tests",
}


def main():
    version, maps = stage.arguments(__doc__)
    found, packages = components(stage.SCRATCH, maps)
    programs = [program(name, version) for name in maps]
    image, inside = image_of(version)
    project = {
        "type": "application", "bom-ref": f"msal-swift-linux@{version}", "name": "msal-swift-linux", "version": version,
        "licenses": [{"license": {"id": "MIT"}}],
    }
    moment = datetime.datetime.fromtimestamp(stage.date(), datetime.timezone.utc)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "serialNumber": "", "version": 1,
        "metadata": {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "lifecycles": [{"phase": "build"}],
            "tools": {"components": [{"type": "application", "name": "Packaging/sbom.py", "version": version}]},
            "component": project,
        },
        "components": [*programs, image, *map(described, found + inside)],
        "dependencies": [
            {"ref": project["bom-ref"], "dependsOn": [one["bom-ref"] for one in [*programs, image]]},
            {"ref": image["bom-ref"], "dependsOn": sorted([programs[-1]["bom-ref"], *map(reference, inside)])},
            *({"ref": one["bom-ref"], "dependsOn": sorted(reference(part) for part in found if one["name"] in part.programs)}
              for one in programs),
            *({"ref": reference(component), "dependsOn": needs(component, found, packages)} for component in found),
        ],
    }
    # The same for the same content.
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}"
    target = stage.dist(version) / f"sbom-{version}.cdx.json"
    target.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    counts = ", ".join(f"{sum(name in part.programs for part in found)} of them in {name}" for name in maps)
    print(f"{target.relative_to(ROOT)}: {len(found)} components, {counts}; {len(inside)} packages in the image")


def program(name, version):
    return {"type": "application", "bom-ref": f"{name}@{version}", "name": name, "version": version,
            "description": SUMMARIES[name], "hashes": hashes(stage.PROGRAMS / name), "licenses": [{"license": {"id": "MIT"}}]}


def image_of(version):
    """The image, and the packages of the system from which it contains files."""
    file = next(stage.dist(version).glob(f"entra-emulator-{version}-oci-*.tar"), None)
    if not file:
        raise SystemExit("The image is missing. Packaging/image builds it.")
    debian = Debian(Component)
    inside = {part.name: part for part in map(debian.component, (stage.STAGE / "image" / "taken").read_text().split())}
    image = {"type": "container", "bom-ref": f"{file.name}@{version}", "name": file.name, "version": version,
             "description": "An image of the emulator", "hashes": hashes(file), "licenses": [{"license": {"id": "MIT"}}]}
    return image, list(inside.values())


def hashes(file):
    return [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}]


def reference(component):
    """Purls alone are not unique: two packages contain the same sources."""
    return f"{component.parent}/{component.purl}" if component.parent else component.purl


def described(component):
    licence = {"expression": component.licence} if " " in component.licence else {"license": {"id": component.licence}}
    entry = {
        "type": "library", "bom-ref": reference(component), "name": component.name, "version": component.version,
        "licenses": [licence], "purl": component.purl,
        "externalReferences": [{"type": "website", "url": component.origin}] if component.origin else None,
        "properties": [{"name": "msal:linked-into", "value": name} for name in sorted(component.programs)],
    }
    return {key: value for key, value in entry.items() if value}


def needs(component, found, packages):
    """The dependencies of a package that are in the same programs, and the components that it contains."""
    linked = {other.purl: other for other in found}
    asked = set()
    for identity, node in packages.named.items():
        if node["name"] == component.name and node["version"] == component.version:
            purls = {packages.component(need).purl for need in packages.needs[identity]}
            asked = {reference(linked[purl]) for purl in purls
                     if purl in linked and linked[purl].programs >= component.programs}
    return sorted(asked | {reference(other) for other in found if other.parent == component.name and other is not component})


if __name__ == "__main__":
    main()
