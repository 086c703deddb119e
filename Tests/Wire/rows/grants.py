# Licensed under the MIT License. See LICENSE.
"""Device code, password, on behalf of, and administrators' consent."""

import json
import urllib.parse

from pytest_entra_emulator.browser import SignInFailed

from client import A1, A3, ALEX, G, MEGAN, PUB, SEC, T, T2, TID, WEB, aud, body, jwt, said, text, told
from comparison import DEVICE, ED, ERRORS, ON_BEHALF_OF, PASSWORD, row


@row("x01", "device", "the members of the device code response and their types", DEVICE)
def _(wire):
    reply = body(wire.device(scope="User.Read"))
    return {
        "device_code": "str",
        "user_code": "str",
        "verification_uri": "str",
        "expires_in": "int",
        "interval": "int",
        "message": "str",
    }, {k: type(x).__name__ for k, x in reply.items()}


@row("x02", "device", "a device code is valid for 15 minutes", DEVICE)
def _(wire):
    return 900, body(wire.device(scope="User.Read")).get("expires_in")


@row("x03", "device", "authorization_pending, bad_verification_code, expired_token", DEVICE)
def _(wire):
    reply = body(wire.device(scope="User.Read"))
    got = [body(wire.poll(reply["device_code"])).get("error"), body(wire.poll("nonsense")).get("error")]
    wire.control.advance(1000)
    return ["authorization_pending", "bad_verification_code", "expired_token"], got + [
        body(wire.poll(reply["device_code"])).get("error")
    ]


@row("x04", "device", "declined: authorization_declined", DEVICE)
def _(wire):
    reply = body(wire.device(client_id=WEB, scope="openid Mail.Read"))
    try:
        wire.kit.browser(MEGAN, consent=False).enter(reply["user_code"], reply["verification_uri"])
    except SignInFailed:
        pass
    return "authorization_declined", body(
        wire.tok(
            dict(
                grant_type="urn:ietf:params:oauth:grant-type:device_code",
                client_id=WEB,
                client_secret=SEC,
                device_code=reply["device_code"],
            )
        )
    ).get("error")


def password(wire, t=T, **more):
    return wire.tok(
        dict(
            grant_type="password",
            client_id=PUB,
            username=MEGAN,
            password="Pa55-word!",
            scope="openid User.Read offline_access",
            **more,
        ),
        t,
    )


@row("x05", "password", "password at /common: invalid_request", PASSWORD + " (error table)")
def _(wire):
    return "invalid_request", body(password(wire, "common")).get("error")


@row("x06", "password", "password at /common: the message of 9001023", ERRORS)
def _(wire):
    return (
        "AADSTS9001023: The grant type is not supported over the /common or /consumers endpoints. Please use the /organizations or tenant-specific endpoint."
    ), text(password(wire, "common")).replace("isn't", "is not")


@row("x07", "password", "wrong password: invalid_grant 50126", PASSWORD + "; " + ERRORS)
def _(wire):
    response = wire.tok(dict(grant_type="password", client_id=PUB, username=MEGAN, password="x", scope="openid"))
    return ["invalid_grant", [50126]], told(response)[1:]


@row("x08", "password", "password at /organizations: tokens, with refresh and ID token", PASSWORD)
def _(wire):
    wire.tokens()  # the consent
    return ["access_token", "id_token", "refresh_token"], [
        k for k in ("access_token", "id_token", "refresh_token") if k in body(password(wire, "organizations"))
    ]


def obo(wire, **more):
    a = more.pop("assertion", None) or wire.kit.access_token(MEGAN, api="api://" + A1)
    return wire.tok(
        dict(
            grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer",
            client_id=A1,
            client_secret=SEC,
            assertion=a,
            requested_token_use="on_behalf_of",
            **{"scope": G + "User.Read", **more},
        )
    )


@row("b01", "obo", "on behalf of: a Graph token for the same user", ON_BEHALF_OF)
def _(wire):
    response = obo(wire)
    return ["aaaaaaaa-0000-4000-8000-000000000001", A1], (
        [jwt(body(response)["access_token"]).get(k) for k in ("oid", "appid")] if response.ok else said(response)
    )


@row("b02", "obo", "refresh token only with offline_access", ON_BEHALF_OF)
def _(wire):
    return [False, True], [
        "refresh_token" in body(obo(wire, scope=G + "User.Read" + x)) for x in ("", " offline_access")
    ]


@row("b03", "obo", "expired assertion: 500133", ERRORS)
def _(wire):
    return "invalid_grant AADSTS500133", said(
        obo(wire, assertion=wire.kit.access_token(MEGAN, api="api://" + A1, expires=-10))
    )


@row("b04", "obo", "assertion for another audience: 50013", ON_BEHALF_OF + "; " + ERRORS)
def _(wire):
    return "invalid_grant AADSTS50013", said(
        obo(wire, assertion=wire.kit.access_token(MEGAN, api="https://graph.microsoft.com"))
    )


@row("b05", "obo", "app-only assertion: an error", ON_BEHALF_OF + " (Client limitations)")
def _(wire):
    return False, "access_token" in body(obo(wire, assertion=wire.kit.access_token(application=WEB, api="api://" + A1)))


@row(
    "b06",
    "obo",
    "second factor required downstream: interaction_required with claims",
    ON_BEHALF_OF + " (Error response example)",
)
def _(wire):
    wire.control.change("applications", A1, grantedScopes={"api://" + A3: ["*"]})
    response = obo(wire, scope=f"api://{A3}/Vault.Open")
    return ["interaction_required", True], [
        body(response).get("error"),
        "access_token" in json.loads(body(response).get("claims", "{}")),
    ]


def admin_consent(wire, v="v2.0/", consent=True, scope=True):
    u = f"{wire.base}/{T}/{v}adminconsent?" + urllib.parse.urlencode(
        dict(
            client_id=WEB,
            redirect_uri="http://localhost",
            state="12345",
            **({"scope": f"{G}Calendars.Read {G}Mail.Send"} if scope else {}),
        )
    )
    try:
        return wire.kit.browser(ALEX, consent=consent).sign_in(u)
    except SignInFailed as failure:
        return {"page": str(failure)}


@row("n01", "consent", "admin consent: admin_consent, tenant, scope, state", ED + "v2-admin-consent.md")
def _(wire):
    return {
        "admin_consent": "True",
        "tenant": TID,
        "scope": f"{G}Calendars.Read {G}Mail.Send",
        "state": "12345",
    }, admin_consent(wire)


@row(
    "n02",
    "consent",
    "admin consent refused: consent_required, 65004, admin_consent=True",
    ED + "v2-admin-consent.md (Error response)",
)
def _(wire):
    got = admin_consent(wire, consent=False)
    return ["consent_required AADSTS65004", "True"], [said(got), got.get("admin_consent")]


@row(
    "n04",
    "b2c",
    "scope=<client ID> at a B2C policy: a token for the app itself",
    "azure-docs active-directory-b2c/access-tokens.md",
)
def _(wire):
    t = T2 + "/B2C_1_signin"
    got = wire.sign_in("password@fabrikam.example", t=t, scope="openid offline_access " + PUB)
    return PUB, aud(wire.redeem(got, t=t, scope="openid offline_access " + PUB)) if "code" in got else said(got)
