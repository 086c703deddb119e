# Licensed under the MIT License. See LICENSE.
"""Lifetimes, continuous access evaluation, and refresh tokens."""

import base64
import json
import re

from client import A1, CP1, G, MEGAN, aud, body, jwt, optional, said
from comparison import CAE, CHALLENGES, CODE, ED, ERRORS, FX, REFRESH, row


@row(
    "l01",
    "cae",
    "xms_cc is missing in tokens for an API that does not request it",
    CHALLENGES + " (Receiving xms_cc claim)",
)
def _(wire):
    return None, jwt(
        wire.tokens(scope=f"openid api://{A1}/ToDoList.Read", claims=CP1, more={"claims": CP1})["access_token"]
    ).get("xms_cc")


@row("l02", "cae", "xms_cc is in tokens for an API that requests it", CHALLENGES)
def _(wire):
    optional(wire, "xms_cc", A1, (), "apis", "accessToken")
    return ["cp1"], jwt(
        wire.tokens(scope=f"openid api://{A1}/ToDoList.Read", claims=CP1, more={"claims": CP1})["access_token"]
    ).get("xms_cc")


@row("l03", "cae", "token without cp1: one hour", CAE)
def _(wire):
    return True, 3500 <= wire.tokens()["expires_in"] <= 5400


@row(
    "l04",
    "cae",
    "Graph token with cp1: long-lived, up to 28 hours",
    CAE + " (Token lifetime); " + ED + "app-resilience-continuous-access-evaluation.md",
)
def _(wire):
    n = wire.tokens(claims=CP1, more={"claims": CP1})["expires_in"]
    return True, 5400 < n <= 28 * 3600 or n


@row(
    "l05",
    "cae",
    "token of one hour: no refresh_in",
    FX
    + "token-client-credentials.json; sample responses of "
    + CODE
    + "; entra-docs architecture/resilience-client-app.md (long-lived)",
)
def _(wire):
    return None, wire.tokens().get("refresh_in")


@row(
    "l07",
    "cae",
    "revoked, without cp1: Graph accepts the token for its hour",
    CAE + " (User revocation event flow, Token lifetime); " + CHALLENGES,
)
def _(wire):
    t = wire.tokens()["access_token"]
    wire.control.revoke(MEGAN)
    return 200, wire.graph("me", token=t).status_code


def challenge(wire):
    t = wire.tokens(claims=CP1, more={"claims": CP1})["access_token"]
    wire.control.advance(2)
    wire.control.revoke(MEGAN)
    return wire.graph("me", token=t)


@row("l08", "cae", "revoked, with cp1: 401 and insufficient_claims", CAE + "; " + CHALLENGES)
def _(wire):
    response = challenge(wire)
    return [401, True], [
        response.status_code,
        'error="insufficient_claims"' in response.headers.get("www-authenticate", ""),
    ]


@row(
    "l09",
    "cae",
    "challenge: claims are base64 of JSON with access_token, authorization_uri of common with an empty realm",
    CHALLENGES,
)
def _(wire):
    header = challenge(wire).headers.get("www-authenticate", "")
    claims = re.search(r'claims="([^"]+)"', header)
    return [["access_token"], True], [
        list(json.loads(base64.b64decode(claims[1]))) if claims else None,
        'realm=""' in header and "/common/" in header,
    ]


@row("l10", "refresh", "revoked: the refresh token gives 50173", ERRORS)
def _(wire):
    reply = wire.tokens()
    wire.control.advance(2)
    wire.control.revoke(MEGAN)
    return "invalid_grant AADSTS50173", said(wire.refresh(reply["refresh_token"]))


@row("r01", "refresh", "a new refresh token, and the old one stays valid", REFRESH)
def _(wire):
    old = wire.tokens()["refresh_token"]
    reply = body(wire.refresh(old))
    return [True, "tokens"], [reply.get("refresh_token") not in (None, old), said(wire.refresh(old))]


@row("r02", "refresh", "a refresh token serves another resource", CODE + "; " + REFRESH)
def _(wire):
    wire.tokens(scope=f"openid api://{A1}/ToDoList.Read")  # the consent
    return A1, aud(wire.refresh(wire.tokens()["refresh_token"], scope=f"api://{A1}/ToDoList.Read"))


@row(
    "r03",
    "refresh",
    "scopes of two resources: a token for the first",
    CODE + " (refresh: returns a token for the resource specified in the first scope)",
)
def _(wire):
    wire.tokens(scope=f"openid api://{A1}/ToDoList.Read")
    return A1, aud(wire.refresh(wire.tokens()["refresh_token"], scope=f"api://{A1}/ToDoList.Read {G}User.Read"))


@row("r04", "refresh", "without offline_access no refresh token, without openid no ID token", CODE)
def _(wire):
    return ["access_token"], [
        k for k in ("access_token", "refresh_token", "id_token") if k in wire.tokens(scope="User.Read")
    ]


@row("r05", "refresh", "a refresh token is valid after 80 days without use", REFRESH + " (90 days)")
def _(wire):
    t = wire.tokens()["refresh_token"]
    wire.control.advance(80 * 86400)
    return "tokens", said(wire.refresh(t))


@row("r06", "refresh", "a refresh token unused for 91 days: invalid_grant", REFRESH + "; " + ERRORS + " 700082")
def _(wire):
    t = wire.tokens()["refresh_token"]
    wire.control.advance(91 * 86400)
    return True, said(wire.refresh(t)) in ("invalid_grant AADSTS700082", "invalid_grant AADSTS70008")


@row(
    "l11",
    "cae",
    "Graph token with cp1: refresh_in",
    CAE + "; entra-docs architecture/resilience-client-app.md (long-lived)",
)
def _(wire):
    tokens = wire.tokens(claims=CP1, more={"claims": CP1})
    return tokens["expires_in"] // 2, tokens.get("refresh_in")


@row(
    "l12",
    "cae",
    "with cp1, a new password and a disabled account lead to a challenge",
    CAE + " (Critical event evaluation)",
)
def _(wire):
    sent = []
    for change in ({"password": "Brand-new-1"}, {"isEnabled": False}):
        wire.control.reset()
        token = wire.tokens(claims=CP1, more={"claims": CP1})["access_token"]
        wire.control.advance(2)
        wire.control.change("users", MEGAN, **change)
        response = wire.graph("me", token=token)
        sent.append([response.status_code, "insufficient_claims" in response.headers.get("www-authenticate", "")])
    return [[401, True]] * 2, sent
