# Licensed under the MIT License. See LICENSE.
"""Tests a release as a new user would: in root file systems of Debian and Ubuntu that have never seen the project, and
in a container. Packages and archives are installed, used for a sign-in, and removed; only the user's files may be left.

usage: release.py DIST_FOLDER [SUBJECT...]      subjects are files, packages, upgrade, bare, archives, and image; all by default
       release.py BUILD_FOLDER built            the programs of a build instead of a release, with the cases of `bare`

It needs root, and the network for Debian's packages. The systems are created by debootstrap from this machine's mirror, Ubuntu
from its own archive, and kept in .build-release/roots. It runs in mount, network and process namespaces: what it starts ends with it.
"""
import importlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path += [str(HERE), str(ROOT / "kits" / "pytest" / "src" / "pytest_entra_emulator")]

from roots import USUAL, System, Skipped, make_base  # noqa: E402

SUBJECTS = ["files", "packages", "upgrade", "bare", "archives", "image"]
BUILT = "built"
SYSTEMS = {"bookworm": "Debian 12", "trixie": "Debian 13", "jammy": "Ubuntu 22.04"}
# The second argument is the folder for everything that ends with the trial, the third one the machine's network.
INSIDE, OUTSIDE = "MSAL_RELEASE_INSIDE", "MSAL_RELEASE_OUTSIDE"
LIMIT = 1800


def main():
    subjects = sys.argv[2:] or SUBJECTS
    if len(sys.argv) < 2 or sys.argv[1].startswith("-") or set(subjects) - {*SUBJECTS, BUILT}:
        raise SystemExit(__doc__)
    dist = pathlib.Path(sys.argv[1]).resolve()
    if subjects != [BUILT] and not list(dist.glob("*.deb")):
        raise SystemExit(f"There is no release in {sys.argv[1]}. Run  scripts/release VERSION  first.")
    if folder := os.environ.get(INSIDE):
        raise SystemExit(run(dist, pathlib.Path(folder), subjects))
    if os.geteuid() != 0:
        raise SystemExit("This needs root, to create root file systems and namespaces.")
    with tempfile.TemporaryDirectory(prefix="msal-release-") as folder, open("/proc/self/ns/net", "rb") as network:
        raise SystemExit(inside(folder, network))


def inside(folder, network):
    """Runs this program again in separate namespaces; returns its status. Everything that it started ends with it."""
    namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    environment = {**os.environ, INSIDE: folder, OUTSIDE: str(network.fileno())}
    process = subprocess.Popen(["unshare", *namespaces, "--", sys.executable, *sys.argv], env=environment,
                               pass_fds=[network.fileno()])
    signal.signal(signal.SIGTERM, lambda *_: process.kill())
    try:
        return process.wait(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        print(f"FAILED: not done after {LIMIT} s", flush=True)
        return 1
    finally:
        process.kill()
        process.wait()


class Count:
    """One line for each check, and the number of results of each kind."""

    def __init__(self):
        self.begin, self.passed, self.skipped, self.failures = time.monotonic(), 0, 0, []

    def check(self, where, sentence, case, *arguments):
        start, remark = time.monotonic(), ""
        try:
            remark = case(*arguments) or ""
            word, self.passed = "ok", self.passed + 1
        except Skipped as reason:
            word, remark, self.skipped = "skipped", str(reason), self.skipped + 1
        except (Exception, SystemExit) as error:  # After any failure, the other checks still run.
            print(error if isinstance(error, (AssertionError, SystemExit)) else traceback.format_exc(limit=-3))
            word = "FAILED"
            self.failures.append(f"{where}: {sentence}")
        print(f"{word:7} {time.monotonic() - start:5.1f} s  {where}: {sentence}{remark and f' ({remark})'}", flush=True)
        return word == "ok"

    def end(self):
        print(*(f"FAILED {failure}" for failure in self.failures),
              f"\n{self.passed} passed, {len(self.failures)} failed, {self.skipped} skipped, "
              f"{time.monotonic() - self.begin:.0f} s", sep="\n")
        return 1 if self.failures else 0


def run(dist, folder, subjects):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # Many small files are written and deleted.
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(folder)], check=True)
    count = Count()
    for subject in subjects:
        module = importlib.import_module(f"cases.{subject}")
        if not hasattr(module, "SYSTEM"):
            play(count, subject, module, module.Trial(dist, folder / subject))
            continue
        for codename, name in getattr(module, "SYSTEMS", SYSTEMS).items():
            where = f"{name}, {subject}"
            bases = []
            if not count.check(where, "a system that has never seen the project exists",
                               lambda: bases.append(make_base(ROOT / ".build-release" / "roots", codename,
                                                              getattr(module, "USUAL", USUAL)))):
                continue
            with System(bases[0], folder / f"{codename}-{subject}") as system:
                trial = module.Trial(dist, system)
                play(count, where, module, trial)
    return count.end()


def play(count, where, module, trial):
    """The checks of a trial in order, until one fails that the others depend on."""
    for sentence, case in module.CASES.items():
        if not count.check(where, sentence, case, trial) and sentence in module.NEEDED:
            break


if __name__ == "__main__":
    main()
