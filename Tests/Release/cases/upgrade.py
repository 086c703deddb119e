# Licensed under the MIT License. See LICENSE.
"""An upgrade of the packages keeps settings, store, and sign-in, and apt refuses a downgrade. The earlier release is next to this one."""
import re
import shutil

from journey import Journey
from roots import ENVIRONMENT, Skipped, one, run_online

SYSTEM = True
SYSTEMS = {"bookworm": "Debian 12"}
COMMANDS = ["msal", "entra-emulator"]
CLIENT = "11111111-2222-4333-8444-555555555555"


class Trial:
    def __init__(self, dist, system):
        self.system, self.journey, self.settings, self.authority = system, Journey(system), None, None
        releases = sorted((folder for folder in dist.parent.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", folder.name)),
                          key=lambda folder: [int(part) for part in folder.name.split(".")])
        number = releases.index(dist) if dist in releases else 0
        self.old = self.copies(releases[number - 1]) if number else None
        self.new = self.copies(dist)

    def copies(self, folder):
        """The packages of a release, under the names that they have in the system."""
        packages = [one(folder, f"{command}_*.deb") for command in COMMANDS]
        for package in packages:
            shutil.copy(package, self.system.root / "tmp")
        return [f"/tmp/{package.name}" for package in packages]

    def version(self):
        return self.system.user("msal --version").strip()


def config(trial):
    return trial.system.user(f"cat '{trial.journey.msal('config path').strip()}'")


def install(trial):
    if not trial.old:
        raise Skipped("there is no earlier release in the same folder")
    trial.system.install(*trial.old)
    trial.journey.start()
    trial.journey.login()
    trial.journey.msal(f"config set client_id {CLIENT}")
    trial.settings = config(trial)
    trial.authority = trial.journey.ca_file.read_bytes()
    return trial.version()


def upgrade(trial):
    before = trial.version()
    trial.system.apt("install", *trial.new)
    assert trial.version() != before, f"it is still {before}"
    return trial.version()


def settings(trial):
    text = config(trial)
    assert text == trial.settings and CLIENT in text, f"{trial.settings!r} became {text!r}"
    assert trial.journey.msal("config get client_id").strip() == CLIENT


def sign_in(trial):
    trial.journey.whoami()
    trial.journey.token()
    trial.journey.graph()


def emulator(trial):
    trial.journey.stop()
    trial.journey.start()
    assert trial.journey.ca_file.read_bytes() == trial.authority, "the emulator has another certificate authority"


def refusal(trial):
    before = trial.version()
    text = run_online("chroot", trial.system.root, "apt-get", "--yes", "install", *trial.old, env=ENVIRONMENT, status=100)
    assert "downgraded" in text, f"apt says {text!r}"
    assert trial.version() == before, f"{before} became {trial.version()}"


def forced(trial):
    """Both versions have the same form of the store, so nothing is lost."""
    trial.system.apt("install", "--allow-downgrades", *trial.old)
    trial.journey.whoami()
    trial.journey.logout()
    return trial.version()


NEEDED = {"the earlier version is installed and signs in", "apt upgrades both"}
CASES = {
    "the earlier version is installed and signs in": install,
    "apt upgrades both": upgrade,
    "the settings are the same": settings,
    "the user is signed in, without a new sign-in": sign_in,
    "the emulator starts with its certificate authority": emulator,
    "apt refuses the downgrade, and changes nothing": refusal,
    "after a forced downgrade, the user is still signed in": forced,
}
