# Licensed under the MIT License. See LICENSE.
"""Checks the example's Flatpak manifest (flatpak-manifest(5)), and that the files it names exist. Nothing is built.

usage: manifest.py
"""
import configparser
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "Examples" / "GraphWindow"
# The app's permissions outside its sandbox, and no others: no bus names, no files, no devices except the graphics card.
PERMISSIONS = {"--share=network", "--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--device=dri"}
MEMBERS = {"id", "runtime", "runtime-version", "sdk", "sdk-extensions", "command", "finish-args", "modules"}
MODULE = {"name", "buildsystem", "build-options", "build-commands", "sources"}


def faults(text):
    """The problems of a manifest's text."""
    found = []

    def check(condition, sentence):
        if not condition:
            found.append(sentence)

    manifest = yaml.safe_load(text)
    check(set(manifest) == MEMBERS, f"the members are {sorted(manifest)}")
    name = re.search(r'let applicationID = "(.+)"', (EXAMPLE / "Sources/GraphWindow/Main.swift").read_text())[1]
    check(manifest.get("id") == name, f"the ID is not {name}, which is the app's ID")
    check(isinstance(manifest.get("runtime-version"), str), "the version of the runtime is not a string: 4.10 would become 4.1")
    check((manifest.get("runtime"), manifest.get("sdk")) == ("org.gnome.Platform", "org.gnome.Sdk"),
          "runtime and SDK are not GNOME's, which have libadwaita")
    permissions = set(manifest.get("finish-args", []))
    check(permissions == PERMISSIONS, f"more or less than needed: {sorted(permissions ^ PERMISSIONS)}")
    check(f'name: "{manifest.get("command")}"' in (EXAMPLE / "Package.swift").read_text(), "the package has no such command")
    installed = []
    for module in manifest.get("modules", []):
        check(set(module) == MODULE and module["buildsystem"] == "simple", f"the module has {sorted(module)}")
        for command in module.get("build-commands", []):
            words = command.split()
            if words[0] == "install":
                source, target = words[2], words[-1]
                installed.append(target if words[-2] != "-t" else f"{target}/{source.rpartition('/')[2]}")
                check("/.build/" in source or (ROOT / source).is_file(), f"{source} does not exist")
        for source in module.get("sources", []):
            check(source.get("type") == "dir" and (EXAMPLE / "flatpak" / source["path"]).resolve() == ROOT,
                  "the source is not this repository")
    # Flatpak exports only files that start with the app's ID.
    for place in [f"/app/bin/{manifest.get('command')}", f"/app/share/applications/{name}.desktop",
                  f"/app/share/icons/hicolor/scalable/apps/{name}.svg"]:
        check(place in installed, f"{place} is not installed")
    entry = configparser.ConfigParser(interpolation=None, strict=True)
    entry.optionxform = str
    entry.read(EXAMPLE / "data" / f"{name}.desktop")
    members = entry["Desktop Entry"]
    check(members["Exec"].split()[0] == manifest.get("command"), "the desktop entry starts another command")
    check(members["Icon"] == name, "the desktop entry has a different icon")
    check(f"x-scheme-handler/msauth.{name};" in members["MimeType"], "the desktop entry does not handle the redirect")
    return found


def main():
    text = (EXAMPLE / "flatpak" / "com.contoso.app.yaml").read_text()
    found = faults(text)
    # The check must find these errors.
    for old, new in [("--device=dri", "--device=all"), ("id: com", "id: org"), ("command: GraphWindow", "command: Window"),
                     ("com.contoso.app.svg", "app.svg"), ("'49'", "4.10"), ("  - --share=ipc", "  - --filesystem=home")]:
        if old not in text or not faults(text.replace(old, new)):
            found.append(f"a manifest with {new} passes")
    print(*(f"FAILED {fault}" for fault in found), f"the Flatpak manifest: {len(found)} problems", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
