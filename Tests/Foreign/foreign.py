# Licensed under the MIT License. See LICENSE.
"""Independent servers: the command of the debug build signs in with a service that is played back from recordings of the real one,
under the real host names, and gets odd and hostile responses. No code is shared with the emulator or the library.

usage: foreign.py BUILD_FOLDER [SUBJECT...]      subjects are the files in cases/; all of them by default

It needs root: it creates a mount and a network namespace with a separate hosts file and a trusted certificate authority.
The recordings are in MSAL_RECORDINGS_DIR, by default in ../shared/recordings next to the repository.
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
# Names the working folder, and indicates that the namespaces exist.
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
    """Runs the cases and prints the results."""
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
    """Runs one case; returns the problem, or `None`."""
    try:
        try:
            case(world)
        finally:
            if world.service.problems:
                raise world.service.problems[0]
        return None
    except subprocess.TimeoutExpired as error:
        return f"{error}\n{world.story()}"
    except Exception:  # After any failure of a case, the others still run.
        return f"{traceback.format_exc(limit=-2)}{world.story()}"


main()
