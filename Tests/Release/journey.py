# Licensed under the MIT License. See LICENSE.
"""The steps of a first-time user: starts the emulator, signs in, shows the account, calls an API, signs out."""
import json
import pathlib
import re
import ssl
import urllib.request

from browser import Browser
from roots import await_

USER, PASSWORD = "megan@contoso.example", "Pa55-word!"
# From the emulator's greeting and its guide.
SETTINGS = 'eval "$(entra-emulator env --for msal)"; '


def health(ca_file, port=8443):
    """The response of a running emulator over TLS, using its authority."""
    context = ssl.create_default_context(cafile=str(ca_file))
    with urllib.request.urlopen(f"https://localhost:{port}/health", context=context, timeout=5) as answer:
        return json.load(answer)


def is_healthy(ca_file):
    try:
        return health(ca_file) == {"status": "ok"}
    except OSError:
        return False


class Journey:
    """The user's shells in a system with the installed commands."""

    def __init__(self, system):
        self.system = system
        self.ca_file = system.home / ".local" / "state" / "entra-emulator" / "ca.pem"
        self.emulator = None

    def start(self):
        log = pathlib.Path(self.system.folder) / "emulator.log"
        self.emulator = self.system.begin("exec entra-emulator", log)
        await_(lambda: self.ca_file.exists() and is_healthy(self.ca_file),
               lambda: f"the emulator does not respond:\n{log.read_text()}")

    def login(self):
        """With a device code, as on a machine without a screen. The person types it elsewhere."""
        log = pathlib.Path(self.system.folder) / "login.log"
        process = self.system.begin(SETTINGS + "exec msal login --use-device-code", log)
        shown = await_(lambda: re.search(r"(https://\S+).*?\b([A-Z0-9]{8,9})\b", log.read_text(), re.S)
                       or process.poll() is not None and log.read_text(), lambda: f"no code is shown:\n{log.read_text()}")
        assert not isinstance(shown, str), f"login ended:\n{shown}"
        Browser(str(self.ca_file), USER, PASSWORD).enter(shown[2], shown[1].rstrip(".,"))
        status = process.wait(timeout=30)
        assert status == 0 and f"Signed in as {USER}" in log.read_text(), f"login ended with {status}:\n{log.read_text()}"

    def whoami(self):
        text = self.msal("whoami")
        assert USER in text, f"the output is {text!r}"

    def graph(self):
        me = json.loads(self.msal("graph /me -o raw"))
        assert me["userPrincipalName"] == USER, f"the response is {me}"

    def token(self):
        text = self.msal("token -o raw")
        assert re.fullmatch(r"[\w-]+(\.[\w-]+){2}", text.strip()), f"it is not a token: {text[:80]!r}"

    def logout(self):
        assert USER in self.msal("logout"), "the output does not name the user"
        self.msal("token -o raw", status=4)

    def stop(self):
        """Ends the emulator as the end of a session does."""
        self.system.user("pkill -TERM -x entra-emulator")
        assert self.emulator.wait(timeout=5) in (0, -15, 143), f"it ended with {self.emulator.returncode}"

    def together(self):
        """The README's single command."""
        text = self.system.user("entra-emulator run -- msal login", seconds=60)
        assert f"Signed in as {USER}" in text, f"the output is {text!r}"

    def setup(self):
        """A new profile, and paginated lists of Graph."""
        lines = " && ".join([
            'msal setup --client-id "$MSAL_CLIENT_ID" --authority "$MSAL_AUTHORITY"',
            "msal login --scope User.ReadBasic.All",
            'msal graph "/users?\\$top=1" --scope User.ReadBasic.All --paginate --query "[*].userPrincipalName" -o raw',
        ])
        text = self.system.user(f"entra-emulator run -- sh -c '{lines}'", seconds=60)
        assert "The profile default is in" in text and "alex@contoso.example" in text, f"the output is {text!r}"

    def msal(self, arguments, status=0):
        return self.system.user(SETTINGS + "msal " + arguments, status=status, seconds=60)


# In this order, for each kind of installation.
STEPS = {
    "the emulator starts": Journey.start,
    "msal signs in with a device code": Journey.login,
    "msal whoami names the user": Journey.whoami,
    "msal graph /me returns the user": Journey.graph,
    "msal token prints a token": Journey.token,
    "msal logout removes the token": Journey.logout,
    "the emulator ends": Journey.stop,
    "entra-emulator run -- msal login works in one command": Journey.together,
    "msal setup creates a profile, and msal graph reads all pages": Journey.setup,
}


def cases():
    """The steps, for a trial that has a journey."""
    return {sentence: lambda trial, step=step: step(trial.journey) for sentence, step in STEPS.items()}
