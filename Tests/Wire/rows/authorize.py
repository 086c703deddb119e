# Licensed under the MIT License. See LICENSE.
"""The authorization endpoint, PKCE, single-page apps, and codes."""

import secrets

from client import A1, G, PUB, WEB, aud, body, located, said, told
from comparison import CODE, ERRORS, REDIRECTS, REFRESH, SCOPES, row


@row("a01", "authorize", "scopes of two resources: allowed", CODE + " (scope: can cover multiple resources)")
def _(wire):
    return "code", said(wire.sign_in(scope=f"openid offline_access User.Read api://{A1}/ToDoList.Read"))


@row("a02", "authorize", "code of two resources: redeemed for either", CODE)
def _(wire):
    got = wire.sign_in(scope=f"openid offline_access User.Read api://{A1}/ToDoList.Read")
    return A1, aud(wire.redeem(got, scope=f"api://{A1}/ToDoList.Read")) if "code" in got else said(got)


@row(
    "a03",
    "authorize",
    "redeeming a code for two resources: an error",
    CODE + " (scopes must all be from a single resource)",
)
def _(wire):
    return False, "access_token" in body(wire.redeem(wire.sign_in(), scope=f"User.Read api://{A1}/ToDoList.Read"))


@row("a04", "authorize", ".default together with another scope of the resource: an error", SCOPES)
def _(wire):
    return True, "error" in wire.sign_in(scope=G + ".default Mail.Read")


@row("a05", "pkce", "method plain", CODE + " (supports both plain and S256)")
def _(wire):
    v = secrets.token_urlsafe(40)
    got = wire.sign_in(code_challenge=v, code_challenge_method="plain")
    return "tokens", said(wire.redeem(got, verifier=v)) if "code" in got else said(got)


@row("a07", "pkce", "native app without a challenge", CODE + " (recommended; required only for single page apps)")
def _(wire):
    return "code", said(wire.sign_in(code_challenge=None, code_challenge_method=None))


@row("a08", "pkce", "web app without a challenge", CODE)
def _(wire):
    return "code", said(wire.sign_in(client=WEB, code_challenge=None, code_challenge_method=None))


SPA = "cccc0000-0000-4000-8000-000000000001"


def spa(wire):
    wire.control.add(
        "applications", clientId=SPA, type="singlePage", displayName="SPA", redirectUris=["http://localhost/spa"]
    )
    return dict(client=SPA, redirect="http://localhost/spa")


@row("a09", "pkce", "single-page app without a challenge gets no tokens", CODE)
def _(wire):
    app = spa(wire)
    got = wire.sign_in(code_challenge=None, code_challenge_method=None, **app)
    return False, "code" in got and wire.redeem(got, verifier="x", headers={"Origin": "http://localhost"}, **app).ok


@row("a10", "spa", "code of a spa redirect URI without Origin: an error", CODE)
def _(wire):
    app = spa(wire)
    return False, wire.redeem(wire.sign_in(**app), **app).ok


@row("a11", "spa", "the refresh token of a single-page app expires after 24 hours: 700084", REFRESH + "; " + ERRORS)
def _(wire):
    app, o = spa(wire), {"Origin": "http://localhost"}
    reply = body(wire.redeem(wire.sign_in(**app), headers=o, **app))
    wire.control.advance(25 * 3600)
    return "invalid_grant AADSTS700084", said(wire.refresh(reply["refresh_token"], client=SPA, headers=o))


@row("a12", "pkce", "wrong verifier: 501481", ERRORS)
def _(wire):
    return ["invalid_grant", [501481]], told(wire.redeem(wire.sign_in(), verifier="x" * 50))[1:]


@row("a13", "code", "a code is valid after 5 minutes", CODE + " (typically about 10 minutes)")
def _(wire):
    got = wire.sign_in()
    wire.control.advance(300)
    return "tokens", said(wire.redeem(got))


@row("a14", "code", "a code has expired after 20 minutes", CODE)
def _(wire):
    got = wire.sign_in()
    wire.control.advance(1200)
    return "invalid_grant", body(wire.redeem(got)).get("error")


@row("a15", "code", "a code used twice: 54005", ERRORS)
def _(wire):
    got = wire.sign_in()
    v = wire.verifier
    wire.redeem(got)
    return ["invalid_grant", [54005]], told(wire.redeem(got, verifier=v))[1:]


@row("a16", "authorize", "prompt=none without a session: login_required", CODE + " (error codes)")
def _(wire):
    return "login_required", located(wire.get(wire.url(prompt="none"))).get("error")


@row("a17", "authorize", "a redirect URI without a path gets a slash", REDIRECTS)
def _(wire):
    return True, wire.get(wire.url(prompt="none", redirect="http://localhost:7071")).headers.get(
        "location", ""
    ).startswith("http://localhost:7071/?")


@row("a18", "authorize", "localhost: any port", REDIRECTS)
def _(wire):
    return "code", said(wire.sign_in(redirect="http://localhost:41234"))


@row("a19", "authorize", "localhost with another path: no redirect", REDIRECTS)
def _(wire):
    return None, wire.get(wire.url(prompt="none", redirect="http://localhost/other")).headers.get("location")


@row("a20", "authorize", "unknown resource: invalid_resource", CODE)
def _(wire):
    return "invalid_resource", located(wire.get(wire.url(scope="openid api://nope/x"))).get("error")


@row("a21", "authorize", "declined consent: access_denied", CODE)
def _(wire):
    return "access_denied", wire.sign_in(scope="openid Mail.Read", client=WEB, consent=False).get("error")


@row(
    "a22",
    "authorize",
    "resource of another API than the scopes: 9010010",
    "issue microsoft/powerbi-modeling-mcp#68; " + CODE,
)
def _(wire):
    got = located(
        wire.get(wire.url(scope=f"openid api://{A1}/ToDoList.Read", resource="https://mcp.example", prompt="none"))
    )
    return "invalid_target AADSTS9010010", said(got)


@row("a23", "pkce", "a challenge without a method is plain", CODE + " (code_challenge_method)")
def _(wire):
    verifier = secrets.token_urlsafe(40)
    got = wire.sign_in(code_challenge=verifier, code_challenge_method=None)
    return "tokens", said(wire.redeem(got, verifier=verifier)) if "code" in got else said(got)


@row("a24", "authorize", "an error with response_mode=form_post is posted", CODE + " (response_mode)")
def _(wire):
    response = wire.get(wire.url(prompt="odd", response_mode="form_post"))
    return [200, True], [response.status_code, "<form" in response.text and "AADSTS90023" in response.text]


def itself(wire):
    """Makes the public client the API that exposes ToDoList.Read."""
    wire.control.add("apis", clientId=PUB, identifierUris=["api://" + PUB], scopes=["Own.Read"])


@row("a25", "authorize", "a token for the app itself, by its App ID URI, with the code", ERRORS + " 90009")
def _(wire):
    itself(wire)
    return "api://" + PUB, aud(wire.tokens(scope=f"openid offline_access api://{PUB}/Own.Read"))


SELF = "issues Softeria/ms-365-mcp-server#508, Azure-Samples/ms-identity-msal-java-samples#43"


@row("a26", "authorize", "its refresh without scope: 90009 for the App ID URI, tokens for the client ID", SELF)
def _(wire):
    itself(wire)
    scopes = (f"openid offline_access {name}/Own.Read" for name in ("api://" + PUB, PUB))
    sent = [said(wire.refresh(wire.tokens(scope=scope)["refresh_token"])) for scope in scopes]
    return ["invalid_request AADSTS90009", "tokens"], sent


@row("a27", "authorize", "its refresh with scope: tokens", SELF)
def _(wire):
    itself(wire)
    scope = f"openid offline_access api://{PUB}/Own.Read"
    return "tokens", said(wire.refresh(wire.tokens(scope=scope)["refresh_token"], scope=scope))


@row(
    "a28",
    "authorize",
    "a permission that the API does not define: invalid_client 650053",
    ERRORS + " 650053; issues damienbod/AspNetCoreMicrosoftGraph#1, MicrosoftDocs/azure-docs#37280",
)
def _(wire):
    return "invalid_client AADSTS650053", said(wire.sign_in(scope="openid No.Such"))
