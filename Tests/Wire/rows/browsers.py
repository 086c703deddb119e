# Licensed under the MIT License. See LICENSE.
"""The responses that scripts of other origins may read."""

from client import PUB, SEC, T, WEB
from comparison import CODE, row

OWN, OTHER = "http://localhost:3000", "https://attacker.example"
SPA = "cccc0000-0000-4000-8000-000000000003"
SOURCE = CODE + " (Redirect URIs for single-page apps)"


def registered(wire):
    wire.control.add(
        "applications", clientId=SPA, type="singlePage", displayName="SPA", redirectUris=["http://localhost/spa"]
    )
    return dict(client=SPA, redirect="http://localhost/spa")


def allowed(response):
    return [response.headers.get(name) for name in ("access-control-allow-origin", "vary")]


@row("p01", "browsers", "the token endpoint echoes the origin of a spa redirect URI", SOURCE)
def _(wire):
    app = registered(wire)
    response = wire.redeem(wire.sign_in(**app), headers={"Origin": OWN}, **app)
    return [True, OWN, "Origin"], [response.ok, *allowed(response)]


@row("p02", "browsers", "also for an error", SOURCE)
def _(wire):
    app = registered(wire)
    response = wire.redeem({"code": "nonsense"}, headers={"Origin": OWN}, **app)
    return [False, OWN, "Origin"], [response.ok, *allowed(response)]


@row("p03", "browsers", "another origin gets no permission", SOURCE)
def _(wire):
    app = registered(wire)
    return [None, None], allowed(wire.redeem(wire.sign_in(**app), headers={"Origin": OTHER}, **app))


@row("p04", "browsers", "an app without a spa redirect URI gets no permission", SOURCE)
def _(wire):
    return [None, None], allowed(wire.redeem({"code": "x"}, client=WEB, secret=SEC, headers={"Origin": OWN}))


@row("p05", "browsers", "a preflight of any origin is answered, because it names no client", SOURCE)
def _(wire):
    asks = {"Origin": OTHER, "Access-Control-Request-Method": "POST"}
    response = wire.session.options(f"{wire.base}/{T}/oauth2/v2.0/token", headers=asks, timeout=30)
    return [204, "*"], [response.status_code, response.headers.get("access-control-allow-origin")]


@row("p06", "browsers", "device code, password, and app grants have no permission", SOURCE)
def _(wire):
    registered(wire)
    grants = ["urn:ietf:params:oauth:grant-type:device_code", "password", "client_credentials"]
    sent = [wire.tok(dict(grant_type=grant, client_id=SPA), headers={"Origin": OWN}) for grant in grants]
    return [None] * 3, [response.headers.get("access-control-allow-origin") for response in sent]


@row("p07", "browsers", "metadata is readable from any origin, a sign-in page from none", SOURCE)
def _(wire):
    paths = [f"/{T}/v2.0/.well-known/openid-configuration", wire.url(client=PUB)]
    return ["*", None], [
        wire.get(path, headers={"Origin": OTHER}).headers.get("access-control-allow-origin") for path in paths
    ]
