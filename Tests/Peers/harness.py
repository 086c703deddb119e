# Licensed under the MIT License. See LICENSE.
"""What the peers share: a running emulator, a free port, a browser command, a cache of many accounts."""
import base64
import contextlib
import json
import pathlib
import re
import shlex
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

TENANT = "11111111-1111-1111-1111-111111111111"
CLIENT_ID = "00000000-0000-4000-8000-000000000001"
USER = "megan@contoso.example"
PASSWORD = "Pa55-word!"


# Linux counts the parent's peak memory for a new program. So a small program starts the command.
STARTER = """
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
with open(sys.argv[1], "w") as notes:
    print(os.waitstatus_to_exitcode(status), 1024 * usage.ru_maxrss, file=notes)
"""


def with_peak_memory(environment, *command):
    """The command's output, and its peak memory in bytes."""
    with tempfile.NamedTemporaryFile() as notes:
        done = subprocess.run([sys.executable, "-c", STARTER, notes.name, *map(str, command)], env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=True)
        status, memory = map(int, pathlib.Path(notes.name).read_text().split())
    if status:
        raise SystemExit(f"FAILED: {command} ended with {status}\n{done.stdout[-2000:]}{done.stderr}")
    return done.stdout, memory


class Emulator:
    """An emulator started as a separate program, with a separate state directory."""

    def __init__(self, build, folder, port=None, options=(), command=()):
        self.folder = pathlib.Path(folder)
        self.port, control = port or free_port(), free_port()
        self.base = "https://localhost" + ("" if self.port == 443 else f":{self.port}")
        self.control = f"https://localhost:{control}"
        self.ca_file = str(self.folder / "state" / "ca.pem")
        self.log = open(self.folder / "emulator.log", "wb")
        self.process = subprocess.Popen(
            [str(build / "entra-emulator"), *command, "--port", str(self.port), "--control-port", str(control),
             "--state", str(self.folder / "state"), *map(str, options)],
            stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def wait(self, seconds=30, interval=0.1):
        """Returns as soon as the metadata document can be read using the emulator's certificate authority."""
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
                    raise SystemExit(f"the emulator does not respond: {error}\n{self.output()}")
                time.sleep(interval)

    def output(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(errors="replace")[-4000:]

    def journal(self):
        """The requests since the start or the last reset, secrets masked."""
        return self.steer("GET", "/journal?limit=10000")["entries"]

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

    def control_token(self, seconds=30):
        """The token that opens the console and the control API, from the greeting. The emulator listens before it greets."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(r"Control token\s+(\S+)", pathlib.Path(self.log.name).read_text(errors="replace"))):
            assert time.monotonic() < deadline, f"the emulator prints no greeting:\n{self.output()}"
            time.sleep(0.05)
        return found[1]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


@contextlib.contextmanager
def running_emulator(build, port=None, options=(), command=()):
    with tempfile.TemporaryDirectory() as folder:
        emulator = Emulator(build, folder, port, options, command)
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
    """A program that opens its argument with a command and returns immediately, as desktop browsers do."""
    path = pathlib.Path(folder) / name
    quoted = " ".join(shlex.quote(str(word)) for word in command)
    log = shlex.quote(str(path) + ".log")
    path.write_text(f'#!/bin/sh\n{quoted} "$1" >> {log} 2>&1 &\n')
    path.chmod(0o755)
    return path


def home_account_id(number):
    return f"22222222-2222-4222-8222-{number:012}.{TENANT}"


def user_name(number):
    return f"user-{number}@contoso.example"


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def id_token(number, host):
    now, local = int(time.time()), home_account_id(number).partition(".")[0]
    payload = encoded({
        "aud": CLIENT_ID, "iss": f"https://{host}/{TENANT}/v2.0", "iat": now, "nbf": now, "exp": now + 3600,
        "name": f"User {number}", "oid": local, "preferred_username": user_name(number),
        "rh": "0." + 298 * "h", "sub": f"s{number}".ljust(43, "s"), "tid": TENANT, "uti": 22 * "u", "ver": "2.0",
    })
    return f"{encoded({'typ': 'JWT', 'alg': 'RS256'})}.{payload}.".ljust(1500, "c")


def shared_cache(accounts, host, scope):
    """A JSON text in the schema that Microsoft's libraries share, with 4.5 KB of tokens for each account. The access token of
        account 7 begins with `t7-`, its refresh token with `r7-`."""
    now = int(time.time())
    sections = {name: {} for name in ("AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata")}
    for number in range(accounts):
        home = home_account_id(number)
        common = {"home_account_id": home, "environment": host, "client_id": CLIENT_ID}
        sections["AccessToken"][f"{home}-{host}-accesstoken-{CLIENT_ID}-{TENANT}-{scope}".lower()] = {
            **common, "credential_type": "AccessToken", "secret": f"t{number}-".ljust(1600, "t"), "target": scope,
            "realm": TENANT, "token_type": "Bearer", "cached_at": str(now - 60), "expires_on": str(now + 86400),
            "extended_expires_on": str(now + 86400),
        }
        sections["RefreshToken"][f"{home}-{host}-refreshtoken-{CLIENT_ID}--".lower()] = {
            **common, "credential_type": "RefreshToken", "secret": f"r{number}-".ljust(1400, "r"),
            "last_modification_time": str(now),
        }
        sections["IdToken"][f"{home}-{host}-idtoken-{CLIENT_ID}-{TENANT}-".lower()] = {
            **common, "credential_type": "IdToken", "secret": id_token(number, host), "realm": TENANT,
        }
        sections["Account"][f"{home}-{host}-{TENANT}".lower()] = {
            "home_account_id": home, "environment": host, "realm": TENANT, "authority_type": "MSSTS",
            "local_account_id": home.partition(".")[0], "username": user_name(number),
        }
    return json.dumps(sections)


def check(condition, message):
    if not condition:
        raise SystemExit(f"FAILED: {message}")
    print(f"ok  {message}")
