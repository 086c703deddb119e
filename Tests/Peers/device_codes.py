# Licensed under the MIT License. See LICENSE.
"""Device codes with the emulator: MSAL Python and this repository's command use them, and their requests are compared.

`DIFFERENCES` lists the expected differences with their reasons. Any other difference fails the test, and so does an entry that is
no longer true."""
import collections
import json
import os
import re
import subprocess
import time
import warnings

import requests

from harness import CLIENT_ID, TENANT, USER, check

# A field that only one client sends is `None` for the other.
Difference = collections.namedtuple("Difference", "ours theirs why")

_EVERYWHERE = {
    "header client-request-id": Difference(
        "a GUID in upper case", "a GUID in lower case", "as MSAL for iOS; the service ignores case"),
    "header return-client-request-id": Difference(
        "true", None, "MSAL for iOS requests the ID in the response, to include it in errors"),
    "header x-app-name": Difference("msal.cli", None, "the command has a name; the app of this test sets none"),
    "header x-app-ver": Difference("a version", None, "the same"),
    "header x-client-cpu": Difference("64", None, "MSAL for iOS sends it"),
    "header x-client-os": Difference("a system and its release", "linux", "MSAL for iOS sends the release, too"),
    "header x-client-sku": Difference("MSAL.Swift", "MSAL.Python", "each names its library"),
}
DIFFERENCES = {
    **{f"devicecode {name}": difference for name, difference in _EVERYWHERE.items()},
    **{f"token {name}": difference for name, difference in _EVERYWHERE.items()},
    "devicecode header accept": Difference(
        "application/json", "*/*", "both endpoints return JSON; MSAL Python requests it from one of them"),
    "devicecode header x-client-current-telemetry": Difference(
        "4|167,0|", None, "this library counts the request for the code as part of the call"),
    "devicecode header x-client-last-telemetry": Difference("4|0|||", None, "the same"),
    "token header x-client-current-telemetry": Difference(
        "4|167,0|", "4|622,0|", "each library numbers its API calls differently"),
    "token form code": Difference(
        None, "‹redacted›", "MSAL Python repeats the device code for a service of 2018; RFC 8628 §3.4 has only one parameter"),
    "token form scope": Difference(
        "User.Read offline_access openid profile", None,
        "this library sends scopes with every grant; RFC 8628 §3.4 neither requires nor forbids them"),
}

# Headers that every library adds.
TRANSPORT = {"accept-encoding", "connection", "content-length", "host"}
# Values of which only the format can be compared.
FORMS = {
    "a GUID in upper case": r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}",
    "a GUID in lower case": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "a version": r"[0-9]+(\.[0-9]+)+\S*",
    "a program and its version": r"[A-Za-z-]+/[0-9]+(\.[0-9]+)+\S*",
    "a system and its release": r"Linux [0-9]\S*",
}


def type_code(emulator, browser, code):
    """Types the code on the service's page, and signs in there."""
    done = subprocess.run([browser, f"{emulator.base}/devicelogin?otc={code}"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, f"a browser elsewhere accepts the code {done.stderr}")


def msal_python(emulator, browser):
    import msal

    app = msal.PublicClientApplication(
        CLIENT_ID, authority=f"{emulator.base}/{TENANT}", instance_discovery=False, verify=emulator.ca_file)
    flow = app.initiate_device_flow(["User.Read"])
    check("user_code" in flow, f"MSAL Python gets a device code {flow.get('error_description', '')}")

    def ask():
        with warnings.catch_warnings(action="ignore"):  # It warns about polling too soon, which this test does.
            return app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True)

    check(ask()["error"] == "authorization_pending", "its first poll comes before the user signs in")
    check(ask()["error"] == "slow_down" and flow["interval"] == 10, "its second poll comes too soon, and it slows down")
    type_code(emulator, browser, flow["user_code"])
    emulator.advance(flow["interval"])
    result = ask()
    check("access_token" in result, f"its third poll returns the tokens {result.get('error_description', '')}")
    check(result["id_token_claims"]["preferred_username"] == USER and "refresh_token" in result, "the tokens are those of the user who typed the code")
    check(ask()["error"] == "bad_verification_code", "a used code is rejected")
    flow = app.initiate_device_flow(["User.Read"])
    emulator.advance(flow["expires_in"] + 1)
    check(ask()["error"] == "expired_token", "an expired code is rejected")


def command(build, emulator, browser):
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(emulator.folder), "MSAL_STORE_DIR": str(emulator.folder / "store"),
        "MSAL_STORE_KEY": "key-file", "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_CA_FILE": emulator.ca_file,
        "MSAL_AUTHORITY": f"{emulator.base}/{TENANT}",
    }
    with subprocess.Popen([str(build / "msal"), "login", "--use-device-code", "-o", "json"], env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as login:
        try:
            code = next(line.strip() for line in login.stderr if re.fullmatch(r"\s+[A-Z0-9]{9}\s+", line))
            while not any(request["path"].endswith("/token") for request in emulator.journal()):
                assert login.poll() is None, "msal login does not wait for the user"
                time.sleep(0.2)
            type_code(emulator, browser, code)
            output, errors = login.communicate(timeout=60)
        finally:
            login.kill()
    check(login.returncode == 0, f"msal login signs in with a device code {errors}")
    check(json.loads(output)["account"]["username"] == USER, "the account is that of the user who typed the code")


def form_of(value):
    """The value, or its format if it differs each time."""
    return next((name for name, pattern in FORMS.items() if re.fullmatch(pattern, value)), value)


def fields(request):
    """The relevant parts of a request, by field name."""
    whole = {f"form {name}": value for name, value in request["form"].items()}
    if scope := whole.get("form scope"):
        whole["form scope"] = " ".join(sorted(scope.split()))
    headers = {f"header {name.lower()}": form_of(value) for name, value in request["headers"].items()
               if name.lower() not in TRANSPORT}
    return {"method": request["method"], **{f"query {name}": "" for name in request["query"]}, **whole, **headers}


def sent(requests_made, endpoint):
    """What a client sends to an endpoint: the same each time, except for the telemetry, which counts requests."""
    found = [fields(request) for request in requests_made if request["path"].endswith(f"/{endpoint}")]
    assert len(found) > (endpoint == "token"), f"{len(found)} requests went to /{endpoint}"
    assert all(other.keys() == found[0].keys() for other in found), f"two requests to /{endpoint} have different fields"
    return found[0]


def compare(ours, theirs):
    """Compares the differences between the two clients with the list."""
    found = {}
    for endpoint in ("devicecode", "token"):
        mine, other = sent(ours, endpoint), sent(theirs, endpoint)
        for name in sorted({**mine, **other}):
            if mine.get(name) != other.get(name):
                found[f"{endpoint} {name}"] = mine.get(name), other.get(name)
    written = {name: (difference.ours, difference.theirs) for name, difference in DIFFERENCES.items()}
    wrong = [f"\n  {name}: found {found.get(name, 'no difference')}, listed {written.get(name, 'nothing')}"
             for name in sorted({**found, **written}) if found.get(name) != written.get(name)]
    check(not wrong, f"the two clients' requests differ only in the {len(written)} listed points{''.join(wrong)}")


def sign_in(build, emulator, browser):
    """Runs both clients, and compares them."""
    emulator.reset()
    command(build, emulator, browser)
    ours = emulator.journal()
    emulator.reset()
    msal_python(emulator, browser)
    theirs = emulator.journal()
    emulator.reset()
    compare(ours, theirs)
