# Licensed under the MIT License. See LICENSE.
"""Two APIs of Examples/ run with one emulator: Orders calls Stock as its user. They are called by a daemon, by a web page and
by a user of `msal`, while keys are rotated, sign-ins are revoked, and the emulator is down.

usage: apis.py BUILD_FOLDER
"""
import base64
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import warnings

import msal
import requests

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Clients"))

from harness import PASSWORD, TENANT, USER, Emulator, browser_command, check, free_port  # noqa: E402
from person import Person  # noqa: E402

USER_ID = "99999999-0000-4000-8000-00000000000a"
ORDERS, STOCK, DAEMON, PAGE, COMMAND = (f"99999999-0000-4000-8000-0000000000c{number}" for number in range(5))
SECRET = "Emulator-secret-1"
ORDERS_READ = f"api://{ORDERS}/Orders.Read"
REDIRECT = "http://localhost/auth"
# The capability of a client that can handle claims challenges.
CAPABLE = '{"access_token":{"xms_cc":{"values":["cp1"]}}}'

DIRECTORY = {
    "tenants": [{"id": TENANT, "domain": "contoso.example", "displayName": "Contoso"}],
    "users": [{"id": USER_ID, "userPrincipalName": USER, "displayName": "Megan Bowen", "password": PASSWORD}],
    "applications": [
        {"clientId": ORDERS, "displayName": "Orders", "type": "api", "secrets": [SECRET],
         "grantedScopes": {f"api://{STOCK}": ["*"]}, "grantedRoles": {f"api://{STOCK}": ["Stock.Read.All"]}},
        {"clientId": DAEMON, "displayName": "Nightly report", "type": "api", "secrets": [SECRET],
         "grantedRoles": {f"api://{ORDERS}": ["Orders.Read.All"]}},
        {"clientId": PAGE, "displayName": "Order page", "type": "web", "secrets": [SECRET], "redirectUris": [REDIRECT]},
        {"clientId": COMMAND, "displayName": "msal", "type": "public", "redirectUris": ["http://localhost"]},
    ],
    "apis": [
        {"clientId": ORDERS, "displayName": "Orders", "identifierUris": [f"api://{ORDERS}"],
         "scopes": ["Orders.Read", "Orders.Write"], "appRoles": ["Orders.Read.All"], "accessTokenAcceptedVersion": 2,
         "optionalClaims": ["idtyp", "xms_cc"]},
        # One of the two gets tokens of version 1.0, like an API with a default registration.
        {"clientId": STOCK, "displayName": "Stock", "identifierUris": [f"api://{STOCK}"], "scopes": ["Stock.Read"],
         "appRoles": ["Stock.Read.All"]},
    ],
}


class Site:
    """The emulator, the two APIs, and the user's `msal`."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        (folder / "directory.json").write_text(json.dumps(DIRECTORY))
        self.port, self.emulator = None, None
        self.start()
        self.orders, self.stock = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
        self.browser = browser_command(folder, "browser", sys.executable, HERE.parent / "Clients" / "person.py", USER, PASSWORD)
        self.environment = {
            **os.environ, "REQUESTS_CA_BUNDLE": self.emulator.ca_file, "BROWSER": str(self.browser),
            "MSAL_CA_FILE": self.emulator.ca_file, "MSAL_STORE_DIR": str(folder / "store"), "MSAL_STORE_KEY": "key-file",
            "MSAL_CLIENT_ID": COMMAND, "MSAL_AUTHORITY": self.authority, "XDG_CONFIG_HOME": str(folder / "config"),
            "DAEMON_SECRET": SECRET, "DISPLAY": ":0",
        }

    @property
    def authority(self):
        return f"{self.emulator.base}/{TENANT}"

    def start(self):
        """Starts the emulator; the second time at the same address and with the same state."""
        self.emulator = Emulator(self.build, self.folder, self.port, ["--seed", self.folder / "directory.json"])
        self.emulator.wait()
        self.port = self.emulator.port

    def api_environment(self, program, address, **variables):
        prefix = program.removesuffix("API").upper()
        return {**os.environ, f"{prefix}_TENANT_ID": TENANT, f"{prefix}_PORT": address.rpartition(":")[2],
                f"{prefix}_AUTHORITY_HOST": self.emulator.base.removeprefix("https://"),
                f"{prefix}_CA_FILE": self.emulator.ca_file, **variables}

    @contextlib.contextmanager
    def api(self, program, address, **variables):
        log = self.folder / f"{program}.log"
        with open(log, "wb") as output:
            process = subprocess.Popen([str(self.build / program)], stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT, env=self.api_environment(program, address, **variables))
        try:
            deadline = time.monotonic() + 30
            while True:
                try:
                    assert requests.get(f"{address}/health", timeout=5).status_code == 200
                    break
                except requests.ConnectionError:
                    if process.poll() is not None or time.monotonic() > deadline:
                        raise SystemExit(f"FAILED: {program} does not respond:\n{log.read_text(errors='replace')[-2000:]}")
                    time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait(timeout=10)

    def msal(self, *arguments, status=0):
        done = subprocess.run([str(self.build / "msal"), *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)
        check_quietly(done.returncode == status, f"msal {' '.join(arguments[:1])} ends with {done.returncode}: {done.stderr}")
        return done.stdout.strip()

    def user_token(self, *arguments):
        return self.msal("token", "--scope", ORDERS_READ, "--output", "raw", *arguments)

    def daemon_token(self):
        return self.msal("token", "--client", DAEMON, "--tenant", TENANT, "--client-secret-env", "DAEMON_SECRET",
                         "--scope", f"api://{ORDERS}/.default", "--output", "raw")

    def page_token(self):
        """MSAL for Python in a web page's server, and a person at its browser."""
        with trusting(self.emulator.ca_file):
            warnings.filterwarnings("ignore", message="response_mode")
            page = msal.ConfidentialClientApplication(PAGE, SECRET, self.authority, instance_discovery=False)
            flow = page.initiate_auth_code_flow([ORDERS_READ], redirect_uri=REDIRECT)
            answer = Person(self.emulator.ca_file, USER, PASSWORD).open(flow["auth_uri"], REDIRECT)
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.url).query))
            return page.acquire_token_by_auth_code_flow(flow, query)["access_token"]

    def call(self, path, token):
        return requests.get(self.orders + path, headers={"Authorization": f"Bearer {token}"}, timeout=40)


def check_quietly(holds, what):
    if not holds:
        raise SystemExit(f"FAILED: {what}")


@contextlib.contextmanager
def trusting(ca_file):
    before = os.environ.get("REQUESTS_CA_BUNDLE")
    os.environ["REQUESTS_CA_BUNDLE"] = ca_file
    try:
        yield
    finally:
        os.environ.pop("REQUESTS_CA_BUNDLE")
        if before:
            os.environ["REQUESTS_CA_BUNDLE"] = before


def version(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))["ver"]


def shelf(site, token):
    answer = site.call("/orders/stock", token)
    check_quietly(answer.status_code == 200, f"Orders responds with {answer.status_code}: {answer.headers}")
    return answer.json()


def callers(site):
    site.msal("login", "--scope", ORDERS_READ, "--claims", CAPABLE)
    token = site.user_token()
    check(version(token) == "2.0" and site.call("/orders", token).json() == [], "a user of msal reads orders")
    mine = shelf(site, token)
    check((mine["user"], mine["client"], mine["items"]["Bolts"]) == (USER_ID, ORDERS, 1200), "Orders calls Stock as the user")
    asked = exchanges(site)
    check(shelf(site, token) == mine and exchanges(site) == asked, "a second call needs no request to the service")

    daemon = site.daemon_token()
    own = shelf(site, daemon)
    check((own.get("user"), own["client"]) == (None, ORDERS), "for a daemon Orders calls Stock as itself")
    check(site.call("/orders", daemon).status_code == 200, "the daemon reads all orders")

    page = site.page_token()
    check(shelf(site, page)["user"] == USER_ID, "a web page calls as its user")
    for text, status in (("", 400), ("a.b.c", 401), (token[:-6] + "AAAAAA", 401)):
        check_quietly(site.call("/orders/stock", text).status_code == status, f"{status} is expected")
    direct = requests.get(f"{site.stock}/items", headers={"Authorization": f"Bearer {token}"}, timeout=10)
    check(direct.status_code == 401, "Stock rejects a token for Orders")


def exchanges(site):
    return sum("on_behalf_of" in str(entry) for entry in site.emulator.journal())


def rollover(site):
    old = site.user_token()
    site.emulator.steer("POST", "/keys", {"rollover": True})
    new = site.user_token("--refresh")
    check(old.split(".")[0] != new.split(".")[0], "a new key signs")
    check(shelf(site, new)["user"] == shelf(site, old)["user"] == USER_ID, "both APIs accept tokens signed with the old key and with the new one")


def revocation(site):
    token = site.user_token("--refresh")
    site.emulator.steer("POST", "/revoke", {"userPrincipalName": USER})
    refused = site.call("/orders/stock", token)
    challenge = refused.headers.get("WWW-Authenticate", "")
    check(refused.status_code == 401 and 'error="insufficient_claims"' in challenge and "claims=" in challenge,
          "a revoked sign-in: the failure on behalf of the user reaches the caller as a challenge")
    done = subprocess.run([str(site.build / "msal"), "token", "--scope", ORDERS_READ, "--output", "raw", "--claims", challenge],
                          text=True, env=site.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    check(done.returncode != 0 and "msal login" in done.stderr + done.stdout,
          f"msal says that the user has to sign in again {'' if done.returncode else done.stderr[-600:]}".strip())
    site.msal("login", "--scope", ORDERS_READ, "--claims", merged(challenge))
    check(shelf(site, site.user_token())["user"] == USER_ID, "after a new sign-in with the claims the call succeeds")


def merged(challenge):
    """The claims of the challenge, and the capability to handle the next one."""
    claims = json.loads(base64.b64decode(re.search(r'claims="([^"]+)"', challenge)[1]))
    claims.setdefault("access_token", {}).update(json.loads(CAPABLE)["access_token"])
    return json.dumps(claims)


def absence(site):
    served, unserved = site.user_token(), site.user_token("--refresh")
    check_quietly(shelf(site, served)["user"] == USER_ID, "the first token is served")
    site.emulator.stop()
    gone = time.monotonic()
    check(shelf(site, served)["user"] == USER_ID, "while the service is down, cached tokens are used")
    check(site.call("/orders", unserved).status_code == 200, "a new token is validated with the cached keys")
    check(site.call("/orders/stock", unserved).status_code == 502, "a call that needs the service fails, but is not rejected")
    other = subprocess.run(
        [str(site.build / "OrdersAPI")], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        env=site.api_environment("OrdersAPI", f"http://127.0.0.1:{free_port()}", ORDERS_CLIENT_ID=ORDERS))
    check(other.returncode == 1 and "cannot be fetched, so its tokens cannot be checked yet" in other.stderr,
          f"an instance without keys says so, and exits {'' if other.returncode == 1 else other.stderr[-600:]}".strip())
    calls = 0
    while time.monotonic() - gone < 30:
        check_quietly(shelf(site, served)["user"] == USER_ID, "a call as the user succeeds")
        check_quietly(site.call("/orders", unserved).status_code == 200, "a call succeeds")
        calls += 2
        time.sleep(0.1)  # A steady caller, not a flood.
    check(calls > 0, "calls succeed for half a minute")
    site.start()
    # The emulator's second key was lost with its process, and so was the use of its signatures. The APIs still have the first key.
    site.msal("login", "--scope", ORDERS_READ, "--claims", CAPABLE)
    check(shelf(site, site.user_token("--refresh"))["user"] == USER_ID, "the service is back, and the call succeeds")


def silence(site):
    """The APIs' logs contain no secrets."""
    for program in ("OrdersAPI", "StockAPI"):
        text = (site.folder / f"{program}.log").read_text(errors="replace")
        found = [word for word in ("eyJ", SECRET, USER, "Megan") if word in text]
        check(not found, f"the log of {program} has no token, no secret and no name {found or ''}".strip())


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(build, pathlib.Path(folder))
        try:
            # The service publishes a key long before it signs with it.
            site.emulator.steer("POST", "/keys", {"announce": True})
            with site.api("StockAPI", site.stock, STOCK_CLIENT_ID=STOCK), \
                    site.api("OrdersAPI", site.orders, ORDERS_CLIENT_ID=ORDERS, ORDERS_CLIENT_SECRET=SECRET,
                             STOCK_URL=site.stock, STOCK_RESOURCE=f"api://{STOCK}"):
                callers(site)
                rollover(site)
                revocation(site)
                absence(site)
                silence(site)
        except BaseException:
            for log in ("emulator", "OrdersAPI", "StockAPI", "browser"):
                path = site.folder / f"{log}.log"
                print(f"--- {log}\n{path.read_text(errors='replace')[-3000:] if path.exists() else ''}")
            raise
        finally:
            site.emulator.stop()


main()
