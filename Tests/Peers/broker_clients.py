# Licensed under the MIT License. See LICENSE.
"""An independent client of the identity broker's interface, based on a public D-Bus library, calls every method of the emulator's
double in every dialect. It is as strict about the contents of a response as the strictest public client, siemens/sso-mib.

usage: broker_clients.py BUILD_FOLDER
"""
import base64
import json
import pathlib
import re
import sys
import time
import uuid

import requests
from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

from harness import CLIENT_ID, TENANT, USER, check, running_emulator

BROKER = DBusAddress("/com/microsoft/identity/broker1", bus_name="com.microsoft.identity.broker1",
                     interface="com.microsoft.identity.Broker1")
REDIRECT_URI = "https://login.microsoftonline.com/common/oauth2/nativeclient"
OTHER_APP = "Your_Application_Id_Here"
COOKIE = "x-ms-RefreshTokenCredential"


class BusError(Exception):
    """A D-Bus error, with its name."""


class Client:
    """An app on the bus of the broker."""

    def __init__(self, address, emulator, client_id=CLIENT_ID):
        self.connection = open_dbus_connection(bus=address)
        self.address, self.emulator, self.client_id = address, emulator, client_id

    def call(self, address, method, signature=None, body=()):
        reply = self.connection.send_and_get_reply(new_method_call(address, method, signature, body), timeout=60)
        if reply.header.message_type == MessageType.error:
            raise BusError(reply.header.fields[4])  # 4 is ERROR_NAME.
        return reply.body

    def text(self, method, request):
        return self.call(BROKER, method, "sss", ("0.0", str(uuid.uuid4()), json.dumps(request)))[0]

    def ask(self, method, request):
        return json.loads(self.text(method, request))

    def version(self):
        return self.ask("getLinuxBrokerVersion", {"msalCppVersion": "1.0"})["linuxBrokerVersion"]

    def accounts(self):
        found = self.ask("getAccounts", {"clientId": self.client_id, "redirectUri": str(uuid.uuid4())})["accounts"]
        for account in found:
            check_account(account)
        return found

    def token(self, method, account, kind, scopes=("User.Read",), **changes):
        parameters = {
            "account": account, "username": account["username"], "additionalQueryParametersForAuthorization": {},
            "authority": f"{self.emulator.base}/{TENANT}", "authorizationType": kind, "clientId": self.client_id,
            "redirectUri": REDIRECT_URI, "requestedScopes": list(scopes), **changes,
        }
        return self.ask(method, {"authParameters": parameters})["brokerTokenResponse"]

    def silently(self, account, **changes):
        return self.token("acquireTokenSilently", account, 1, **changes)

    def interactively(self, account, **changes):
        return self.token("acquireTokenInteractively", account, 6, **changes)

    def cookie(self, account, url="https://login.microsoftonline.com/"):
        response = self.ask("acquirePrtSsoCookie", {
            "account": account, "mamEnrollment": False, "ssoUrl": url,
            "authParameters": {"account": account, "authority": f"{self.emulator.base}/common", "authorizationType": 8,
                               "clientId": self.client_id, "redirectUri": REDIRECT_URI, "ssoUrl": url,
                               "requestedScopes": ["https://graph.microsoft.com/.default"]},
        })
        return response, response.get("cookieItems", [response])[0]


def check_account(account):
    texts = ("environment", "givenName", "homeAccountId", "localAccountId", "name", "realm", "username")
    missing = [name for name in texts if not isinstance(account.get(name), str)]
    missing += [] if isinstance(account.get("passwordExpiry"), int) else ["passwordExpiry"]
    check(not missing, f"an account has every member that clients need {missing or ''}")


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def check_token(response, emulator, client_id):
    wanted = {"accessToken": str, "accessTokenType": int, "clientInfo": str, "expiresOn": int, "idToken": str,
              "grantedScopes": str}
    wrong = [name for name, kind in wanted.items() if not isinstance(response.get(name), kind)]
    check(not wrong, f"a token response has every member that clients need {wrong or ''} {response.get('error', '')}")
    check(claims(response["idToken"])["aud"] == client_id, "its ID token is for the app")
    check(abs(response["expiresOn"] / 1000 - claims(response["accessToken"])["exp"]) < 2, "its expiry is in milliseconds")
    reply = requests.get(f"{emulator.base}/v1.0/me", headers={"Authorization": f"Bearer {response['accessToken']}"},
                         verify=emulator.ca_file, timeout=10)
    check(reply.ok and reply.json()["userPrincipalName"] == USER, "Graph accepts its access token")


def browser(emulator, cookie):
    """The sign-in page's response to a browser with the cookie."""
    query = {"client_id": CLIENT_ID, "response_type": "code", "redirect_uri": "http://localhost", "scope": "openid User.Read",
             "code_challenge": 43 * "c", "code_challenge_method": "S256"}
    return requests.get(f"{emulator.base}/{TENANT}/oauth2/v2.0/authorize", params=query, headers={COOKIE: cookie},
                        verify=emulator.ca_file, allow_redirects=False, timeout=10)


def refused(client, method, request):
    try:
        client.text(method, request)
    except BusError as error:
        return str(error)
    return ""


def check_dialect(dialect, client, emulator):
    print(f"--- {dialect}")
    check(re.fullmatch(r"\d+\.\d+\.\d+", client.version()), "the version has three numbers")
    account, = client.accounts()
    check(account["username"] == USER, "its account is the device's user")

    error = client.silently(account)["error"]
    if dialect == "himmelblau":
        check(error == {"context": "Failed to authenticate user", "status": 0, "subStatus": 0}, "an error has a text without a number")
        name = refused(client, "acquireTokenInteractively", {"authParameters": {}})
        check(name == "org.freedesktop.DBus.Error.Failed", "its prompt needs an account")
    else:
        check(error["status"] == 2 and "AADSTS65001" in error["context"], "without consent the user is required")
        check((error["diagnostics"] is None) == (dialect == "current"), "only the current broker returns no diagnostics")
    check_token(client.interactively(account), emulator, client.client_id)
    response = client.silently(account)
    check_token(response, emulator, client.client_id)
    check((response["extendedExpiresOn"] < 10 ** 11) == (dialect == "himmelblau"), "the extended expiry has the dialect's unit")
    check(("account" in response) == (dialect != "himmelblau"), "the account is in the response, except for Himmelblau")
    if "account" in response:
        check_account(response["account"])
    again = client.silently(account, accessTokenToRenew=response["accessToken"])
    check(again["accessToken"] != response["accessToken"], "a renewed token is a different one")

    response, item = client.cookie(account)
    check(("cookieItems" in response) == (dialect == "current"), "the cookie is in the dialect's member")
    check(item["cookieName"] == COOKIE, "the cookie has its name")
    check("code=" in browser(emulator, item["cookieContent"]).headers.get("Location", ""), "it signs a browser in")
    check(browser(emulator, "nonsense").status_code == 200, "with another text the usual page is shown")
    _, item = client.cookie(account, "https://login.microsoftonline.com/common?sso_nonce=abc")
    check(claims(item["cookieContent"])["request_nonce"] == "abc", "the nonce of the address is in the cookie")

    other = Client(client.address, emulator, OTHER_APP)
    check_token(other.interactively(other.accounts()[0]), emulator, OTHER_APP)
    proof = {"homeAccountId": account["homeAccountId"], "httpMethod": "GET", "uriHost": "h", "uriPath": "/", "nonce": "n"}
    for method, request in [("generateSignedHttpRequest", {"clientId": CLIENT_ID, "popParams": proof}),
                            ("cancelInteractiveFlow", {}), ("removeAccount", {"clientId": CLIENT_ID, "account": account})]:
        words = client.ask(method, request).get("error", {}).get("context")
        check((words == "Not implemented") == (dialect == "himmelblau"), f"{method} is implemented, except by Himmelblau")
    check(len(client.accounts()) == (1 if dialect == "himmelblau" else 0), "a removed account is no longer listed")
    check(len(other.accounts()) == 1, "another app still has the account")

    introspection = DBusAddress(BROKER.object_path, BROKER.bus_name, "org.freedesktop.DBus.Introspectable")
    try:
        described = "acquirePrtSsoCookie" in client.call(introspection, "Introspect")[0]
    except BusError:
        described = False
    check(described == (dialect != "current"), "the current Microsoft broker does not support introspection, the others do")
    try:
        client.call(BROKER, "signOut", "sss", ("0.0", "", "{}"))
        raise SystemExit("FAILED: an unknown method responds")
    except BusError as error:
        check(str(error).endswith("UnknownMethod"), "an unknown method is rejected")


def bus_address(emulator, seconds=30):
    deadline = time.monotonic() + seconds
    while not (found := re.search(r"^export DBUS_SESSION_BUS_ADDRESS='(.+)'$", pathlib.Path(emulator.log.name).read_text(), re.M)):
        assert time.monotonic() < deadline and emulator.process.poll() is None, f"there is no bus:\n{emulator.output()}"
        time.sleep(0.05)
    return found[1]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for dialect in ("early", "current", "himmelblau"):
        with running_emulator(build, command=["broker", "--dialect", dialect, "--signed-in", USER]) as emulator:
            client = Client(bus_address(emulator), emulator)
            check_dialect(dialect, client, emulator)
            socket = pathlib.Path(re.search(r"path=([^,]+)", client.address)[1])
        deadline = time.monotonic() + 10
        while socket.exists():
            assert time.monotonic() < deadline, "the folder of the bus still exists"
            time.sleep(0.05)
        check(True, "the bus ended with the emulator")
    print("the emulator's broker satisfies a foreign client")


if __name__ == "__main__":
    main()
