# Licensed under the MIT License. See LICENSE.
"""The built programs in minimal environments. It needs no browser."""
import shutil
import subprocess

import places
from machine import Skipped

# `run` sets the variables for the program; those of the machine are for another emulator.
SETTINGS = ["MSAL_CLIENT_ID", "MSAL_SCOPES", "MSAL_AUTHORITY", "MSAL_CA_FILE", "MSAL_STORE_KEY", "MSAL_LOG"]


class Tree:
    """The built programs in the system of this machine."""

    def __init__(self, machine):
        self.machine, self.folder, self.ends = machine, str(machine.folder), machine.ends

    def outside(self, path):
        return self.machine.folder / path.removeprefix(f"{self.folder}/")

    def at(self, place, *command, user=(), outer=(), **expected):
        if user and subprocess.run([*user, "test", "-x", self.machine.msal], check=False).returncode:
            self.skip("the build is in a folder that other users cannot read")
        changes = {**dict.fromkeys(SETTINGS), "PATH": f"{places.PATH}:{self.machine.bench.build}", **expected}
        return self.machine.run(*outer, "unshare", "--mount", "/bin/sh", "-ec", f'{place}\nexec "$@"', "sh", *user, *command,
                                **changes).text

    def tool(self, name):
        if not shutil.which(name, path=places.PATH):
            self.skip(f"{name} is not installed")

    def skip(self, reason):
        raise Skipped(reason)


CASES = {sentence: lambda machine, case=case: case(Tree(machine)) for sentence, case in places.CASES.items()}
