#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Writes the licenses and notices of everything linked into the programs of a release: dist/VERSION/licences-VERSION.txt, and a
copy licences.txt in .build-release/licences for archives, packages and the image. A component without a known license fails the
release, which names it.

usage: Packaging/licences.py VERSION
"""
import shutil

import stage
from components import ROOT, components

RULE = "=" * 100


def main():
    version, maps = stage.arguments(__doc__)
    found, _ = components(stage.SCRATCH, maps)
    lines = [f"The programs of msal-swift-linux {version} are under this license:", "", (ROOT / "LICENSE").read_text(), "",
             "They contain the third-party components below, with their licenses and notices.", ""]
    for component in found:
        lines.append(f"  {title(component)}: {component.licence}, in {', '.join(sorted(component.programs))}")
    # A text that many components share, such as the Apache License, is written once.
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
