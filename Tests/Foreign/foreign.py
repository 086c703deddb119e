# Licensed under the MIT License. See LICENSE.
"""Servers that are not ours: the command of the debug build signs in at a service that is played back from recordings of
the real one, under the real host names, and is given odd and hostile answers. Nothing here is shared with the emulator or
with the library.

usage: foreign.py BUILD_FOLDER [SUBJECT...]      subjects are the files in cases/; all of them by default

It needs root: it makes a mount and a network namespace with a hosts file and a trusted certificate authority of its own.
The recordings are in MSAL_RECORDINGS_DIR, by default in ../shared/recordings beside the repository.
"""
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

import network
from certificates import CertificateAuthority
from service import Recordings
from wire import Server
from world import World

HERE = pathlib.Path(__file__).resolve().parent
RECORDINGS = pathlib.Path(os.environ.get("MSAL_RECORDINGS_DIR") or HERE.parents[1].parent / "shared" / "recordings")
# Names the folder to work in, and says that the namespaces are there.
INSIDE = "MSAL_FOREIGN_INSIDE"


def main():
    if not RECORDINGS.is_dir():
        print(f"The recordings are not in {RECORDINGS} (MSAL_RECORDINGS_DIR names another folder); nothing to run.")
        return
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    if folder := os.environ.get(INSIDE):
        raise SystemExit(run(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder), sys.argv[2:]))
    with tempfile.TemporaryDirectory() as folder:
        status = network.inside({**os.environ, INSIDE: folder})
    raise SystemExit(status)


def run(build, folder, subjects):
    """Plays the cases and says how they ended."""
    authorities = CertificateAuthority(folder, "trusted"), CertificateAuthority(folder, "unknown")
    network.settle(folder, authorities[0].file)
    server = Server(authorities[0].context([*network.HOSTS, "localhost", "127.0.0.1"]))
    failures, passed = [], 0
    for subject, sentence, case in chosen(subjects):
        begin = time.monotonic()
        place = folder / f"case-{passed + len(failures)}"
        place.mkdir()
        problem = attempt(case, World(build, place, Recordings(RECORDINGS), server, authorities))
        print(f"{'FAILED' if problem else 'ok':6} {subject}: {sentence} ({time.monotonic() - begin:.1f} s)", flush=True)
        if problem:
            failures.append(f"\nFAILED {subject}: {sentence}\n{problem}")
        else:
            passed += 1
    print(*failures, f"\n{passed} passed, {len(failures)} failed", sep="\n")
    return 1 if failures else 0


def chosen(subjects):
    """The subject, the sentence and the function of each case."""
    subjects = subjects or sorted(path.stem for path in (HERE / "cases").glob("*.py"))
    for subject in subjects:
        for sentence, case in importlib.import_module(f"cases.{subject}").CASES.items():
            yield subject, sentence, case


def attempt(case, world):
    """Plays one case; what went wrong, or `None`."""
    try:
        try:
            case(world)
        finally:
            if world.service.problems:
                raise world.service.problems[0]
        return None
    except subprocess.TimeoutExpired as error:
        return f"{error}\n{world.story()}"
    except Exception:  # A case that fails in whatever way has failed; the others go on.
        return f"{traceback.format_exc(limit=-2)}{world.story()}"


main()
