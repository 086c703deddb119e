# Licensed under the MIT License. See LICENSE.
"""What a client's test gets: an emulator, a person, the ids of the seed, and places to run programs."""
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
# The to-do API is a confidential client, too, with the same secret: it calls Graph for its callers.
API_ID = "00000000-0000-4000-8000-0000000000a1"
API = f"api://{API_ID}"

__all__ = ["API", "API_ID", "Bench", "CLIENT_ID", "GRAPH", "OWN_ID", "PASSWORD", "SERVICE_ID", "SERVICE_SECRET", "TENANT", "USER", "check",
           "claims_of", "free_pair", "free_port", "probe", "test_token"]


class Bench:
    """One client's place at a running emulator. `machine` are the variables that this program was started with."""

    machine = dict(os.environ)

    def __init__(self, emulator, folder, build):
        self.emulator, self.folder, self.build = emulator, pathlib.Path(folder), build
        self.base, self.ca_file = emulator.base, emulator.ca_file
        self.authority = f"{self.base}/{TENANT}"

    def person(self, user=USER, password=PASSWORD):
        """Somebody whose browser is new."""
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
        check(response.status_code == 200, "a browser elsewhere takes the code")

    @contextlib.contextmanager
    def at_standard_port(self, *options):
        """A place at another emulator, on port 443. `None` where this process may not have that port."""
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
        """A place at another emulator, with options of its own."""
        with running_emulator(self.build, port, options) as emulator:
            folder = self.folder / f"at-{emulator.port}"
            folder.mkdir()
            place = Bench(emulator, folder, self.build)
            with self.environment(REQUESTS_CA_BUNDLE=place.ca_file, SSL_CERT_FILE=place.ca_file):
                yield place

    @contextlib.contextmanager
    def with_application(self, apis=(), resources=(), options=(), standard_port=False, **registration):
        """A place at an emulator whose directory is a file with these APIs and one application, a web app with these
        members. With the standard port it is `None` where this process may not have that port."""
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
        """Variables for the libraries that read them in this process; `None` takes one away."""
        before = {name: os.environ.get(name) for name in variables}
        try:
            change(variables)
            yield
        finally:
            change(before)

    def variables(self):
        """What `entra-emulator env` tells a Python program."""
        return {"REQUESTS_CA_BUNDLE": self.ca_file, "ENTRA_EMULATOR_URL": self.base,
                "ENTRA_EMULATOR_AUTHORITY": f"{self.base}/contoso.example"}

    def browser(self, user=USER, password=PASSWORD):
        """A program for BROWSER that signs this user in."""
        return browser_command(self.folder, "browser-" + user.partition("@")[0], sys.executable, HERE / "person.py",
                               user, password)

    def visits(self):
        """What the browsers of BROWSER wrote."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("browser-*.log")))

    def programs(self, name, *requirements):
        """The folder with the programs of a large client. It is installed into a folder of its own, once."""
        home = HERE.parents[1] / ".build" / "clients" / name
        wanted = "\n".join(requirements)
        stamp = home / "installed"
        if not stamp.exists() or stamp.read_text() != wanted:
            # The emulator's certificate authority is nobody's for the package index.
            with self.environment(REQUESTS_CA_BUNDLE=self.machine.get("REQUESTS_CA_BUNDLE"),
                                  SSL_CERT_FILE=self.machine.get("SSL_CERT_FILE")):
                subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
                subprocess.run([str(home / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *requirements],
                               check=True)
            stamp.write_text(wanted)
        return home / "bin"

    @contextlib.contextmanager
    def app(self, name, *arguments, **variables):
        """A web app of the folder `apps` in a process of its own; its address."""
        port = free_port()
        with self.server([sys.executable, str(HERE / "apps" / f"{name}.py"), str(port), *arguments], port, **variables) as address:
            yield address

    @contextlib.contextmanager
    def server(self, command, port, ready="/ready", **variables):
        """A server program that answers at a port, once it does so at the path `ready`; its address."""
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

    def as_service(self, *command, user=USER):
        """Runs a program that finds the emulator under Microsoft's names, with its default directory. `None` where this machine
        has no namespaces for it."""
        if subprocess.run(["unshare", "--user", "--map-current-user", "--net", "--mount", "true"], capture_output=True).returncode:
            print("--  skipped: there are no namespaces in which a program finds Microsoft's names")
            return None
        return subprocess.run([str(self.build / "entra-emulator"), "run", "--as-service", "--quiet", "--as", user, "--", *command],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def free_pair(first=None):
    """The first of two ports in a row of which nobody has one, not even as the end of a connection of its own."""
    for port in ([first] if first else []) + [free_port() for _ in range(20)]:
        with socket.socket() as one, socket.socket() as two:
            try:
                one.bind(("127.0.0.1", port))
                two.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                continue
    raise AssertionError("there are no two free ports in a row")


def await_answer(address, process, log, seconds=120):
    deadline = time.monotonic() + seconds
    while True:
        try:
            return requests.get(address, timeout=5)
        except requests.ConnectionError:
            assert process.poll() is None and time.monotonic() < deadline, f"the app does not answer, see {log}"
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
    """Sends an API that wants `ToDoList.Read` every flaw of `entra-emulator probe`."""
    done = subprocess.run(
        [str(bench.build / "entra-emulator"), "probe", address, "--api", API, "--scope", "ToDoList.Read",
         "--control-port", bench.emulator.control.rpartition(":")[2], "--state", str(bench.emulator.folder / "state")],
        capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, f"and refuses every flaw of probe{done.stdout + done.stderr if done.returncode else ''}")
