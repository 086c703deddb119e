# Licensed under the MIT License. See LICENSE.
"""A container that has nothing but the programs: no authorities, no home, no entry for the user, folders that refuse."""
import subprocess

from machine import Skipped

PATH = "/usr/bin:/bin"
NOBODY = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"]
SETTINGS = ["MSAL_CLIENT_ID", "MSAL_SCOPES", "MSAL_AUTHORITY", "MSAL_CA_FILE", "MSAL_STORE_KEY", "MSAL_LOG"]


def at(machine, place, *command, user=(), **expected):
    """Runs a command after the lines of shell that make the place, in mounts of its own."""
    if user and subprocess.run([*user, "test", "-x", machine.msal], check=False).returncode:
        raise Skipped("the build is in a folder that is closed to other users")
    # `run` gives the program its settings; those of the machine are for another emulator.
    changes = {name: None for name in SETTINGS if "run" in command}
    return machine.run("/usr/bin/unshare", "--mount", "/bin/sh", "-ec", f'{place}\nexec "$@"', "sh", *user, *command,
                       **{"PATH": f"{PATH}:{machine.bench.build}", **changes, **expected})


def temporary(machine, options):
    """The lines that mount a temporary folder with these options, and the folder."""
    folder = machine.folder / "temporary"
    folder.mkdir()
    return f"mount -t tmpfs -o {options} tmpfs {folder}", str(folder)


def no_authorities(machine):
    """What trusts the emulator's own authority needs no other."""
    outcome = at(machine, "mount -t tmpfs tmpfs /etc/ssl", "entra-emulator", "run", "--", "msal", "login")
    assert "Signed in as" in outcome.text, outcome.text


def home_of_another(machine):
    """The error is about the home folder, and so is the remedy."""
    outcome = at(machine, ":", "msal", "token", "-o", "raw", user=NOBODY, status=6, HOME="/")
    assert "MSAL_STORE_DIR" in outcome.text and "redirect" not in outcome.text, outcome.text


def no_home(machine):
    """The emulator says what is not set, and what can be named in its place."""
    outcome = at(machine, ":", "entra-emulator", "serve", user=NOBODY, status=1, HOME=None)
    assert "HOME is not set" in outcome.text and "--state" in outcome.text, outcome.text


def nothing_starts_in_temporary(machine):
    """The browser stand-in needs no file that the system starts."""
    place, folder = temporary(machine, "noexec")
    outcome = at(machine, place, "entra-emulator", "run", "--", "msal", "login", TMPDIR=folder)
    assert "Signed in as" in outcome.text, outcome.text


def temporary_is_read_only(machine):
    """The sentence names the folder, the system's reason and the variable that chooses another one."""
    place, folder = temporary(machine, "ro")
    outcome = at(machine, place, "entra-emulator", "run", "--", "true", status=125, TMPDIR=folder)
    assert folder in outcome.text and "Read-only file system" in outcome.text and "TMPDIR" in outcome.text, outcome.text


CASES = {
    "an image without certificate authorities": no_authorities,
    "a user id without an entry, at the home of root": home_of_another,
    "a user id without an entry and without HOME": no_home,
    "a temporary folder in which nothing can be started": nothing_starts_in_temporary,
    "a temporary folder that is read-only": temporary_is_read_only,
}
