# Licensed under the MIT License. See LICENSE.
"""The service according to the recordings: Entra ID and its sovereign clouds, Azure AD B2C, External ID and AD FS, each with
its host. A case changes one aspect and leaves the rest unchanged."""
import base64
import collections
import hashlib
import json
import time
import urllib.parse

import made
from tokens import SigningKey, encoded
from wire import Answer, as_json, page, redirect

PERSONAL_TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad"
OIDC_SCOPES = {"openid", "profile", "offline_access", "email"}


class Recordings:
    """Recorded responses of the service, which are kept outside the repository."""

    def __init__(self, folder):
        self.folder = folder

    def __getitem__(self, name):
        return json.loads(self.text(name))

    def text(self, name):
        return (self.folder / f"{name}.json").read_text(encoding="utf-8")

    def filled(self, name, **places):
        """A recording with placeholders such as {HOST} filled in."""
        text = self.text(name)
        for place, value in places.items():
            text = text.replace("{" + place + "}", value)
        return json.loads(text)


class Service:
    """What a case may change: `user`; values that replace members of the ID token's claims, the token response, the metadata and
    the redirect, where `None` removes a member; the keys; and, with `once` and `always`, any response by its role."""

    # Created once, because a key takes a tenth of a second.
    key, app_key = SigningKey("the-tenants-key"), SigningKey("the-apps-own-key")

    def __init__(self, recordings):
        self.recordings = recordings
        self.user = "user-aad"
        self.claims, self.response, self.metadata, self.redirect = {}, {}, {}, {}
        self.signer, self.algorithm = self.key, "RS256"
        self.published = [self.key.jwk()]
        self.requests, self.problems = [], []
        self.access_tokens = {}
        self.queued, self.fixed = collections.defaultdict(list), {}
        self.visits, self.refresh_tokens, self.device_codes = {}, {}, set()

    # For the cases.

    def once(self, role, *answers):
        """The next responses of a role: `Answer`, or a function of the request that returns one."""
        self.queued[role] += answers

    def always(self, role, answer):
        self.fixed[role] = answer

    def seen(self, role):
        return [request for request in self.requests if role_of(request) == role]

    def at(self, host):
        return [request for request in self.requests if request.host == host]

    # The responses.

    def respond(self, request):
        role = role_of(request)
        self.requests.append(request)
        answer = self.queued[role].pop(0) if self.queued[role] else self.fixed.get(role, self.default)
        try:
            return answer if isinstance(answer, Answer) else answer(request)
        except Exception as problem:  # A check inside a response failed; it is reported when the case ends.
            self.problems.append(problem)
            return page("The case failed", 500)

    def default(self, request):
        """The service's response."""
        return getattr(self, f"on_{role_of(request)}")(request)

    def on_instance(self, request):
        known = self.recordings["instance-discovery"]
        host = urllib.parse.urlsplit(request.query["authorization_endpoint"]).hostname
        if any(host in cloud["aliases"] for cloud in known["metadata"]):
            return as_json(known)
        return as_json(self.recordings["instance-discovery-unknown"], 400)

    def on_metadata(self, request):
        if "/x/" in request.path:
            return as_json(self.recordings["tenant-not-found"], 400)
        document = self.document(request.host, request.path.partition("/v2.0/.well-known/")[0].strip("/"))
        if app := request.query.get("appid"):
            document["jwks_uri"] += f"?appid={app}"
        return as_json({name: value for name, value in {**document, **self.metadata}.items() if value is not None})

    def document(self, host, path):
        tenant = self.recordings[self.user]["id_token"].get("tid", "ba6c0d94-a8da-45b2-83ae-33871f9c2dd8")
        if host == "fs.contoso.com":
            return self.recordings["openid-configuration-adfs"]
        if host.endswith(".b2clogin.com") or path.startswith("tfp/"):
            return self.recordings.filled("openid-configuration-b2c", HOST=host, PATH=path, GUID=tenant)
        if host.endswith(".ciamlogin.com"):
            return self.recordings.filled("openid-configuration-ciam", HOST=host, GUID=tenant)
        named = {"common": "{tenantid}", "organizations": "{tenantid}", "consumers": PERSONAL_TENANT}.get(path, tenant)
        document = self.recordings.filled(
            "openid-configuration-aad", HOST=host, PATH=path, ISSUER=f"https://{host}/{named}/v2.0")
        # Constructed: a recording of the public cloud is used for the others, too.
        document["msgraph_host"] = made.GRAPHS.get(host, document["msgraph_host"])
        return document

    def on_keys(self, request):
        own = [self.app_key.jwk()] if "appid" in request.query else []
        return as_json({"keys": self.published + own})

    def on_authorize(self, request):
        """Signs the user in immediately. Constructed: the pages in between do not concern an app."""
        query = request.query
        if query.get("prompt") == "none":
            return refused(query, "login_required", made.description(50058, "The user is not signed in."))
        code = f"code-{len(self.visits)}-{len(self.requests)}"
        self.visits[code] = request
        members = {"code": code, "state": query.get("state"), "session_state": "6f1a", **self.redirect}
        return returned(query, {name: value for name, value in members.items() if value is not None})

    def on_devicecode(self, request):
        """Returns a code that is typed immediately, unless a case sets other responses of the token endpoint first."""
        code = f"device-code-{len(self.device_codes)}"
        self.device_codes.add(code)
        return as_json(made.device_code(code))

    def on_token(self, request):
        form = request.form
        if form["grant_type"] == "authorization_code":
            visit = self.visits.pop(form["code"], None)
            if visit is None:
                return made.error("invalid_grant", 54005, "OAuth2 Authorization code was already redeemed.")
            if visit.query["redirect_uri"] != form["redirect_uri"]:
                return made.error("invalid_grant", 500112, "The reply address does not match.")
            proof = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
            if visit.query["code_challenge"] != proof:
                return made.error("invalid_grant", 501481, "The Code_Verifier does not match the code_challenge.")
            return as_json(self.tokens(request, visit.query.get("nonce")))
        if form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code":
            if form["device_code"] not in self.device_codes:
                return made.error("bad_verification_code", 70018, "Bad verification code.")
            self.device_codes.remove(form["device_code"])
            return as_json(self.tokens(request, None))
        if form.get("refresh_token") not in self.refresh_tokens:
            return made.error("invalid_grant", 700082, "The refresh token has expired.", suberror="bad_token")
        return as_json(self.tokens(request, None))

    def tokens(self, request, nonce):
        """The recorded response, with new secrets, times and audience."""
        recorded, form, now = self.recordings[self.user], request.form, int(time.time())
        asked = [scope for scope in form.get("scope", "").split() if scope != "offline_access"]
        granted = recorded["token_response"]["scope"]
        if not set(asked) - OIDC_SCOPES <= set(granted.split()):
            granted = " ".join(asked)
        claims = {**recorded["id_token"], "aud": form["client_id"], "iat": now, "nbf": now, "exp": now + 3600}
        claims["iss"] = self.document(request.host, request.path.partition("/oauth2/")[0].strip("/"))["issuer"] \
            .replace("{tenantid}", claims.get("tid", ""))
        claims |= {"nonce": nonce} | self.claims
        number = len(self.access_tokens) + 1
        self.access_tokens[f"access-{number}"] = made.GRAPHS.get(request.host, "graph.microsoft.com")
        self.refresh_tokens[f"refresh-{number}"] = request.host
        claims = {name: value for name, value in claims.items() if value is not None}
        whole = {
            **recorded["token_response"], "scope": granted, "access_token": f"access-{number}",
            "refresh_token": f"refresh-{number}", "client_info": recorded.get("client_info"),
            "id_token": self.signer.sign(claims, self.algorithm),
        }
        if "expires_on" in whole:
            whole |= {"not_before": now, "expires_on": now + 3600}
        return {name: value for name, value in {**whole, **self.response}.items() if value is not None}

    def on_graph(self, request):
        token = request.headers.get("authorization", "").partition(" ")[2]
        if self.access_tokens.get(token) != request.host:
            return made.graph_error(401, "InvalidAuthenticationToken", "Access token validation failure.",
                                    **{"WWW-Authenticate": 'Bearer realm="", error="invalid_token"'})
        return as_json(self.recordings["graph-me"])

    def on_logout(self, request):
        query = request.query
        return redirect(with_parameters(query["post_logout_redirect_uri"], {"state": query["state"]}))

    def on_other(self, _):
        return page("Not found", 404)


def role_of(request):
    """The role of a request, from its address."""
    if request.host in made.GRAPHS.values():
        return "graph"
    # A registry has its own token endpoint.
    if request.host.endswith(".azurecr.io"):
        return "other"
    last = request.path.rstrip("/").rpartition("/")[2]
    if last == "openid-configuration":
        return "metadata"
    known = {"instance", "keys", "authorize", "devicecode", "token", "logout"}
    return last if last in known else "other"


def with_parameters(url, members):
    return f"{url}{'&' if '?' in url else '?'}{urllib.parse.urlencode(members)}"


def returned(query, members):
    """The redirect to the app with these parameters, in the requested response mode."""
    target = query["redirect_uri"]
    if query.get("response_mode") != "form_post":
        return redirect(with_parameters(target, members))
    fields = "".join(f'<input type="hidden" name="{name}" value="{escaped(value)}"/>' for name, value in members.items())
    text = f'<html><body><form method="POST" action="{escaped(target)}">{fields}</form></body></html>'
    return Answer(200, text.encode(), {"Content-Type": "text/html; charset=utf-8"})


def refused(query, name, words, **members):
    """The redirect with an error."""
    return returned(query, {"error": name, "error_description": words, "state": query.get("state", ""), **members})


def escaped(text):
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def client_info(uid, utid):
    return encoded({"uid": uid, "utid": utid})
