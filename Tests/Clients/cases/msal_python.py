# Licensed under the MIT License. See LICENSE.
"""MSAL Python: every flow of its public client and of its confidential client."""
import urllib.parse

import msal

from bench import CLIENT_ID, USER, check, claims_of

READ = ["User.Read"]


def run(bench):
    interactive(bench)
    code_flow(bench)
    device_code(bench)
    authorities(bench)


def public(bench, **options):
    return msal.PublicClientApplication(
        CLIENT_ID, authority=options.pop("authority", bench.authority), instance_discovery=False, **options)


def expect(result, what):
    check("access_token" in result, f"{what} {result.get('error_description', '')}".strip())
    return result


def interactive(bench):
    app = public(bench)
    result = expect(app.acquire_token_interactive(READ, login_hint=USER, timeout=60), "it signs in with a browser")
    check(result["id_token_claims"]["preferred_username"] == USER, "its id token names the user")
    account, = app.get_accounts()
    cached = app.acquire_token_silent(READ, account=account)
    check(cached["access_token"] == result["access_token"], "a second token comes from its cache")
    fresh = expect(app.acquire_token_silent_with_error(READ, account=account, force_refresh=True), "a refresh gives a token")
    check(bench.me(fresh["access_token"]).json()["userPrincipalName"] == USER, "which Graph takes")
    imported = expect(public(bench).acquire_token_by_refresh_token(result["refresh_token"], READ),
                      "a refresh token of another program is taken over")
    check(imported["id_token_claims"]["oid"] == result["id_token_claims"]["oid"], "for the same user")
    claims = '{"access_token": {"xms_cc": {"values": ["cp1"]}}}'
    capable = expect(public(bench, client_capabilities=["CP1"]).acquire_token_interactive(
        READ, login_hint=USER, claims_challenge=claims, timeout=60), "it announces capabilities and claims")
    check("CP1" in str(claims_of(capable["access_token"]).get("xms_cc")), "and the token repeats them")


def code_flow(bench):
    app = public(bench)
    for mode in ("query", "form_post"):
        flow = app.initiate_auth_code_flow(READ, redirect_uri="http://localhost:5000", response_mode=mode, login_hint=USER)
        request = bench.person().open(flow["auth_uri"], until="http://localhost:5000")
        response = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query)) or request.data
        expect(app.acquire_token_by_auth_code_flow(flow, response), f"it redeems a code that came by {mode}")
    again = app.acquire_token_by_auth_code_flow(flow, response)
    check(again["error"] == "invalid_grant" and 54005 in again["error_codes"], "a code is taken once")
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
    result = expect(app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True), "and the tokens for it")
    check(result["id_token_claims"]["preferred_username"] == USER, "of the user who typed it")


def authorities(bench):
    for name in ("contoso.example", "organizations", "common"):
        app = public(bench, authority=f"{bench.base}/{name}")
        result = expect(app.acquire_token_interactive(READ, login_hint=USER, timeout=60), f"it signs in at /{name}")
        check(len(app.get_accounts()) == 1 and app.acquire_token_silent(READ, account=app.get_accounts()[0]),
              "and finds the token again")
    issuer = msal.PublicClientApplication(CLIENT_ID, oidc_authority=f"{bench.authority}/v2.0", instance_discovery=False)
    expect(issuer.acquire_token_interactive(READ, login_hint=USER, timeout=60), "it takes the issuer as its authority")
