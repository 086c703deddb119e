# Licensed under the MIT License. See LICENSE.
"""The example with a window, on a desktop: its buttons are pressed by their names, as a screen reader finds them, and a real
Chromium signs in.

usage: window.py BUILD_FOLDER PROGRAM SCREENSHOT_FOLDER [CASE...]      cases are the names of functions in
cases.py, which are those that run by default, and in figures.py

It needs root: it creates mount, network and process namespaces, so that it does not affect the machine, and everything that
it starts ends with it.
"""
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Environments"), str(HERE.parent / "Peers")]

import cases  # noqa: E402
import figures  # noqa: E402
import networks  # noqa: E402
from harness import running_emulator  # noqa: E402
from machine import Bench  # noqa: E402
from screen import Screen  # noqa: E402

INSIDE = "MSAL_WINDOW_INSIDE"
# A complete run takes less than half of this.
LIMIT = 900


def main():
    if len(sys.argv) < 4 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    if folder := os.environ.get(INSIDE):
        raise SystemExit(run(pathlib.Path(folder), *(pathlib.Path(path).resolve() for path in sys.argv[1:4]), sys.argv[4:]))
    with tempfile.TemporaryDirectory(prefix="msal-") as folder:
        raise SystemExit(networks.inside({**os.environ, INSIDE: folder}, seconds=LIMIT))


def run(folder, build, program, shots, chosen):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("FAILED: timeout"))
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    networks.settle()
    usual = [case.__name__ for case in cases.CASES.values()]
    begin, failures = time.monotonic(), []
    with running_emulator(build) as emulator, Bench(build, folder, shots, emulator) as bench, bench.case() as machine:
        # One desktop for all cases: the accessibility binding supports only one bus per process.
        screen = Screen(machine, program)
        for name, case in (cases.CASES | figures.CASES).items():
            if case.__name__ not in (chosen or usual):
                continue
            start, word = time.monotonic(), "ok"
            try:
                with screen.case():
                    try:
                        case(screen)
                    except BaseException:
                        screen.picture(f"failed-{case.__name__}")
                        raise
            except (Exception, SystemExit):  # After any failure, the other cases still run.
                print(traceback.format_exc(limit=-4))
                word = "FAILED"
                failures.append(name)
            print(f"{word:7} {time.monotonic() - start:4.1f} s  {name}", flush=True)
        if failures:
            print(machine.story())
    print(*(f"FAILED {failure}" for failure in failures), f"{len(failures)} failed, {time.monotonic() - begin:.0f} s; pictures are "
                     f"in {shots}", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    main()
