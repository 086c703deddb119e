# Licensed under the MIT License. See LICENSE.
"""The version 1.0 endpoints and tokens."""

from client import A1, ARM, CLI, MEGAN, NOWHERE, PUB, aud, body, jwt, said
from comparison import ACCESS_TOKEN, ERRORS, ID_TOKEN, ON_BEHALF_OF, SCOPES, V1_CODE, V1_CREDENTIALS, row


@row("v01", "v1", "v1 app token: numbers are strings, expires_on and resource", V1_CREDENTIALS)
def _(wire):
    members = body(wire.cc(v="", resource="https://graph.microsoft.com"))
    return ["str", "str", "https://graph.microsoft.com"], [
        type(members.get("expires_in")).__name__,
        type(members.get("expires_on")).__name__,
        members.get("resource"),
    ]


@row(
    "v02",
    "v1",
    "authorize with an unknown resource: invalid_resource 500011",
    V1_CODE + " (invalid_resource); " + ERRORS,
)
def _(wire):
    return "invalid_resource AADSTS500011", said(wire.sign_in(v="", scope=None, resource=NOWHERE))


@row(
    "v04",
    "v1",
    "the token request names another resource than the authorization request: an error",
    V1_CODE + " (the resource parameters must match)",
)
def _(wire):
    response = wire.redeem(
        wire.sign_in(v="", scope=None, resource="https://graph.microsoft.com"), v="", resource="api://" + A1
    )
    return False, "access_token" in body(response)


@row("v05", "v1", "device code with an unknown resource: 500011, never a token", ERRORS + " 500011; " + V1_CODE)
def _(wire):
    return "AADSTS500011", said(wire.device(v="", resource=NOWHERE)).split()[-1]


@row(
    "v06",
    "v1",
    "device code response: verification_url, and numbers are strings",
    "AzureDeviceFlowResponseTest.groovy of com.microsoft.alm.authentication (recorded response)",
)
def _(wire):
    reply = body(wire.device(v="", resource="https://graph.microsoft.com"))
    return ["device_code", "expires_in=900", "interval=5", "message", "user_code", "verification_url"], sorted(
        k + (f"={reply[k]}" if isinstance(reply[k], str) and k in ("expires_in", "interval") else "") for k in reply
    )


@row("v07", "v1", "refresh for an unknown resource: 500011", ERRORS)
def _(wire):
    reply = wire.tokens(v="", scope=None, resource="https://graph.microsoft.com")
    return "invalid_resource AADSTS500011", said(wire.refresh(reply["refresh_token"], v="", resource=NOWHERE))


@row("v08", "v1", "v1 user token has acr", ACCESS_TOKEN + " (only present in v1.0 tokens); sample token of " + V1_CODE)
def _(wire):
    return True, jwt(wire.tokens(scope=ARM + "/user_impersonation offline_access", client=CLI)["access_token"]).get(
        "acr"
    ) in ("0", "1")


@row("v09", "v1", "v1 user token has ipaddr", ACCESS_TOKEN + " (v1.0 basic claims)")
def _(wire):
    return True, "ipaddr" in jwt(
        wire.tokens(scope=ARM + "/user_impersonation offline_access", client=CLI)["access_token"]
    )


@row("v10", "v1", "v1 user token: amr, appid, appidacr 0, unique_name, ver 1.0", ACCESS_TOKEN)
def _(wire):
    claims = jwt(wire.tokens(scope=ARM + "/user_impersonation offline_access", client=CLI)["access_token"])
    return [True, CLI, "0", MEGAN, "1.0"], [
        isinstance(claims.get("amr"), list),
        claims.get("appid"),
        claims.get("appidacr"),
        claims.get("unique_name"),
        claims.get("ver"),
    ]


@row("v11", "v1", "v1 ID token: ver 1.0, unique_name, no preferred_username, issuer without /v2.0", ID_TOKEN)
def _(wire):
    claims = jwt(wire.tokens(v="", scope=None, resource="https://graph.microsoft.com")["id_token"])
    return ["1.0", True, False, False], [
        claims.get("ver"),
        "unique_name" in claims,
        "preferred_username" in claims,
        claims["iss"].rstrip("/").endswith("/v2.0"),
    ]


@row("v12", "v1", "header of a v1 ID token has x5t", ID_TOKEN)
def _(wire):
    header = jwt(wire.tokens(v="", scope=None, resource="https://graph.microsoft.com")["id_token"], 0)
    return header["kid"], header.get("x5t")


@row(
    "v14",
    "claims",
    "Graph gets v1 tokens at the v2 endpoint",
    ON_BEHALF_OF + " (token format is based on the resource)",
)
def _(wire):
    return "1.0", jwt(wire.tokens()["access_token"])["ver"]


@row("v15", "v1", "an app's token for itself by its App ID URI: 90009 for a user", ERRORS + " 90009")
def _(wire):
    wire.control.add("apis", clientId=PUB, identifierUris=["api://" + PUB], scopes=["Own.Read"])
    return "invalid_request AADSTS90009", said(wire.sign_in(v="", scope=None, resource="api://" + PUB))


@row("v16", "v1", "an app's token for itself by its client ID", SCOPES + " (Using the .default scope with the client)")
def _(wire):
    return PUB, aud(wire.tokens(v="", scope=None, resource=PUB))


@row("v17", "v1", "app token without a resource: invalid_resource 50001", "issue laardee/serverless-authentication#7")
def _(wire):
    return "invalid_resource AADSTS50001", said(wire.cc(v="", scope=None, resource=None))


@row(
    "v18",
    "v1",
    "a device code is redeemed for its own resource",
    "issue AzureAD/azure-activedirectory-library-for-python#255",
)
def _(wire):
    begun = body(wire.device(v="", resource=ARM, client_id=CLI))
    wire.kit.browser(MEGAN).enter(begun["user_code"], begun["verification_url"])
    form = dict(
        grant_type="device_code", client_id=CLI, code=begun["device_code"], resource="https://graph.microsoft.com"
    )
    return ARM, aud(wire.tok(form, v=""))
