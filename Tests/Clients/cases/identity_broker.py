# Licensed under the MIT License. See LICENSE.
"""Clients of an identity broker: MSAL for Python where Microsoft's runtime is available, and the requests of
linux-entra-sso and sso-mib in their formats, with their default client IDs."""
import json
import shutil
import uuid

import runtime_client
import snippets
from bench import Bench, USER, check
from broker_clients import Client, bus_address
from harness import running_emulator
from keyring import Keyring

TITLE = "Clients of an identity broker"
EDGE = "d7b530a4-7680-4c23-a8bf-c52c121d2e87"
NATIVE_CLIENT = "https://login.microsoftonline.com/common/oauth2/nativeclient"
GRAPH = "https://graph.microsoft.com/.default"


def run(bench):
    if not shutil.which("dbus-daemon"):
        print("--  skipped: dbus-daemon is not installed")
        return
    for dialect in ("early", "current", "himmelblau"):
        with running_emulator(bench.build, command=["broker", "--dialect", dialect, "--signed-in", USER]) as emulator:
            broker = Client(bus_address(emulator), emulator, EDGE)
            check(linux_entra_sso(broker).get("accessToken"), f"{dialect}: linux-entra-sso gets a token")
            check(sso_mib(broker).get("accessToken"), f"{dialect}: sso-mib gets a token")
    reason = runtime_client.missing()
    if reason:
        print(f"--  skipped: MSAL for Python with its broker: {reason}")
        return
    with running_emulator(bench.build, command=["broker", "--signed-in", USER]) as emulator:
        folder = bench.folder / "runtime"
        folder.mkdir()
        variables = {"DBUS_SESSION_BUS_ADDRESS": bus_address(emulator), "XDG_RUNTIME_DIR": str(folder)}
        ring = Keyring({**bench.machine, **variables, "HOME": str(folder)})
        ring.start(password="for the test")
        try:
            said = snippets.Shell(Bench(emulator, folder, bench.build)).run(TITLE, "python", **variables)
        finally:
            ring.stop()
        check(said == "broker Megan Bowen", "MSAL for Python is signed in, because the device is")


def parameters(account, **more):
    return {"account": account, "authority": "https://login.microsoftonline.com/common", "authorizationType": 1, "clientId": EDGE,
            "redirectUri": NATIVE_CLIENT, "requestedScopes": [GRAPH], "username": account["username"], **more}


def linux_entra_sso(broker):
    account, = broker.ask("getAccounts", {"clientId": EDGE, "redirectUri": str(uuid.uuid4())})["accounts"]
    request = {"authParameters": parameters(account, additionalQueryParametersForAuthorization={}, uxContextHandle=-1)}
    return broker.ask("acquireTokenSilently", request)["brokerTokenResponse"]


def sso_mib(broker):
    account, = broker.ask("getAccounts", {"clientId": EDGE, "redirectUri": NATIVE_CLIENT})["accounts"]
    return json.loads(broker.text("acquireTokenSilently", {"account": account, "authParameters": parameters(account)}))[
        "brokerTokenResponse"]
