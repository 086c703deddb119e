# Licensed under the MIT License. See LICENSE.
"""MSAL Python: every flow of its public and its confidential client."""
import base64
import json
import re
import urllib.parse
import warnings

import msal

from bench import API, API_ID, CLIENT_ID, GRAPH, OWN_ID, PASSWORD, SERVICE_ID, SERVICE_SECRET, USER, check, claims_of
from certificates import PASSPHRASE, Certificate

READ = ["User.Read"]


def run(bench):
    interactive(bench)
    code_flow(bench)
    device_code(bench)
    authorities(bench)
    daemon(bench)
    web_app(bench)
    certificates(bench)
    refresh_ahead(bench)
    on_behalf_of(bench)
    bound_tokens(bench)
    claims_challenge(bench)
    password(bench)


def public(bench, **options):
    return msal.PublicClientApplication(
        CLIENT_ID, authority=options.pop("authority", bench.authority), instance_discovery=False, **options)


def expect(result, what):
    check("access_token" in result, f"{what} {result.get('error_description', '')}".strip())
    return result


def interactive(bench):
    app = public(bench)
    result = expect(app.acquire_token_interactive(READ, login_hint=USER, timeout=60), "it signs in with a browser")
    check(result["id_token_claims"]["preferred_username"] == USER, "its ID token names the user")
    account, = app.get_accounts()
    cached = app.acquire_token_silent(READ, account=account)
    check(cached["access_token"] == result["access_token"], "a second token comes from its cache")
    fresh = expect(app.acquire_token_silent_with_error(READ, account=account, force_refresh=True), "a refresh returns a token")
    check(bench.me(fresh["access_token"]).json()["userPrincipalName"] == USER, "Graph accepts the new token")
    imported = expect(public(bench).acquire_token_by_refresh_token(result["refresh_token"], READ),
                      "a refresh token of another program is imported")
    check(imported["id_token_claims"]["oid"] == result["id_token_claims"]["oid"], "the imported token is for the same user")
    claims = '{"access_token": {"xms_cc": {"values": ["cp1"]}}}'
    capable = expect(public(bench, client_capabilities=["CP1"]).acquire_token_interactive(
        READ, login_hint=USER, claims_challenge=claims, timeout=60), "it sends capabilities and claims")
    check("CP1" in str(claims_of(capable["access_token"]).get("xms_cc")), "the token repeats the capabilities")


def code_flow(bench):
    app = public(bench)
    for mode in ("query", "form_post"):
        flow = app.initiate_auth_code_flow(READ, redirect_uri="http://localhost:5000", response_mode=mode, login_hint=USER)
        request = bench.person().open(flow["auth_uri"], until="http://localhost:5000")
        response = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query)) or request.data
        expect(app.acquire_token_by_auth_code_flow(flow, response), f"it redeems a code from {mode}")
    again = app.acquire_token_by_auth_code_flow(flow, response)
    check(again["error"] == "invalid_grant" and 54005 in again["error_codes"], "a code is accepted only once")
    flow = app.initiate_auth_code_flow(READ, redirect_uri="http://localhost:5000", prompt="none")
    request = bench.person().open(flow["auth_uri"], until="http://localhost:5000")
    refused = app.acquire_token_by_auth_code_flow(
        flow, dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query)))
    check(refused["error"] == "login_required", "prompt=none without a session is login_required")


def device_code(bench):
    app = public(bench)
    flow = app.initiate_device_flow(READ)
    check("user_code" in flow, f"it gets a device code {flow.get('error_description', '')}".strip())
    bench.type_code(flow["user_code"])
    result = expect(app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True), "it gets the tokens for the device code")
    check(result["id_token_claims"]["preferred_username"] == USER, "the tokens are those of the user who typed the code")


def authorities(bench):
    for name in ("contoso.example", "organizations", "common"):
        app = public(bench, authority=f"{bench.base}/{name}")
        result = expect(app.acquire_token_interactive(READ, login_hint=USER, timeout=60), f"it signs in at /{name}")
        check(len(app.get_accounts()) == 1 and app.acquire_token_silent(READ, account=app.get_accounts()[0]),
              "it finds the token again")
    issuer = msal.PublicClientApplication(CLIENT_ID, oidc_authority=f"{bench.authority}/v2.0", instance_discovery=False)
    expect(issuer.acquire_token_interactive(READ, login_hint=USER, timeout=60), "it accepts the issuer as its authority")


def confidential(bench, credential=SERVICE_SECRET, client_id=SERVICE_ID, **options):
    return msal.ConfidentialClientApplication(
        client_id, client_credential=credential, authority=bench.authority, instance_discovery=False, **options)


def daemon(bench):
    app = confidential(bench)
    result = expect(app.acquire_token_for_client([f"{GRAPH}/.default"]), "a daemon signs in with a secret")
    claims = claims_of(result["access_token"])
    check("scp" not in claims and claims["oid"] == claims["sub"], "its token is app-only")
    check(SERVICE_ID in (claims.get("appid"), claims.get("azp")), "the token names the app")
    check("refresh_token" not in result and "id_token" not in result, "there is no refresh token and no ID token")
    again = app.acquire_token_for_client([f"{GRAPH}/.default"])
    check(again["token_source"] == "cache" and again["access_token"] == result["access_token"], "the next one is from the cache")
    capable = expect(confidential(bench, client_capabilities=["CP1"]).acquire_token_for_client([f"{GRAPH}/.default"]),
                     "it sends its capabilities")
    check("CP1" in str(claims_of(capable["access_token"]).get("xms_cc")), "the token repeats the capabilities")
    wrong = confidential(bench, "wrong").acquire_token_for_client([f"{GRAPH}/.default"])
    check(wrong["error"] == "invalid_client" and 7000215 in wrong["error_codes"], "a wrong secret is AADSTS7000215")
    wrong = app.acquire_token_for_client([f"{GRAPH}/User.Read"])
    check(1002012 in wrong["error_codes"], "a scope without .default is AADSTS1002012")
    wrong = app.acquire_token_for_client(["api://nowhere/.default"])
    check(500011 in wrong["error_codes"], "an unknown resource is AADSTS500011")


def refresh_ahead(bench):
    """`refresh_in`: a token that is still valid is replaced, and remains in use while that fails."""
    with bench.elsewhere("--token-lifetime", 7200) as place:
        result, entry = refreshed(place)
        check(int(entry["refresh_on"]) - int(entry["cached_at"]) == 3600, "a token of two hours has refresh_in, half of its lifetime")
        check(result["access_token"] != entry["secret"], "after that time it is replaced")
        # It raises an error for a 5xx, with or without an old token. Its HTTP client repeats a request once if its connection is closed.
        for fault in ({"refusal": 50196}, {"dropsConnection": True, "count": 2}):
            result, entry = refreshed(
                place, before=lambda: place.emulator.steer("POST", "/faults", {"pathSuffix": "/token", **fault}))
            check(result["access_token"] == entry["secret"], f"while that fails, the old one remains in use: {fault}")


def refreshed(bench, before=lambda: None):
    """The result of an application whose token is due for a refresh, and that token's entry in the cache."""
    scope, cache = [f"{GRAPH}/.default"], msal.SerializableTokenCache()
    expect(confidential(bench, token_cache=cache).acquire_token_for_client(scope), "a token is cached")
    document = json.loads(cache.serialize())
    entry, = document["AccessToken"].values()
    due = {**entry, "refresh_on": str(int(entry["cached_at"]) - 1)}
    document["AccessToken"] = {name: due for name in document["AccessToken"]}
    cache.deserialize(json.dumps(document))
    before()
    return expect(confidential(bench, token_cache=cache).acquire_token_for_client(scope), "the token is requested again"), entry


def web_app(bench):
    app = confidential(bench)
    flow = app.initiate_auth_code_flow(READ, redirect_uri="http://localhost:5000/auth", login_hint=USER)
    request = bench.person().open(flow["auth_uri"], until="http://localhost:5000")
    result = expect(app.acquire_token_by_auth_code_flow(flow, query(request)), "a web app redeems a code")
    account, = app.get_accounts()
    fresh = expect(app.acquire_token_silent_with_error(READ, account=account, force_refresh=True), "it refreshes")
    check(fresh["access_token"] != result["access_token"] and bench.me(fresh["access_token"]).ok, "Graph accepts the refreshed token")
    url = app.get_authorization_request_url(READ, redirect_uri="http://localhost:5000/auth", login_hint=USER)
    code = query(bench.person().open(url, until="http://localhost:5000"))["code"]
    with warnings.catch_warnings(action="ignore"):  # The older pair of functions sends no PKCE.
        expect(app.acquire_token_by_authorization_code(code, READ, redirect_uri="http://localhost:5000/auth"),
               "a code without PKCE is redeemed")


def certificates(bench):
    root = Certificate("The root of a company")
    certificate = Certificate("app.contoso.example", root)
    with bench.with_application(certificates=[certificate.pem]) as place:
        by_thumbprint(place, certificate)
    renewed = Certificate("app.contoso.example", root)
    with bench.with_application(certificates=[{"pem": root.pem, "subject": "CN=app.contoso.example"}]) as place:
        for known in (certificate, renewed):
            credential = {"private_key": known.key_pem(), "public_certificate": known.chain}
            expect(confidential(place, credential, OWN_ID).acquire_token_for_client([f"{GRAPH}/.default"]),
                   "a certificate by its subject name and issuer")


def by_thumbprint(bench, certificate):
    key, scope, app_id = certificate.key_pem(), [f"{GRAPH}/.default"], OWN_ID
    ways = {
        "RS256 and x5t": {"private_key": key, "thumbprint": certificate.thumbprint},
        "PS256, x5t#S256 and x5c": {"private_key": key, "public_certificate": certificate.chain},
        "RS256, x5t and x5c": {"private_key": key, "thumbprint": certificate.thumbprint, "public_certificate": certificate.chain},
        "an encrypted key": {"private_key": certificate.key_pem(PASSPHRASE), "thumbprint": certificate.thumbprint,
                             "passphrase": PASSPHRASE.decode()},
        "a PFX file": {"private_key_pfx_path": certificate.save(bench.folder)[1], "passphrase": PASSPHRASE.decode()},
        "a PFX file and x5c": {"private_key_pfx_path": certificate.save(bench.folder)[1],
                               "passphrase": PASSPHRASE.decode(), "public_certificate": True},
    }
    for way, credential in ways.items():
        result = expect(confidential(bench, credential, app_id).acquire_token_for_client(scope), f"a certificate: {way}")
    check("2" in (claims_of(result["access_token"]).get("appidacr"), claims_of(result["access_token"]).get("azpacr")),
          "the token says that a certificate was used")
    other = Certificate("another")
    wrong = confidential(bench, {"private_key": other.key_pem(), "thumbprint": other.thumbprint}, app_id)
    check(700027 in wrong.acquire_token_for_client(scope)["error_codes"], "an unknown certificate is AADSTS700027")


def on_behalf_of(bench):
    incoming = user_token(bench, f"{API}/ToDoList.Read")
    app = confidential(bench, client_id=API_ID)
    result = expect(app.acquire_token_on_behalf_of(incoming, [f"{GRAPH}/User.Read"]), "an API calls Graph for its caller")
    check(bench.me(result["access_token"]).json()["userPrincipalName"] == USER, "Graph returns the caller's profile")
    wrong = app.acquire_token_on_behalf_of(incoming[:-8] + "AAAAAAAA", [f"{GRAPH}/User.Read"])
    check(50013 in wrong["error_codes"], "a modified token is AADSTS50013")


def bound_tokens(bench):
    scheme = msal.PopAuthScheme(http_method="GET", url=f"{bench.base}/v1.0/me", nonce="n")
    try:
        public(bench).acquire_token_interactive(READ, auth_scheme=scheme)
        check(False, "a bound token needs a broker, which Linux lacks")
    except ValueError:
        check(True, "a bound token needs a broker, which Linux lacks")
    key = "a-thumbprint-of-a-key-that-is-43-characters"
    confirmation = base64.urlsafe_b64encode(json.dumps({"kid": key}).encode()).decode().rstrip("=")
    result = expect(confidential(bench).acquire_token_for_client(
        [f"{GRAPH}/.default"], data={"token_type": "pop", "req_cnf": confirmation, "key_id": key}),
        "an app with a key requests a token that is bound to it")
    check(result["token_type"] == "pop" and claims_of(result["access_token"])["cnf"] == {"kid": key}, "the token is bound to the key")


def claims_challenge(bench):
    """Graph requires an authentication context, which a policy grants to users who signed in recently."""
    with bench.elsewhere() as place:
        place.emulator.steer("PATCH", "/policies/Step-up", {"grant": [], "signInFrequency": 3600})
        app = public(place, client_capabilities=["CP1"])
        token = expect(app.acquire_token_interactive(READ, login_hint=USER, timeout=60), "it signs in")["access_token"]
        claims = {"access_token": {"acrs": {"essential": True, "value": "c1"}}}
        place.emulator.steer("POST", "/challenge", {"user": USER, "claims": json.dumps(claims)})
        refused = place.me(token)
        check(refused.status_code == 401, "Graph rejects the token with a claims challenge")
        challenge = base64.b64decode(re.search(r'claims="([^"]+)"', refused.headers["WWW-Authenticate"])[1]).decode()
        account, = app.get_accounts()
        token = expect(app.acquire_token_silent_with_error(READ, account=account, claims_challenge=challenge),
                       "it gets a token with them")["access_token"]
        check(place.me(token).ok, "Graph accepts the new token")


def password(bench):
    # It calls `/common/userrealm/` first, at port 443 regardless of the authority's port.
    with bench.at_standard_port() as place, warnings.catch_warnings(action="ignore"):  # Deprecated there as here.
        if not place:
            return
        expect(public(place).acquire_token_interactive(READ, login_hint=USER, timeout=60), "it signs in on port 443")
        result = expect(public(place).acquire_token_by_username_password(USER, PASSWORD, READ), "it signs in with a password")
        check(result["id_token_claims"]["preferred_username"] == USER, "the token is the user's")
        wrong = public(place).acquire_token_by_username_password(USER, "wrong", READ)
        check(wrong["error"] == "invalid_grant" and 50126 in wrong["error_codes"], "a wrong password is AADSTS50126")
        refused = confidential(place).acquire_token_by_username_password(USER, PASSWORD, READ)
        check(65001 in refused["error_codes"], "without consent it is AADSTS65001")


def user_token(bench, scope):
    app = public(bench)
    flow = app.initiate_device_flow([scope])
    check("user_code" in flow, f"a device code for {scope.rpartition('/')[2]} {flow.get('error_description', '')}".strip())
    bench.type_code(flow["user_code"])
    return expect(app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True), "a user's token")["access_token"]


def query(request):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query))
