# Licensed under the MIT License. See LICENSE.
"""The environment of one case: a service, a home folder with an empty token store, and the command."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from service import Service

CLIENT_ID = "11111111-2222-3333-4444-555555555555"
EXITS = {0, 1, 2, 3, 4, 5, 6, 130}
HERE = pathlib.Path(__file__).resolve().parent


class Outcome:
    """The status and output of a command."""

    def __init__(self, arguments, done):
        self.arguments, self.status, self.out, self.errors = arguments, done.returncode, done.stdout, done.stderr

    @property
    def text(self):
        return self.out + self.errors

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def error(self):
        return self.json["error"]

    def __str__(self):
        command = f"msal {shlex.join(self.arguments)}"
        return f"{command}\n  ended with {self.status}\n  output: {self.out}\n  errors: {self.errors}"


class World:
    def __init__(self, build, folder, recordings, server, authorities):
        self.build, self.folder, self.server = build, folder, server
        # An authority that this machine trusts, and an unknown one.
        self.trusted, self.unknown = authorities
        self.recordings = recordings
        self.service = Service(recordings)
        server.respond, server.contexts = self.service.respond, {}
        self.outcomes = []
        self.browser_log = folder / "browser.log"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "MSAL_STORE_DIR": str(folder / "store"),
            "MSAL_STORE_KEY": "key-file", "MSAL_CLIENT_ID": CLIENT_ID, "BROWSER": str(self.browser()),
        }

    def browser(self):
        """A program that opens its argument with the small browser and returns immediately, as desktop browsers do."""
        path, trust = self.folder / "browser", self.folder / "browser-trust.pem"
        # The command's handling of certificates is tested, not this browser's.
        trust.write_bytes(self.trusted.file.read_bytes() + self.unknown.file.read_bytes())
        words = [sys.executable, str(HERE / "browser.py"), str(self.browser_log), str(trust)]
        path.write_text(f'#!/bin/sh\n{shlex.join(words)} "$1" > /dev/null 2>&1 &\n')
        path.chmod(0o755)
        return path

    def msal(self, *arguments, stdin="", timeout=30, **changes):
        """Runs the command, which must exit with a documented status. A program that requests a token must name the output format;
        if a case does not check the output, the format is text, which contains no token."""
        if arguments[:1] == ("token",) and not {"-o", "--output"} & set(arguments):
            arguments += ("-o", "text")
        environment = {name: value for name, value in {**self.environment, **changes}.items() if value is not None}
        done = subprocess.run([str(self.build / "msal"), *arguments], input=stdin, env=environment, text=True,
                              capture_output=True, timeout=timeout, check=False)
        outcome = Outcome(arguments, done)
        self.outcomes.append(outcome)
        assert outcome.status in EXITS, "the command crashed"
        return outcome

    def login(self, *arguments, **changes):
        """Signs in, which must succeed; returns the JSON output."""
        outcome = self.msal("login", "-o", "json", *arguments, **changes)
        assert outcome.status == 0, "the sign-in failed"
        return outcome.json

    def refused_login(self, *arguments, **changes):
        """Tries to sign in, which must fail; returns the error in JSON."""
        outcome = self.msal("login", "-o", "json", *arguments, **changes)
        assert outcome.status != 0, "the sign-in succeeded"
        return outcome.error

    def names(self):
        """The user names of the stored accounts."""
        return [account["username"] for account in self.msal("accounts", "-o", "json").json["accounts"]]

    def story(self):
        """Everything that happened, for finding out why a case failed."""
        log = self.browser_log.read_text() if self.browser_log.exists() else "never started\n"
        requests = [f"  {request}" for request in self.service.requests]
        parts = [*map(str, self.outcomes), "requests:", *requests, "browser:", log]
        return re.sub(r"(?m)^", "    ", "\n".join(parts))
