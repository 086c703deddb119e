# Licensed under the MIT License. See LICENSE.
"""The Debian packages: apt installs them, their contents work, and apt removes them without a trace."""
import re
import shutil

import shells
from journey import Journey, cases
from roots import USER, one

SYSTEM = True
COMMANDS = ["msal", "entra-emulator"]

# What apt, dpkg and the tools that they run write about themselves, and what ca-certificates creates and leaves.
RECORDS = re.compile(r"var/(log|cache/(apt|man|debconf|ldconfig)|lib/(apt|dpkg|systemd|ucf|pam))(/.*)?|(run|tmp)/.*"
                     r"|etc/ld\.so\.cache|(etc|usr/local/share|usr/lib)/(ssl|ca-certificates)\b.*")
# The user's files, which packages must not touch.
OWN = re.compile(rf"home/{USER}(/\.(local|config|cache|bash_history)\b.*)?")


class Trial:
    def __init__(self, dist, system):
        self.dist, self.system, self.journey = dist, system, Journey(system)
        self.before, self.packages = None, None


def install(trial):
    packages = [one(trial.dist, f"{command}_*.deb") for command in COMMANDS]
    for package in packages:
        shutil.copy(package, trial.system.root / "tmp")
    trial.before, trial.packages = trial.system.files(), installed(trial.system)
    text = trial.system.install(*(f"/tmp/{package.name}" for package in packages))
    added = re.search(r"(\d+) newly installed", text)[1]
    for command in COMMANDS:
        trial.system.user(f"{command} --version")
    return f"with {int(added) - len(packages)} packages of Debian"


def installed(system):
    return set(system.run("dpkg-query", "--show", "--showformat=${Package}\n").split())


def manual(trial):
    shells.manual(trial.system, COMMANDS)


def unit(trial):
    unit_file = "/usr/lib/systemd/user/entra-emulator.service"
    text = trial.system.run("systemd-analyze", "--user", "verify", unit_file, changes={"XDG_RUNTIME_DIR": "/run"})
    assert not text.strip(), text


def licences(trial):
    for command in COMMANDS:
        text = trial.system.user(f"cat /usr/share/doc/{command}/copyright; zcat -f /usr/share/doc/{command}/licences*")
        assert "BoringSSL" in text and "Apache License" in text, f"{command} has no third-party licenses"


def purge(trial):
    trial.system.apt("purge", *COMMANDS)
    # Automatically installed packages would stay, because Debian's own packages recommend them, too.
    trial.system.apt("purge", *sorted(installed(trial.system) - trial.packages))
    after = trial.system.files()
    left = sorted(name for name in after - trial.before if not RECORDS.fullmatch(name) and not OWN.fullmatch(name))
    gone = sorted(name for name in trial.before - after if not RECORDS.fullmatch(name))
    assert not left and not gone, f"left behind: {left[:20]}; removed as well: {gone[:20]}"
    own = sorted(name for name in after - trial.before if OWN.fullmatch(name) and (trial.system.root / name).is_file())
    assert own, "even the user's data are missing"
    folders = sorted({"/".join(name.split("/")[2:5]) for name in own})
    return f"{len(own)} files of the user stay, in {', '.join(folders)}"


NEEDED = {"apt installs both"}
CASES = {
    "apt installs both": install,
    "man shows the pages of both": manual,
    "bash completes": lambda trial: shells.bash(trial.system),
    "zsh completes": lambda trial: shells.zsh(trial.system),
    "fish completes": lambda trial: shells.fish(trial.system),
    "systemd accepts the unit": unit,
    "the licenses are included": licences,
    **cases(),
    "apt purge leaves only the user's files": purge,
}
