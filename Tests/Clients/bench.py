# Licensed under the MIT License. See LICENSE.
"""What a client's test gets: an emulator, a person, the IDs of the default directory, and ways to run programs."""
import base64
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

import requests

from harness import CLIENT_ID, PASSWORD, TENANT, USER, browser_command, check, free_port, running_emulator
from person import Person

HERE = pathlib.Path(__file__).resolve().parent
SERVICE_ID = "00000000-0000-4000-8000-000000000010"
SERVICE_SECRET = "Emulator-secret-1"
GRAPH = "https://graph.microsoft.com"
# The application of a directory file.
OWN_ID = "99999999-0000-4000-8000-000000000001"
# The to-do API is also a confidential client, with the same secret: it calls Graph for its callers.
API_ID = "00000000-0000-4000-8000-0000000000a1"
API = f"api://{API_ID}"

__all__ = ["API", "API_ID", "Bench", "CLIENT_ID", "GRAPH", "OWN_ID", "PASSWORD", "SERVICE_ID", "SERVICE_SECRET", "TENANT", "USER", "check",
           "claims_of", "free_pair", "free_port", "probe", "test_token"]


class Bench:
    """One client's test environment with a running emulator. `machine` are the variables with which this program was started."""

    machine = dict(os.environ)

    def __init__(self, emulator, folder, build):
        self.emulator, self.folder, self.build = emulator, pathlib.Path(folder), build
        self.base, self.ca_file = emulator.base, emulator.ca_file
        self.authority = f"{self.base}/{TENANT}"

    def person(self, user=USER, password=PASSWORD):
        """A person with a new browser."""
        return Person(self.ca_file, user, password)

    def metadata(self):
        return requests.get(f"{self.authority}/v2.0/.well-known/openid-configuration", verify=self.ca_file,
                            timeout=10).json()

    def me(self, token):
        return requests.get(f"{self.base}/v1.0/me", headers={"Authorization": f"Bearer {token}"}, verify=self.ca_file,
                            timeout=10)

    def type_code(self, code, user=USER):
        """Types a device's code elsewhere, and signs in there."""
        response = self.person(user).open(f"{self.base}/devicelogin?otc={code}")
        check(response.status_code == 200, "a browser elsewhere accepts the code")

    @contextlib.contextmanager
    def at_standard_port(self, *options):
        """An environment with another emulator, on port 443. `None` if this process may not use that port."""
        try:
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", 443))
        except OSError as error:
            print(f"--  skipped: port 443: {error.strerror}")
            yield None
            return
        with self.elsewhere(*options, port=443) as place:
            yield place

    @contextlib.contextmanager
    def elsewhere(self, *options, port=None):
        """An environment with another emulator, with additional options."""
        with running_emulator(self.build, port, options) as emulator:
            folder = self.folder / f"at-{emulator.port}"
            folder.mkdir()
            place = Bench(emulator, folder, self.build)
            with self.environment(REQUESTS_CA_BUNDLE=place.ca_file, SSL_CERT_FILE=place.ca_file):
                yield place

    @contextlib.contextmanager
    def with_application(self, apis=(), resources=(), options=(), standard_port=False, **registration):
        """An environment with an emulator whose directory file has these APIs and one application, a web app with these
        members. With the standard port it is `None` if this process may not use that port."""
        file = self.folder / "directory.json"
        file.write_text(json.dumps({
            "tenants": [{"id": TENANT, "domain": "contoso.example", "displayName": "Contoso"}],
            "users": [{"userPrincipalName": USER, "displayName": "Megan Bowen", "password": PASSWORD}],
            "applications": [{
                "clientId": OWN_ID, "displayName": "An app of our own", "type": "web",
                "redirectUris": ["http://localhost/auth"], **registration,
            }],
            "apis": list(apis),
            "resources": list(resources),
        }))
        emulator = self.at_standard_port if standard_port else self.elsewhere
        with emulator("--seed", file, *options) as place:
            yield place

    @contextlib.contextmanager
    def environment(self, **variables):
        """Variables for the libraries that read them in this process; `None` removes one."""
        before = {name: os.environ.get(name) for name in variables}
        try:
            change(variables)
            yield
        finally:
            change(before)

    def variables(self):
        """The variables that `entra-emulator env` sets for a Python program."""
        return {"REQUESTS_CA_BUNDLE": self.ca_file, "ENTRA_EMULATOR_URL": self.base,
                "ENTRA_EMULATOR_AUTHORITY": f"{self.base}/contoso.example"}

    def browser(self, user=USER, password=PASSWORD):
        """A program for BROWSER that signs in this user."""
        return browser_command(self.folder, "browser-" + user.partition("@")[0], sys.executable, HERE / "person.py",
                               user, password)

    def visits(self):
        """The output of the browsers that BROWSER started."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("browser-*.log")))

    def programs(self, name, *requirements):
        """The folder with the programs of a large client. It is installed once, into a separate folder. Requirements can be a file
        with checksums."""
        home = HERE.parents[1] / ".build" / "clients" / name
        wanted = "\n".join(pathlib.Path(each).read_text() if each.endswith(".txt") else each for each in requirements)
        stamp = home / "installed"
        if not stamp.exists() or stamp.read_text() != wanted:
            # The package index has no certificate from the emulator's authority.
            with self.environment(REQUESTS_CA_BUNDLE=self.machine.get("REQUESTS_CA_BUNDLE"),
                                  SSL_CERT_FILE=self.machine.get("SSL_CERT_FILE")):
                subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
                subprocess.run([str(home / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *requirements],
                               check=True)
            stamp.write_text(wanted)
        return home / "bin"

    @contextlib.contextmanager
    def app(self, name, *arguments, **variables):
        """A web app of the folder `apps` in a separate process; returns its address."""
        port = free_port()
        with self.server([sys.executable, str(HERE / "apps" / f"{name}.py"), str(port), *arguments], port, **variables) as address:
            yield address

    @contextlib.contextmanager
    def server(self, command, port, ready="/ready", **variables):
        """A server program that listens on a port, as soon as it responds at the path `ready`; returns its address."""
        log = self.folder / f"server-{port}.log"
        with open(log, "wb") as output:
            process = subprocess.Popen(command, env={**os.environ, **self.variables(), "BENCH": str(self.folder), **variables},
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            try:
                address = f"http://localhost:{port}"
                await_answer(address + ready, process, log)
                yield address
            except BaseException:
                print(f"--- {command[1]}\n{log.read_text(errors='replace')[-4000:]}")
                raise
            finally:
                process.terminate()
                process.wait(timeout=10)

    def as_service(self, *command, user=USER, options=()):
        """Runs a program that reaches the emulator under Microsoft's names, with its default directory. `None` if this machine
        does not allow the namespaces for it."""
        if subprocess.run(["unshare", "--user", "--map-current-user", "--net", "--mount", "true"], capture_output=True).returncode:
            print("--  skipped: this machine does not allow the namespaces for Microsoft's names")
            return None
        return subprocess.run([str(self.build / "entra-emulator"), "run", "--as-service", "--quiet", "--as", user,
                               *options, "--", *command],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def free_pair(first=None):
    """The first of two adjacent free ports, which are not even in use by an outgoing connection."""
    for port in ([first] if first else []) + [free_port() for _ in range(20)]:
        with socket.socket() as one, socket.socket() as two:
            try:
                one.bind(("127.0.0.1", port))
                two.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                continue
    raise AssertionError("there are no two adjacent free ports")


def await_answer(address, process, log, seconds=120):
    deadline = time.monotonic() + seconds
    while True:
        try:
            return requests.get(address, timeout=5)
        except requests.ConnectionError:
            assert process.poll() is None and time.monotonic() < deadline, f"the app does not respond, see {log}"
            time.sleep(0.05)


def change(variables):
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def claims_of(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def test_token(bench, *scopes):
    """A token of the user for the to-do API, without a sign-in."""
    return bench.emulator.steer("POST", "/tokens", {
        "user": USER, "application": CLIENT_ID, "api": API, "scopes": scopes})["access_token"]


def probe(bench, address):
    """Sends every flaw of `entra-emulator probe` to an API that requires `ToDoList.Read`."""
    done = subprocess.run(
        [str(bench.build / "entra-emulator"), "probe", address, "--api", API, "--scope", "ToDoList.Read",
         "--control-port", bench.emulator.control.rpartition(":")[2], "--state", str(bench.emulator.folder / "state")],
        capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, f"the API rejects every flaw of probe{done.stdout + done.stderr if done.returncode else ''}")
