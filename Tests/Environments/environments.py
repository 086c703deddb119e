# Licensed under the MIT License. See LICENSE.
"""The command signs in on various kinds of machines, with a real emulator over TLS. Each case checks which sign-in mode was
chosen, the reason, and that the sign-in completed.

usage: environments.py BUILD_FOLDER SCREENSHOT_FOLDER [SUBJECT...]      subjects are the files in cases/; all by default

The person is a real Chromium that types and clicks; the subject bare needs none. It needs root: it creates mount, network and
process namespaces, so that it does not affect the machine, and everything that it starts ends with it.
"""
import importlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Peers")]

import networks  # noqa: E402
from harness import running_emulator  # noqa: E402
from machine import Bench, Skipped  # noqa: E402

# In an order that makes sense to a reader.
SUBJECTS = ["bare", "desktop", "remote", "container", "automatic", "windows", "sandbox", "browsers", "private", "schemes", "landing"]
INSIDE = "MSAL_ENVIRONMENTS_INSIDE"
# A complete run takes less than half of this.
LIMIT = 400


def main():
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    if folder := os.environ.get(INSIDE):
        raise SystemExit(run(pathlib.Path(folder), *(pathlib.Path(path).resolve() for path in sys.argv[1:3]), sys.argv[3:]))
    with tempfile.TemporaryDirectory(prefix="msal-") as folder:
        raise SystemExit(networks.inside({**os.environ, INSIDE: folder}, seconds=LIMIT))


def run(folder, build, shots, subjects):
    """Runs the cases and prints the results."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("FAILED: timeout"))
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    networks.settle()
    begin, failures, passed, skipped = time.monotonic(), [], 0, 0
    with running_emulator(build) as emulator, Bench(build, folder, shots, emulator) as bench:
        for subject, sentence, case in chosen(subjects):
            start, way, machine = time.monotonic(), "", None
            try:
                with bench.case() as machine:
                    way = case(machine) or ""
                word, passed = "ok", passed + 1
            except Skipped as reason:
                word, way, skipped = "skipped", str(reason), skipped + 1
            except (Exception, SystemExit) as error:  # After any failure, the other cases still run.
                reason = error if isinstance(error, SystemExit) else traceback.format_exc(limit=-3)
                failures.append(f"{subject}: {sentence}")
                print(f"{reason}\n{machine.story() if machine else ''}")
                word = "FAILED"
            print(f"{word:7} {time.monotonic() - start:4.1f} s  {subject}: {sentence}{way and f' ({way})'}", flush=True)
        failures += [f"a page is not usable: {fault}" for person in bench.people for fault in person.faults]
    print(*(f"FAILED {failure}" for failure in failures), f"\n{passed} passed, {len(failures)} failed, {skipped} skipped, "
                     f"{time.monotonic() - begin:.0f} s; pictures are in {shots}", sep="\n")
    return 1 if failures else 0


def chosen(subjects):
    """The subject, the sentence and the function of each case."""
    for subject in subjects or SUBJECTS:
        for sentence, case in importlib.import_module(f"cases.{subject}").CASES.items():
            yield subject, sentence, case


if __name__ == "__main__":
    main()
