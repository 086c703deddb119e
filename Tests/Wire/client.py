# Licensed under the MIT License. See LICENSE.
"""A client of a running emulator that shares no code with the project's libraries, and the values that rows compare."""

import base64
import hashlib
import json
import re
import secrets
import urllib.parse

import requests
from pytest_entra_emulator import Emulator
from pytest_entra_emulator.browser import SignInFailed

# Two public clients, a confidential client with its secret, three APIs, and the Azure CLI.
PUB, PUB2 = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000005"
WEB, SEC = "00000000-0000-4000-8000-000000000010", "Emulator-secret-1"
A1, A2, A3 = (f"00000000-0000-4000-8000-0000000000a{number}" for number in (1, 2, 3))
CLI, ARM = "04b07795-8ddb-461a-bbee-02f9e1bf7b46", "https://management.azure.com"
# Microsoft Graph.
G, GID = "https://graph.microsoft.com/", "00000003-0000-0000-c000-000000000000"
# Tenants and users.
T, TID, T2 = "contoso.example", "11111111-1111-1111-1111-111111111111", "fabrikam.example"
MEGAN, ALEX = "megan@contoso.example", "alex@contoso.example"
GUEST, DANA = "guest@fabrikam.example", "dana@personal.example"
NOWHERE = "https://does-not-exist.example"
CP1 = json.dumps({"access_token": {"xms_cc": {"values": ["cp1"]}}})
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class Client:
    """An emulator, and a client that sends requests to it. Parameters that are `None` are left out."""

    def __init__(self, program):
        self.program = str(program)
        self.kit = Emulator(self.program, ["--mutual-tls-port", "0", "--issuers"])
        self.session = requests.Session()
        self.session.trust_env, self.session.verify = False, self.kit.ca_file
        self.base, self.control = self.kit.base_url, self.kit.control

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kit.stop()

    def get(self, path, **more):
        url = path if path.startswith("http") else self.base + path
        return self.session.get(url, allow_redirects=False, timeout=30, **more)

    def post(self, path, data=None, **more):
        return self.session.post(self.base + path, data=data, allow_redirects=False, timeout=30, **more)

    def tok(self, data, t=T, v="v2.0/", **more):
        """A token request."""
        form = {name: value for name, value in data.items() if value is not None}
        return self.post(f"/{t}/oauth2/{v}token", form, **more)

    def cc(self, t=T, v="v2.0/", headers=None, **change):
        """A token request of the confidential client for itself."""
        form = dict(grant_type="client_credentials", client_id=WEB, client_secret=SEC)
        form.update({} if "resource" in change else {"scope": G + ".default"})
        form.update(change)
        return self.tok(form, t, v, headers=headers)

    def query(self, client=PUB, redirect="http://localhost", scope="openid profile offline_access User.Read", **q):
        """The parameters of an authorization request. The verifier is kept for `redeem`."""
        self.verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(self.verifier.encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        parameters = dict(
            client_id=client,
            response_type="code",
            redirect_uri=redirect,
            scope=scope,
            state="st",
            code_challenge=challenge,
            code_challenge_method="S256",
        )
        parameters.update(q)
        return {name: value for name, value in parameters.items() if value is not None}

    def url(self, t=T, v="v2.0/", **q):
        return f"{self.base}/{t}/oauth2/{v}authorize?" + urllib.parse.urlencode(self.query(**q))

    def sign_in(self, user=MEGAN, t=T, v="v2.0/", browser=None, consent=True, **q):
        """The parameters that the app receives, or `{"page": text}` if the pages lead nowhere."""
        try:
            return (browser or self.kit.browser(user, consent=consent)).sign_in(self.url(t, v, **q))
        except SignInFailed as failure:
            return {"page": str(failure)}

    def redeem(
        self,
        got,
        client=PUB,
        secret=None,
        redirect="http://localhost",
        t=T,
        v="v2.0/",
        verifier=None,
        headers=None,
        **more,
    ):
        form = dict(
            grant_type="authorization_code",
            client_id=client,
            code=got.get("code"),
            redirect_uri=redirect,
            code_verifier=verifier or self.verifier,
            client_secret=secret,
        )
        form.update(more)
        return self.tok(form, t, v, headers=headers)

    def tokens(self, client=PUB, secret=None, redirect="http://localhost", t=T, v="v2.0/", more=None, **q):
        """The tokens of a sign-in. `more` are parameters of the token request."""
        got = self.sign_in(client=client, redirect=redirect, t=t, v=v, **q)
        if "code" not in got:
            raise Exception("no code: " + said(got))
        response = self.redeem(got, client, secret, redirect, t, v, **(more or {}))
        if not response.ok:
            raise Exception("no tokens: " + said(response))
        return response.json()

    def refresh(self, token, client=PUB, t=T, v="v2.0/", headers=None, **more):
        form = dict(grant_type="refresh_token", client_id=client, refresh_token=token, **more)
        return self.tok(form, t, v, headers=headers)

    def graph(self, path, method="GET", token=None, body=None, user=ALEX, **headers):
        token = token or self.kit.access_token(
            user,
            api="https://graph.microsoft.com",
            scopes=[
                "User.ReadWrite.All",
                "Directory.ReadWrite.All",
                "Group.ReadWrite.All",
                "Application.ReadWrite.All",
                "AuditLog.Read.All",
            ],
        )
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.session.request(
            method,
            f"{self.base}/v1.0/{path}",
            headers={"Authorization": "Bearer " + token, **fields},
            json=body,
            timeout=30,
        )

    def register(self, app, graph, control=None, kind="applications"):
        """Sets members of a registration: through Microsoft Graph, or else with the control API's names."""
        if self.graph(f"applications(appId='{app}')", "PATCH", body=graph).ok:
            kept = self.graph(f"applications(appId='{app}')").json()
            if all(holds(kept.get(name), value) for name, value in graph.items()):
                return
        try:
            self.control.change(kind, app, **(control or graph))
        except Exception as problem:
            raise Exception(f"cannot be set: {str(problem)[:160]}") from None

    def device(self, v="v2.0/", **more):
        return self.post(f"/{T}/oauth2/{v}devicecode", {"client_id": PUB, **more})

    def poll(self, code, v="v2.0/", t=T):
        key = {"device_code": code} if v else {"code": code, "device_code": code}
        return self.tok(dict(grant_type=DEVICE_GRANT, client_id=PUB, **key), t, v)


def optional(wire, name, app=PUB, properties=(), kind="applications", where="idToken"):
    """Makes a registration request an optional claim."""
    claim = {"name": name, **({"additionalProperties": list(properties)} if properties else {})}
    wire.register(app, {"optionalClaims": {where: [claim]}}, {"optionalClaims": [name]}, kind)


def holds(kept, wanted):
    """Whether a value that was read back contains the one that was set."""
    if isinstance(wanted, dict):
        return isinstance(kept, dict) and all(holds(kept.get(name), value) for name, value in wanted.items())
    if isinstance(wanted, list):
        return isinstance(kept, list) and all(any(holds(own, value) for own in kept) for value in wanted)
    return kept == wanted


def jwt(token, part=1):
    """The claims of a token, or its header with `part=0`."""
    text = token.split(".")[part]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def body(response):
    try:
        return response.json()
    except ValueError:
        return {}


def told(response):
    """The status, error, and numbers in a response of the token endpoint."""
    members = body(response)
    return [response.status_code, members.get("error"), members.get("error_codes")]


def said(x):
    """A response or redirect in short: `code`, `tokens`, or the error with its AADSTS number."""
    members = x if isinstance(x, dict) else body(x) or {"page": x.text}
    for key in ("code", "access_token", "id_token", "device_code"):
        if key in members:
            return {"access_token": "tokens", "device_code": "code"}.get(key, key)
    number = re.search(r"AADSTS\d+", members.get("error_description", "") or members.get("page", "") or "")
    if "error" in members or number:
        return " ".join(x for x in (members.get("error", "page"), number and number[0]) if x)
    return "page " + re.sub(r"\s+", " ", str(members))[:120]


def text(response):
    """`error_description` without the IDs and the time."""
    return re.split(r"\s*Trace ID: ", body(response).get("error_description", ""))[0].strip()


def located(response):
    """The parameters in the address of a redirect."""
    url = urllib.parse.urlsplit(response.headers.get("location", ""))
    return dict(urllib.parse.parse_qsl(url.fragment or url.query)) if url.scheme else {"page": response.text}


def aud(x):
    """The audience of the access token in a response, or its error."""
    members = x if isinstance(x, dict) else body(x)
    return jwt(members["access_token"])["aud"] if "access_token" in members else said(x)
