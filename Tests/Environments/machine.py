# Licensed under the MIT License. See LICENSE.
"""The environment of one case: a machine with an empty home folder, and the command. All cases share the emulator, and the
person with the browser, once a case needs them."""
import contextlib
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

from harness import CLIENT_ID, TENANT, USER
from terminal import Terminal


class Skipped(Exception):
    """The case cannot run here."""


class Bench:
    """Shared by all cases."""

    def __init__(self, build, folder, shots, emulator):
        self.build, self.folder, self.shots, self.emulator = build, folder, shots, emulator

    def __enter__(self):
        self.ends = contextlib.ExitStack()
        return self

    def __exit__(self, *_):
        self.ends.close()

    @functools.cached_property
    def person(self):
        """Needs Selenium and Chromium, which not all cases need."""
        from person import Person
        person = Person(self.folder, self.emulator, self.shots)
        self.ends.callback(person.leave)
        return person

    @property
    def people(self):
        """The person, if a case has requested one."""
        return [self.person] if "person" in vars(self) else []

    @contextlib.contextmanager
    def case(self):
        """A machine whose programs end with the case, and a browser without sessions."""
        with tempfile.TemporaryDirectory(dir=self.folder, ignore_cleanup_errors=True) as folder:
            machine = Machine(self, pathlib.Path(folder))
            for person in self.people:
                person.forget()
            with machine.ends:
                yield machine


class Outcome:
    def __init__(self, arguments, status, text, seconds):
        self.arguments, self.status, self.text, self.seconds = arguments, status, text, seconds

    def __str__(self):
        return f"{' '.join(self.arguments)}\n  ended with {self.status} after {self.seconds:.1f} s\n{self.text}"


class Machine:
    def __init__(self, bench, folder):
        self.bench, self.folder, self.emulator = bench, folder, bench.emulator
        self.msal = str(bench.build / "msal")
        self.ends = contextlib.ExitStack()
        self.outcomes, self.terminals = [], []
        self.programs = folder / "bin"
        self.programs.mkdir()
        # Nothing from the machine that runs this: no display, no bus, no agent, and a PATH without its browsers.
        self.environment = {
            "PATH": str(self.programs), "HOME": str(folder), "USER": "megan", "LANG": "C.UTF-8", "TERM": "xterm",
            "MSAL_STORE_KEY": "key-file", "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_SCOPES": "User.Read",
            "MSAL_AUTHORITY": f"{bench.emulator.base}/{TENANT}", "MSAL_CA_FILE": bench.emulator.ca_file,
            "MSAL_LOG": "info",
        }

    @property
    def person(self):
        return self.bench.person

    def given(self, **changes):
        """The environment with changes; `None` removes a variable."""
        merged = {**self.environment, **changes}
        return {name: value for name, value in merged.items() if value is not None}

    def program(self, name, text):
        """A program of this machine, as shell code."""
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def recorder(self, name, argument='"$1"'):
        """A program that records the address for the person, who finds it in `address()`, and returns immediately."""
        place = self.folder / "address"
        return self.program(name, f'printf %s {argument} > {place}.part && /bin/mv {place}.part {place}')

    def address(self, process):
        """The address that was passed to a recorder."""
        place = self.folder / "address"
        await_(place.exists, "no browser was opened", gone=lambda: process.poll() is not None)
        return place.read_text()

    def run(self, *command, status=0, seconds=30, **changes):
        """Runs a program without a terminal until it ends."""
        begin = time.monotonic()
        done = subprocess.run(list(command), env=self.given(**changes), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=seconds, check=False)
        outcome = Outcome(command, done.returncode, done.stdout + done.stderr, time.monotonic() - begin)
        self.outcomes.append(outcome)
        assert done.returncode == status, f"the status is {done.returncode}, not {status}"
        return outcome

    def begin(self, *command, stays=False, **changes):
        """Starts a program without a terminal. Its input has ended, unless it stays until `end()`."""
        place = self.folder / f"log-{len(self.outcomes)}"
        with open(place, "wb") as log:
            process = subprocess.Popen(list(command), env=self.given(**changes), stdout=log, stderr=subprocess.STDOUT,
                                       stdin=subprocess.PIPE if stays else subprocess.DEVNULL)
        # Read through a separate descriptor, which outlives the folder.
        self.outcomes.append(Running(command, process, open(place, encoding="utf-8", errors="replace")))
        self.ends.callback(self.outcomes[-1].stop)
        return self.outcomes[-1]

    def terminal(self, *command, columns=120, **changes):
        terminal = Terminal(list(command), self.given(**changes), columns)
        self.terminals.append(terminal)
        self.ends.callback(terminal.close)
        return terminal

    def explains(self, way, reason, *arguments, prefix=(), terminal=False, **changes):
        """`login --explain` tries this sign-in mode first, for a reason with this text."""
        command = [*prefix, self.msal, "login", "--explain", "-o", "json", *arguments]
        if terminal:
            shown = self.terminal(*command, MSAL_LOG=None, **changes)
            assert shown.end() == 0, "login --explain failed"
            plan = json.loads(shown.text)
        else:
            plan = json.loads(self.run(*command, MSAL_LOG=None, **changes).text)
        first = plan["ways"][0]
        assert first["way"] == way and first["is_possible"], f"{first} comes first, not {way}"
        assert reason in first["reason"], f"the reason is {first['reason']!r}"
        return plan

    def signed_in(self, **changes):
        """The user is signed in: a separate process gets a token."""
        text = self.run(self.msal, "token", "-o", "raw", **changes, MSAL_LOG=None).text
        assert text.count(".") >= 2, "there is no token"

    def story(self):
        """Everything that happened."""
        shown = [f"the terminal shows\n{terminal.text}" for terminal in self.terminals]
        return re.sub(r"(?m)^", "    ", "\n".join([*map(str, self.outcomes), *shown]))


class Running:
    """A running program."""

    def __init__(self, arguments, process, log):
        self.arguments, self.process, self.log = arguments, process, log

    def poll(self):
        return self.process.poll()

    @property
    def text(self):
        self.log.seek(0)
        return self.log.read()

    def await_text(self, pattern, seconds=30):
        await_(lambda: re.search(pattern, self.text), f"the output does not contain {pattern!r}", seconds,
               gone=lambda: self.poll() is not None)
        return re.search(pattern, self.text)

    def end(self, status=0, seconds=30):
        if self.process.stdin:
            self.process.stdin.close()
        ended = self.process.wait(timeout=seconds)
        assert ended == status, f"the status is {ended}, not {status}"
        return self.text

    def stop(self):
        if self.poll() is None:
            self.process.kill()
        self.process.wait()

    def __str__(self):
        return f"{' '.join(self.arguments)}\n  {'runs' if self.poll() is None else f'ended with {self.poll()}'}\n{self.text}"


def await_(condition, failure, seconds=20, gone=lambda: False):
    """Waits for a condition, or until the process that could meet it has ended."""
    deadline = time.monotonic() + seconds
    while not condition():
        is_over = gone() or time.monotonic() > deadline
        if is_over and not condition():
            raise AssertionError(failure() if callable(failure) else failure)
        time.sleep(0.02)
