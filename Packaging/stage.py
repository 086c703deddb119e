# Licensed under the MIT License. See LICENSE.
"""Locations of what was built before, for the release programs in Python; Packaging/lib.sh has the same for scripts."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAGE = ROOT / ".build-release"
SCRATCH, PROGRAMS, LICENCES = STAGE / "build", STAGE / "programs", STAGE / "licences"
NAMES = ["msal", "entra-emulator"]


def arguments(usage):
    """The version, and the linker's map of each program."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(usage)
    maps = {name: SCRATCH / f"{name}.map" for name in NAMES}
    for name, map_file in maps.items():
        for needed in (PROGRAMS / name, map_file):
            if not needed.exists():
                raise SystemExit(f"{needed} is missing. scripts/release builds it before it calls {sys.argv[0]}.")
    return sys.argv[1], maps


def dist(version):
    folder = ROOT / "dist" / version
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def date():
    """The seconds since 1970 of all dates in a release: those of the commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or subprocess.run(["git", "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True,
                                       cwd=ROOT).stdout)
