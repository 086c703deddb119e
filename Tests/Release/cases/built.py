# Licensed under the MIT License. See LICENSE.
"""The built programs in a minimal system: like `bare`, before there are packages."""
import platform
import re
import shutil

from cases.bare import COMMANDS, SYSTEM, SYSTEMS, USUAL, Trial, played, places
from roots import Skipped, run


def bring(trial):
    """The programs are in their build folder, with copies of the libraries that the system lacks."""
    codename = platform.freedesktop_os_release().get("VERSION_CODENAME")
    if codename not in SYSTEMS:
        raise Skipped(f"it was not built on {' or '.join(SYSTEMS.values())}")
    system, build = trial.system, trial.dist
    for library in sorted({path for command in COMMANDS for path in re.findall(r"=> (/\S+)", run("ldd", build / command))}):
        copy = system.root / library.lstrip("/")
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, copy)
    place = system.root / str(build).lstrip("/")
    place.mkdir(parents=True)
    system.mount("--bind", build, place)
    for command in COMMANDS:
        (system.root / "usr" / "bin" / command).symlink_to(build / command)
        system.run(command, "--version")


NEEDED = {"both programs run"}
CASES = {"both programs run": bring, **{sentence: played(case) for sentence, case in places.CASES.items()}}
__all__ = ["CASES", "NEEDED", "SYSTEM", "SYSTEMS", "USUAL", "Trial"]
