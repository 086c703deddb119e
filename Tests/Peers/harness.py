# Licensed under the MIT License. See LICENSE.
"""What the peers share: a running emulator, a free port, a browser command."""
import contextlib
import json
import pathlib
import re
import shlex
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.request

TENANT = "11111111-1111-1111-1111-111111111111"
CLIENT_ID = "00000000-0000-4000-8000-000000000001"
USER = "megan@contoso.example"
PASSWORD = "Pa55-word!"


class Emulator:
    """An emulator started as a program of its own, with a state directory of its own."""

    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        self.port, control = free_port(), free_port()
        self.base = f"https://localhost:{self.port}"
        self.control = f"https://localhost:{control}"
        self.ca_file = str(self.folder / "state" / "ca.pem")
        self.log = open(self.folder / "emulator.log", "wb")
        self.process = subprocess.Popen(
            [str(build / "entra-emulator"), "--port", str(self.port), "--control-port", str(control),
             "--state", str(self.folder / "state")],
            stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def wait(self, seconds=30, interval=0.1):
        """Returns as soon as the metadata document can be read with the emulator's own certificate authority."""
        url = f"{self.base}/{TENANT}/v2.0/.well-known/openid-configuration"
        deadline = time.monotonic() + seconds
        while True:
            try:
                context = ssl.create_default_context(cafile=self.ca_file)
                with urllib.request.urlopen(url, context=context, timeout=5) as reply:
                    assert reply.status == 200
                    return
            except (OSError, ssl.SSLError) as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"the emulator does not answer: {error}\n{self.output()}")
                time.sleep(interval)

    def output(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(errors="replace")[-4000:]

    def journal(self):
        """The requests since the start or the last reset, secrets masked."""
        return self.steer("GET", "/journal")["entries"]

    def advance(self, seconds):
        self.steer("POST", "/clock", {"advance": seconds})

    def reset(self):
        self.steer("POST", "/reset", {})

    def steer(self, method, path, body=None):
        """A request to the control API."""
        request = urllib.request.Request(
            self.control + path, None if body is None else json.dumps(body).encode(), method=method,
            headers={"Authorization": f"Bearer {self.control_token()}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=self.ca_file), timeout=10) as answer:
            return json.load(answer)

    def control_token(self):
        """What the greeting says opens the console and the control API."""
        return re.search(r"Control token\s+(\S+)", self.output())[1]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


@contextlib.contextmanager
def running_emulator(build):
    with tempfile.TemporaryDirectory() as folder:
        emulator = Emulator(build, folder)
        try:
            emulator.wait()
            yield emulator
        finally:
            emulator.stop()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def browser_command(folder, name, *command):
    """A program that opens its argument with a command and returns at once, as desktop browsers do."""
    path = pathlib.Path(folder) / name
    quoted = " ".join(shlex.quote(str(word)) for word in command)
    log = shlex.quote(str(path) + ".log")
    path.write_text(f'#!/bin/sh\n{quoted} "$1" >> {log} 2>&1 &\n')
    path.chmod(0o755)
    return path


def check(condition, message):
    if not condition:
        raise SystemExit(f"FAILED: {message}")
    print(f"ok  {message}")
