# Licensed under the MIT License. See LICENSE.
"""The Debian packages in a minimal system, without even the recommended packages."""
import contextlib
import pathlib
import shutil
import sys

from roots import ROOT_OF_PROJECT, Skipped, one, run

sys.path.append(str(pathlib.Path(ROOT_OF_PROJECT) / "Tests" / "Environments"))
import places  # noqa: E402

SYSTEM = True
SYSTEMS = {"bookworm": "Debian 12"}
# The contents of `debootstrap --variant=minbase`, and no more.
USUAL = []
COMMANDS = ["msal", "entra-emulator"]


class Trial:
    def __init__(self, dist, system):
        self.dist, self.system, self.count = dist, system, 0


class Installed:
    """The installed packages, with a separate folder for the case in their system."""

    def __init__(self, trial):
        trial.count += 1
        self.system, self.folder, self.ends = trial.system, f"/srv/{trial.count}", contextlib.ExitStack()
        self.outside(self.folder).mkdir(mode=0o755)

    def outside(self, path):
        return self.system.root / path.lstrip("/")

    def at(self, place, *command, user=(), outer=(), seconds=30, status=0, **variables):
        environment = {"PATH": places.PATH, "HOME": self.folder, "LANG": "C.UTF-8", "TERM": "xterm", **variables}
        inside = ["/usr/sbin/chroot", self.system.root, "/bin/sh", "-ec", f'{place}\nexec "$@"', "sh"]
        return run(*outer, "unshare", "--mount", *inside, *user, *command, seconds=seconds, status=status,
                   env={name: value for name, value in environment.items() if value is not None})

    def tool(self, name):
        try:
            self.system.apt("install", "--no-install-recommends", name)
        except AssertionError as error:
            self.skip(f"{name} cannot be installed: {str(error).splitlines()[-1]}")

    def skip(self, reason):
        raise Skipped(reason)


def install(trial):
    packages = [one(trial.dist, f"{command}_*.deb") for command in COMMANDS]
    for package in packages:
        shutil.copy(package, trial.system.root / "tmp")
    trial.system.install("--no-install-recommends", *(f"/tmp/{package.name}" for package in packages))
    assert not (trial.system.root / "etc" / "ssl" / "certs").exists(), "the system has certificate authorities"


def played(case):
    def check(trial):
        site = Installed(trial)
        with site.ends:
            case(site)
    return check


NEEDED = {"apt installs both, and nothing that they recommend"}
CASES = {
    "apt installs both, and nothing that they recommend": install,
    **{sentence: played(case) for sentence, case in places.CASES.items()},
}
