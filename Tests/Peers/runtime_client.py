# Licensed under the MIT License. See LICENSE.
"""Microsoft's unmodified client runtime with the emulator's broker double: `pymsalruntime`, which MSAL for Python uses on Linux. It
signs in, gets tokens, including a bound one, and signs out. A broker in Python returns each status to it.

Its requests, and its interpretations of statuses, are compared with Tests/Fixtures/MicrosoftRuntime, with which Swift tests compare
this library's requests and statuses.

usage: runtime_client.py BUILD_FOLDER [--write]     --write rewrites the fixture

It needs the bus of a broker as soon as it is imported, and a keyring as soon as it has a token.
"""
import ctypes
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid

from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

from broker import ForeignBroker, session_bus
from broker_clients import Client, bus_address
from harness import CLIENT_ID, TENANT, USER, check, running_emulator
from keyring import Keyring

FIXTURE = pathlib.Path(__file__).resolve().parents[1] / "Fixtures" / "MicrosoftRuntime" / "pymsalruntime.json"
# There are 22, and two more names in the runtime.
STATUSES = range(24)
INTERFACE = "com.microsoft.identity.Broker1"
SCOPES = ["User.Read"]


def missing():
    """The reason why the runtime cannot run here; `None` if it can."""
    try:
        importlib.metadata.version("pymsalruntime")
        ctypes.CDLL("libwebkit2gtk-4.1.so.0")
    except (importlib.metadata.PackageNotFoundError, OSError) as error:
        return str(error)
    return None if shutil.which("gnome-keyring-daemon") else "gnome-keyring-daemon is not installed"


class Monitor:
    """The requests that programs send to the broker of a bus: pairs of a method and a request."""

    # A method that the runtime does not call. A call to it marks the end.
    END = "getLinuxBrokerVersion"

    def __init__(self, address):
        self.calls, self.ended = [], threading.Event()
        self.connection = open_dbus_connection(bus=address)
        bus = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus.Monitoring")
        rule = f"type='method_call',interface='{INTERFACE}'"
        reply = self.connection.send_and_get_reply(new_method_call(bus, "BecomeMonitor", "asu", ([rule], 0)))
        assert reply.header.message_type == MessageType.method_return, reply.body
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                message = self.connection.receive()
            except (OSError, EOFError):
                return
            method = message.header.fields.get(HeaderFields.member)
            if method == self.END:
                return self.ended.set()
            if message.header.fields.get(HeaderFields.interface) == INTERFACE:
                self.calls.append((method, json.loads(message.body[2])))


def client():
    """The app: it runs in a separate process on the bus, and writes its results."""
    import msal
    import pymsalruntime

    app = msal.PublicClientApplication(CLIENT_ID, authority=os.environ["AUTHORITY"], instance_discovery=False,
                                       enable_broker_on_linux=True)
    results = {"before": len(app.get_accounts())}
    results["signed in"] = app.acquire_token_interactive(SCOPES, parent_window_handle=app.CONSOLE_WINDOW_HANDLE)
    account, = app.get_accounts()
    results["account"] = account["username"]
    results["silent"] = app.acquire_token_silent(SCOPES, account=account, force_refresh=True)
    # MSAL for Python has no interactive request for an account and, on Linux, none for a bound token. The runtime has both.
    known = wait(pymsalruntime.read_account_by_id, account["local_account_id"], str(uuid.uuid4())).get_account()
    again = wait(pymsalruntime.acquire_token_interactively, 1, parameters(), str(uuid.uuid4()), known)
    results["again"] = {"access_token": again.get_access_token()}
    wish = parameters()
    wish.set_pop_params("GET", "graph.microsoft.com", "/v1.0/me", "n")
    bound = wait(pymsalruntime.acquire_token_silently, wish, str(uuid.uuid4()), known)
    error = bound.get_error()
    results["bound"] = {"error_description": error.get_context()} if error else {"header": bound.get_authorization_header()}
    app.remove_account(account)
    results["after"] = len(app.get_accounts())
    json.dump(results, sys.stdout, default=str)


def told():
    """The runtime's interpretation of each status, also in a separate process."""
    import pymsalruntime

    results = [wait(pymsalruntime.signin_silently, parameters(), str(uuid.uuid4())) for _ in STATUSES]
    json.dump([result.get_error().get_status().name.removeprefix("Status_") for result in results], sys.stdout)


def parameters():
    import pymsalruntime

    found = pymsalruntime.MSALRuntimeAuthParameters(CLIENT_ID, os.environ["AUTHORITY"])
    found.set_requested_scopes(SCOPES)
    found.set_redirect_uri("https://login.microsoftonline.com/common/oauth2/nativeclient")
    return found


def wait(function, *arguments):
    import pymsalruntime

    data = pymsalruntime.CallbackData()
    function(*arguments, data.complete)
    assert data.signal.wait(60), f"{function.__name__} does not end"
    return data.result


def members(value, path=""):
    """The paths in a request, each with the type of value. The members of an account are the broker's business."""
    name = path.rpartition(".")[2]
    if name == "account" and isinstance(value, dict):
        return {path: "account"}
    if name == "additionalQueryParametersForAuthorization":
        assert all(isinstance(text, str) for text in value.values())
        return {path: "object of texts"}
    if isinstance(value, dict):
        return {place: kind for key in sorted(value) for place, kind in members(value[key], f"{path}.{key}" if path else key).items()}
    if isinstance(value, list):
        assert all(isinstance(text, str) for text in value)
        return {path: "array of texts"}
    # Numbers and flags are defined by the interface; texts come from the app and the user.
    return {path: "text" if isinstance(value, str) else json.dumps(value)}


def name(method, request):
    """The purpose of a call."""
    parameters = request.get("authParameters", {})
    if method == "acquireTokenSilently":
        return "bound token" if parameters["popParams"] else "silent token"
    if method == "acquireTokenInteractively":
        return "interactive token of an account" if parameters["account"] else "sign-in"
    return method


def requests_of(calls):
    found = {}
    for method, request in calls:
        entry = {"method": method, "members": members(request)}
        check(found.setdefault(name(method, request), entry) == entry, f"{name(method, request)}: each request has the same members")
    return found


def run(build):
    """The calls of a session, and the app's results."""
    with running_emulator(build, command=["broker", "--signed-in", USER, "--proof-of-possession"]) as emulator, \
            tempfile.TemporaryDirectory() as home:
        address = bus_address(emulator)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "DBUS_SESSION_BUS_ADDRESS": address,
                       "XDG_RUNTIME_DIR": home, "REQUESTS_CA_BUNDLE": emulator.ca_file, "AUTHORITY": f"{emulator.base}/{TENANT}"}
        keyring, monitor = Keyring(environment), Monitor(address)
        keyring.start(password="for the test")
        try:
            results = process("client", environment)
        finally:
            keyring.stop()
        Client(address, emulator).version()
        assert monitor.ended.wait(30), "the bus no longer reports calls"
        return monitor.calls, results


def statuses():
    with tempfile.TemporaryDirectory() as folder, session_bus(folder) as address, ForeignBroker(address, "current", "count"):
        names = process("told", {"PATH": os.environ["PATH"], "HOME": folder, "DBUS_SESSION_BUS_ADDRESS": address,
                                 "AUTHORITY": "https://login.microsoftonline.com/common"})
    return {str(status): name for status, name in zip(STATUSES, names)}


def process(part, environment):
    """The result of a part of this file that runs with the runtime, on the bus of these variables."""
    done = subprocess.run([sys.executable, __file__, part], env=environment, text=True, capture_output=True, timeout=300, check=False)
    if done.returncode != 0:
        raise SystemExit(f"FAILED: Microsoft's runtime ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    calls, results = run(build)
    check(results["before"] == 0 and results["account"] == USER, "MSAL for Python signs in through the double")
    for step in ("signed in", "silent", "again"):
        check(results[step].get("access_token"), f"{step}: a token {results[step].get('error_description', '')}")
    check(results["silent"]["token_source"] == "broker", "silent: the token is the broker's")
    check(results["bound"].get("header", "").startswith("pop "), f"bound: a signed request {results['bound'].get('error_description', '')}")
    check(results["after"] == 0 and "removeAccount" not in [method for method, _ in calls],
          "a sign-out removes the account, without a call")
    version = importlib.metadata.version("pymsalruntime")
    seen = {"client": f"pymsalruntime {version} with MSAL for Python {importlib.metadata.version('msal')}",
            "requests": dict(sorted(requests_of(calls).items())), "statuses": statuses()}
    if "--write" in sys.argv:
        FIXTURE.parent.mkdir(exist_ok=True)
        FIXTURE.write_text(json.dumps(seen, indent=2) + "\n")
    fixture = json.loads(FIXTURE.read_text())
    check(seen["requests"] == fixture["requests"], f"{version} sends the requests of the fixture")
    check(seen["statuses"] == fixture["statuses"], f"{version} interprets each status as in the fixture")
    print("Microsoft's client runtime passes")


if __name__ == "__main__":
    {"client": client, "told": told}.get(sys.argv[1], main)()
