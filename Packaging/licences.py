#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Writes the licences and notices of all that is linked into the programs of a release: dist/VERSION/licences-VERSION.txt, and
the same as licences.txt in .build-release/licences, from where archives, packages and the image take it. A part of a program
whose licence is not found ends the release with its name.

usage: Packaging/licences.py VERSION
"""
import shutil

import stage
from components import ROOT, components

RULE = "=" * 100


def main():
    version, maps = stage.arguments(__doc__)
    found, _ = components(stage.SCRATCH, maps)
    lines = [f"The programs of msal-swift-linux {version} are under this licence:", "", (ROOT / "LICENSE").read_text(), "",
             "Linked into them is what others wrote. Below are its licences and notices.", ""]
    for component in found:
        lines.append(f"  {title(component)}: {component.licence}, in {', '.join(sorted(component.programs))}")
    # A text that many have, such as the Apache License, is written once.
    written = {}
    for component in found:
        for name, text in component.texts:
            written.setdefault(text.strip("\n"), []).append((component, name))
    for text, owners in written.items():
        lines += ["", RULE, *(f"{title(component)} – {name}" for component, name in owners), RULE, "", text]
    target = stage.dist(version) / f"licences-{version}.txt"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    stage.LICENCES.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(target, stage.LICENCES / "licences.txt")
    print(f"{target.relative_to(ROOT)}: {len(found)} components, {len(written)} texts")


def title(component):
    inside = f" (inside {component.parent})" if component.parent else ""
    return f"{component.name} {component.version}".strip() + inside


if __name__ == "__main__":
    main()
