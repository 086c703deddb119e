# Licensed under the MIT License. See LICENSE.
"""App-only tokens and client authentication."""

import base64
import os
import re
import subprocess
import urllib.parse

from client import A1, A2, G, PUB, SEC, T, TID, WEB, aud, body, jwt, said, text, told
from comparison import ACCESS_TOKEN, CODE, CREDENTIALS, ERRORS, FX, SCOPES, row


@row("c01", "app-only", "the members of the response", FX + "token-client-credentials.json")
def _(wire):
    return ["access_token", "expires_in", "ext_expires_in", "token_type"], sorted(
        body(wire.cc(scope=f"api://{A2}/.default"))
    )


@row("c02", "claims", "v2 app token has the opaque claim xms_ftd", FX + "token-claims-client-credentials.json")
def _(wire):
    return True, "xms_ftd" in jwt(body(wire.cc(scope=f"api://{A2}/.default"))["access_token"])


@row("c03", "claims", "the other claims of a v2 app token", FX + "token-claims-client-credentials.json")
def _(wire):
    claims = jwt(body(wire.cc(scope=f"api://{A2}/.default"))["access_token"])
    return ["aio", "aud", "azp", "azpacr", "exp", "iat", "iss", "nbf", "oid", "rh", "sub", "tid", "uti", "ver"], sorted(
        set(claims) - {"roles", "xms_ftd"}
    )


@row("c04", "claims", "v2 app token: ver, iss, aud, no appid, no idtyp", FX + "token-claims-client-credentials.json")
def _(wire):
    claims = jwt(body(wire.cc(scope=f"api://{A2}/.default"))["access_token"])
    return ["2.0", f"{wire.base}/{TID}/v2.0", A2, None, None], [
        claims["ver"],
        claims["iss"],
        claims["aud"],
        claims.get("appid"),
        claims.get("idtyp"),
    ]


@row(
    "c05", "claims", "the header of a v2 token has no x5t", FX + "token-claims-client-credentials.json; " + ACCESS_TOKEN
)
def _(wire):
    return None, jwt(body(wire.cc(scope=f"api://{A2}/.default"))["access_token"], 0).get("x5t")


@row("c06", "claims", "the header of a v1 token has x5t, equal to kid", ACCESS_TOKEN)
def _(wire):
    header = jwt(body(wire.cc())["access_token"], 0)
    return header["kid"], header.get("x5t")


@row(
    "c07",
    "app-only",
    "wrong secret: 401 invalid_client 7000215, with error_uri",
    FX + "token-error-invalid-client.json",
)
def _(wire):
    response = wire.cc(client_secret="x")
    return [401, "invalid_client", [7000215], True], told(response) + ["error_uri" in body(response)]


@row(
    "c08",
    "texts",
    "error_description is one line: spaces before Trace ID, Correlation ID and Timestamp",
    FX + "token-error-invalid-client.json",
)
def _(wire):
    d = body(wire.cc(client_secret="x")).get("error_description", "")
    return (
        f"AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret "
        f"added to app '{WEB}'. Trace ID: * Correlation ID: * Timestamp: *"
    ), re.sub(r"(ID|Timestamp): \S+( \S+Z)?", r"\1: *", d)


@row(
    "c09",
    "app-only",
    "unknown resource: 400 invalid_resource 500011, with error_uri",
    FX + "token-error-invalid-scope.json",
)
def _(wire):
    response = wire.cc(scope="api://not-a-registered-resource/.default")
    return [400, "invalid_resource", [500011], True], told(response) + ["error_uri" in body(response)]


@row("c10", "texts", "unknown resource: the message", FX + "token-error-invalid-scope.json")
def _(wire):
    return (
        f"AADSTS500011: The resource principal named api://not-a-registered-resource was not found in the tenant named TENANT. This can happen if the application has not been "
        "installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant."
    ), re.sub(
        rf"(tenant named )({TID}|Contoso|{T})\.",
        r"\1TENANT.",
        text(wire.cc(scope="api://not-a-registered-resource/.default")),
    )


@row(
    "c11", "app-only", "unknown grant: 400 unsupported_grant_type 70003", FX + "token-error-unsupported-grant-type.json"
)
def _(wire):
    return [400, "unsupported_grant_type", [70003]], told(wire.cc(grant_type="no_such_grant"))


@row("c12", "texts", "unknown grant: the message", FX + "token-error-unsupported-grant-type.json")
def _(wire):
    return "AADSTS70003: The app requested an unsupported grant type 'no_such_grant'.", text(
        wire.cc(grant_type="no_such_grant")
    )


@row(
    "c13",
    "errors",
    "unknown grant: no error_uri",
    FX + "token-error-unsupported-grant-type.json; " + ERRORS + " (not all errors have it)",
)
def _(wire):
    return False, "error_uri" in body(wire.cc(grant_type="no_such_grant"))


ZERO = "00000000-0000-0000-0000-000000000000"


@row("c14", "errors", "client ID of zeros: 400 unauthorized_client 700038", FX + "token-error-unknown-client.json")
def _(wire):
    return [400, "unauthorized_client", [700038]], told(wire.cc(client_id=ZERO))


@row("c15", "texts", "client ID of zeros: the message", FX + "token-error-unknown-client.json")
def _(wire):
    return f"AADSTS700038: {ZERO} is not a valid application identifier.", text(wire.cc(client_id=ZERO))


@row("c17", "errors", "unknown client: 700016 unauthorized_client", ERRORS)
def _(wire):
    return ["unauthorized_client", [700016]], told(wire.cc(client_id="99999999-0000-4000-8000-000000000099"))[1:]


@row(
    "c18",
    "app-only",
    "an app's token for itself: scope <client ID>/.default",
    SCOPES + " (Using the .default scope with the client); " + ERRORS + " 90009",
)
def _(wire):
    return WEB, aud(wire.cc(scope=WEB + "/.default"))


@row(
    "c19",
    "app-only",
    "an app's token for itself: scope api://<client ID>/.default, its App ID URI",
    "calvinchengx/entra-emulator e2e/differential/capture.sh (happy_scope)",
)
def _(wire):
    wire.graph(f"applications(appId='{WEB}')", "PATCH", body={"identifierUris": ["api://" + WEB]})
    response = wire.cc(scope=f"api://{WEB}/.default")
    return True, aud(response) in (WEB, "api://" + WEB) or said(response)


@row(
    "c21",
    "authorize",
    "code flow with scope <client ID>/.default",
    SCOPES + " (Using the .default scope with the client)",
)
def _(wire):
    return "code", said(wire.sign_in(client=WEB, scope=f"openid {WEB}/.default"))


@row("c22", "app-only", "scopes of two resources: an error", CREDENTIALS)
def _(wire):
    return [400, False], [
        (response := wire.cc(scope=f"{G}.default api://{A1}/.default")).status_code,
        "access_token" in body(response),
    ]


@row("c23", "app-only", "a granted app role is in roles", CREDENTIALS + "; " + SCOPES)
def _(wire):
    return ["ToDoList.Read.All"], jwt(body(wire.cc(scope=f"api://{A1}/.default"))["access_token"]).get("roles")


@row(
    "c24",
    "app-only",
    "no role granted: a token without roles",
    CREDENTIALS + " (Controlling tokens without the roles claim)",
)
def _(wire):
    return [200, None], [
        (response := wire.cc(scope=f"api://{A2}/.default")).status_code,
        jwt(body(response)["access_token"]).get("roles"),
    ]


@row("c25", "app-only", "client ID and secret in the Authorization header", CREDENTIALS + " (Basic auth pattern)")
def _(wire):
    pair = base64.b64encode(f"{WEB}:{SEC}".encode()).decode()
    return "tokens", said(wire.cc(client_id=None, client_secret=None, headers={"Authorization": "Basic " + pair}))


@row("c26", "errors", "no credential: 7000218 and its message", ERRORS)
def _(wire):
    return (
        "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
        text(wire.cc(client_secret=None)),
    )


@row("c27", "texts", "missing parameter: the message of 900144", ERRORS)
def _(wire):
    return "AADSTS900144: The request body must contain the following parameter: 'scope'.", text(wire.cc(scope=None))


@row("c28", "errors", "secret of a public client: 700025 and its message", ERRORS)
def _(wire):
    response = wire.tok(dict(grant_type="client_credentials", client_id=PUB, client_secret="x", scope=G + ".default"))
    return (
        "AADSTS700025: Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
        text(response),
    )


@row("c29", "errors", "GET at the token endpoint: the message of 900561", ERRORS)
def _(wire):
    return "AADSTS900561: The endpoint only accepts POST requests. Received a GET request.", text(
        wire.get(f"/{T}/oauth2/v2.0/token")
    )


@row(
    "c30",
    "app-only",
    "a client secret together with an Origin header is refused",
    CODE + " (prevents the use of client credentials … Origin header)",
)
def _(wire):
    return False, "access_token" in body(wire.cc(headers={"Origin": "http://localhost:3000"}))


@row(
    "c31",
    "texts",
    "expired secret: the message of 7000222",
    "issue dotnet/sign#849 (2025-04-10), Budibase/budibase#15843",
)
def _(wire):
    wire.control.change(
        "applications", WEB, secrets=[{"name": "old", "value": "Old-secret-1", "expiresAt": "2020-01-01"}]
    )
    return (
        f"AADSTS7000222: The provided client secret keys for app '{WEB}' are expired. Visit the Azure portal to create new keys for your app: https://aka.ms/NewClientSecret, "
        "or consider using certificate credentials for added security: https://aka.ms/certCreds."
    ), text(wire.cc(client_secret="Old-secret-1"))


@row(
    "c32",
    "texts",
    "a federated token outside its lifetime: the message of 700024",
    "issues AzureAD/microsoft-authentication-library-for-java#984 (2025-08-29), -for-dotnet#4951",
)
def _(wire):
    token = subprocess.run(
        [
            wire.program,
            "federated-token",
            "--issuer",
            "kubernetes",
            "--subject",
            "system:serviceaccount:default:app",
            "--flaw",
            "expired",
            "--port",
            str(urllib.parse.urlsplit(wire.base).port),
            "--state",
            os.path.dirname(wire.kit.ca_file),
        ],
        capture_output=True,
        text=True,
        timeout=30,
    ).stdout.strip()
    t = text(
        wire.cc(
            client_secret=None,
            client_assertion=token,
            client_assertion_type="urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        )
    )
    stamp = r"\d{4}-\d\d-\d\dT[\d:.]+Z"
    return (
        True,
        bool(
            re.match(
                rf"AADSTS700024: Client assertion is not within its valid time range\. Current time: {stamp}, assertion valid from {stamp}, expiry time of assertion "
                rf"{stamp}\. Review the documentation at https://learn\.microsoft\.com/entra/identity-platform/certificate-credentials",
                t,
            )
        )
        or t,
    )
