# Licensed under the MIT License. See LICENSE.
"""Service principals, and the accounts that an app accepts."""

from client import DANA, PUB, T2, TID, jwt, said
from comparison import CREDENTIALS, ED, ERRORS, GD, ID_TOKEN, REDIRECTS, row


def new_app(wire, **more):
    """An app registered through Microsoft Graph, with a secret."""
    app = wire.graph("applications", "POST", body={"displayName": "Fidelity", **more}).json()
    key = wire.graph(
        f"applications/{app['id']}/addPassword", "POST", body={"passwordCredential": {"displayName": "k"}}
    ).json()["secretText"]
    return app, key


@row(
    "c33",
    "tenancy",
    "app without a service principal in its tenant: 7000229",
    "issues SidU/openclaw-teams-setup#3 (az ad app create), Azure/Commercial-Marketplace-SaaS-Accelerator#830",
)
def _(wire):
    app, key = new_app(wire)
    return "invalid_client AADSTS7000229", said(wire.cc(client_id=app["appId"], client_secret=key))


@row(
    "c34",
    "tenancy",
    "app token in a tenant where the app was never installed: 700016 or 7000229",
    ERRORS + " 700016; " + ED + "howto-convert-app-to-be-multi-tenant.md",
)
def _(wire):
    app, key = new_app(wire)
    wire.graph("servicePrincipals", "POST", body={"appId": app["appId"]})
    got = said(wire.cc(T2, client_id=app["appId"], client_secret=key))
    return True, got.split()[-1] in ("AADSTS700016", "AADSTS7000229") or got


@row("c35", "tenancy", "app with its service principal: a token", CREDENTIALS)
def _(wire):
    app, key = new_app(wire)
    wire.graph("servicePrincipals", "POST", body={"appId": app["appId"]})
    return "tokens", said(wire.cc(client_id=app["appId"], client_secret=key))


@row(
    "s01",
    "tenancy",
    "Graph keeps signInAudience AzureADMyOrg",
    GD + "api-reference/v1.0/resources/application.md; " + REDIRECTS,
)
def _(wire):
    wire.graph(f"applications(appId='{PUB}')", "PATCH", body={"signInAudience": "AzureADMyOrg"})
    return "AzureADMyOrg", wire.graph(f"applications(appId='{PUB}')").json().get("signInAudience")


@row("s02", "tenancy", "single-tenant app at /common: 50194", ERRORS)
def _(wire):
    wire.register(PUB, {"signInAudience": "AzureADMyOrg"})
    return "AADSTS50194", said(wire.sign_in(t="common")).split()[-1]


@row("s03", "tenancy", "single-tenant app at its own tenant: a code", ED + "howto-convert-app-to-be-multi-tenant.md")
def _(wire):
    wire.register(PUB, {"signInAudience": "AzureADMyOrg"})
    return "code", said(wire.sign_in())


@row(
    "s04", "tenancy", "/common: the issuer is that of the user's tenant", ED + "howto-convert-app-to-be-multi-tenant.md"
)
def _(wire):
    return f"{wire.base}/{TID}/v2.0", jwt(wire.tokens(t="common")["id_token"])["iss"]


@row("s05", "tenancy", "personal account: tid 9188040d-…", ID_TOKEN)
def _(wire):
    return "9188040d-6c67-4c5b-b112-36a304b66dad", jwt(wire.tokens(t="consumers", user=DANA)["id_token"])["tid"]
