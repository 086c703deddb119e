# Licensed under the MIT License. See LICENSE.
"""ID tokens and access tokens from the authorization endpoint, and groups."""

import base64
import hashlib

from client import GID, MEGAN, PUB, SEC, T, jwt, said
from comparison import ACCESS_TOKEN, CODE, ERRORS, ID_TOKEN, IMPLICIT, OIDC, row

NEW = "cccc0000-0000-4000-8000-000000000002"


def implicit(wire, **q):
    return wire.sign_in(
        **{"code_challenge": None, "code_challenge_method": None, "nonce": "n", "response_mode": "fragment", **q}
    )


def fresh(wire):
    wire.control.add(
        "applications",
        clientId=NEW,
        type="web",
        displayName="New",
        redirectUris=["http://localhost/new"],
        secrets=[SEC],
        grantedScopes={GID: ["User.Read"]},
    )
    return dict(client=NEW, redirect="http://localhost/new")


def allow_id_tokens(wire, app):
    try:
        wire.register(app, {"web": {"implicitGrantSettings": {"enableIdTokenIssuance": True}}})
    except Exception:
        pass  # The emulator has no such switch: they are always allowed.


@row(
    "i01",
    "implicit",
    "ID tokens are off in a new app: unsupported_response_type 700054",
    OIDC + " (Enable ID tokens); " + ERRORS + " 700054",
)
def _(wire):
    return "unsupported_response_type AADSTS700054", said(
        implicit(wire, response_type="id_token", scope="openid", **fresh(wire))
    )


@row("i02", "implicit", "ID tokens enabled: an ID token", OIDC)
def _(wire):
    app = fresh(wire)
    allow_id_tokens(wire, NEW)
    return "id_token", said(implicit(wire, response_type="id_token", scope="openid", **app))


@row("i03", "implicit", "access tokens are off in a new app: unsupported_response_type", IMPLICIT)
def _(wire):
    return "unsupported_response_type", implicit(wire, response_type="token", scope="User.Read", **fresh(wire)).get(
        "error"
    )


@row("i04", "implicit", "access tokens enabled: an access token", IMPLICIT)
def _(wire):
    app = fresh(wire)
    wire.register(NEW, {"web": {"implicitGrantSettings": {"enableAccessTokenIssuance": True}}})
    got = implicit(wire, response_type="token", scope="User.Read", **app)
    return ["Bearer", True], [got.get("token_type"), "access_token" in got]


@row(
    "i05",
    "implicit",
    "id_token with response_mode=query: an error",
    CODE + " (query isn't supported when requesting an ID token)",
)
def _(wire):
    allow_id_tokens(wire, PUB)
    return True, "error" in implicit(wire, response_type="id_token", scope="openid", response_mode="query")


@row(
    "i06",
    "implicit",
    "id_token request without redirect_uri: a registered one is used",
    OIDC + " (redirect_uri recommended)",
)
def _(wire):
    allow_id_tokens(wire, PUB)
    return (
        200,
        wire.get(
            wire.url(
                response_type="id_token",
                scope="openid",
                nonce="n",
                redirect=None,
                code_challenge=None,
                code_challenge_method=None,
            )
        ).status_code,
    )


@row("i07", "implicit", "hybrid: code and id_token with nonce and c_hash, in the fragment", CODE + " (hybrid flow)")
def _(wire):
    allow_id_tokens(wire, PUB)
    got = wire.sign_in(response_type="code id_token", nonce="n-1")
    claims = jwt(got["id_token"]) if "id_token" in got else {}
    return [
        True,
        "n-1",
        base64.urlsafe_b64encode(hashlib.sha256(got.get("code", "").encode()).digest()[:16]).rstrip(b"=").decode(),
    ], ["code" in got, claims.get("nonce"), claims.get("c_hash")]


@row("i08", "implicit", "hybrid without nonce: an error", CODE + " (nonce required)")
def _(wire):
    allow_id_tokens(wire, PUB)
    return True, "error" in wire.sign_in(response_type="code id_token")


def with_groups(wire, count):
    wire.control.add_to_directory(
        groups=[{"tenant": T, "displayName": f"G{n}", "members": [MEGAN]} for n in range(count)]
    )


@row(
    "i09",
    "groups",
    "implicit ID token with 8 groups: hasgroups instead of groups",
    ACCESS_TOKEN + " (hasgroups; six or more)",
)
def _(wire):
    allow_id_tokens(wire, PUB)
    wire.control.change("applications", PUB, optionalClaims=["groups"])
    with_groups(wire, 6)
    claims = jwt(implicit(wire, response_type="id_token", scope="openid profile")["id_token"])
    return [True, False], [claims.get("hasgroups"), "groups" in claims]


@row("i10", "groups", "more than 200 groups: _claim_names instead of groups", ID_TOKEN)
def _(wire):
    wire.control.change("applications", PUB, optionalClaims=["groups"])
    with_groups(wire, 201)
    claims = jwt(wire.tokens()["id_token"])
    return [{"groups": "src1"}, True, False], [
        claims.get("_claim_names"),
        "endpoint" in claims.get("_claim_sources", {}).get("src1", {}),
        "groups" in claims,
    ]


@row("i11", "groups", "no groups claim unless the app requests it", ACCESS_TOKEN)
def _(wire):
    return False, "groups" in jwt(wire.tokens()["id_token"])
