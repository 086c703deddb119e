# Licensed under the MIT License. See LICENSE.
"""The archives, unpacked according to their INSTALL in the home folder of a user who may not install packages, and removed."""
import re
import shutil

import shells
from journey import Journey, cases
from roots import USER, one

SYSTEM = True
COMMANDS = ["msal", "entra-emulator"]
OWN = re.compile(r"\.(local/(state|share)/(entra-emulator|msal)|config/msal|cache)\b.*|\.bash_history|\.zcompdump")


class Trial:
    def __init__(self, dist, system):
        self.dist, self.system, self.journey = dist, system, Journey(system)
        self.before, self.removals = None, []


def home_files(system):
    return {str(file.relative_to(system.home)) for file in system.home.rglob("*") if not file.is_dir()}


def install(trial):
    """Follows the commands of INSTALL."""
    trial.before = home_files(trial.system)
    # INSTALL has a command that creates it.
    assert not (trial.system.home / ".local").exists(), "the user has the folder already"
    for command in COMMANDS:
        archive = one(trial.dist, f"{command}-[0-9]*-linux-*.tar.gz")
        shutil.copy(archive, trial.system.root / "tmp")
        text = trial.system.user(f"tar --extract --to-stdout --file=/tmp/{archive.name} --wildcards '*/INSTALL'")
        # A shell command continues after a backslash and after a pipe.
        joined = re.sub(r"\|\n +", "| ", text.replace("\\\n", ""))
        lines = [line.strip() for line in joined.splitlines() if line.startswith("    ")]
        install_lines = [line for line in lines if "~/.local" in line or "$HOME/.local" in line]
        trial.removals.append(next(line for line in lines if line.startswith("tar --list")).replace("PREFIX", "~/.local"))
        trial.system.user(" && ".join(["cd /tmp", *install_lines]))
    for command in COMMANDS:
        assert trial.system.user(f"command -v {command}").strip() == f"/home/{USER}/.local/bin/{command}"
        trial.system.user(f"{command} --version")


def licences(trial):
    for command in COMMANDS:
        text = trial.system.user(f"cat ~/.local/share/doc/{command}/licences.txt")
        assert "BoringSSL" in text and "Apache License" in text, f"{command} has no third-party licenses"


def remove(trial):
    for line in trial.removals:
        trial.system.user(f"cd /tmp && {line}")
    left = sorted(name for name in home_files(trial.system) - trial.before if not OWN.fullmatch(name))
    assert not left, f"left behind: {left[:20]}"
    assert not trial.before - home_files(trial.system), "files of the user are missing"


def needs(trial):
    """The requirements of the commands according to INSTALL."""
    trial.system.install("ca-certificates")


NEEDED = {"Debian meets their requirements", "tar installs both in ~/.local"}
CASES = {
    "Debian meets their requirements": needs,
    "tar installs both in ~/.local": install,
    "man shows the pages of both": lambda trial: shells.manual(trial.system, COMMANDS),
    "bash completes": lambda trial: shells.bash(trial.system),
    "zsh completes": lambda trial: shells.zsh(trial.system, "fpath+=~/.local/share/zsh/site-functions"),
    "the licenses are included": licences,
    **cases(),
    "the documented command removes everything except the user's files": remove,
}
