# Licensed under the MIT License. See LICENSE.
"""azure-identity: every credential that it has, with its own pipeline."""
import asyncio
import logging
import pathlib
import time
import urllib.parse
import warnings

import azure.identity as identity
import azure.identity.aio as identity_aio
import jwt
from azure.core.exceptions import ClientAuthenticationError

from bench import (API, API_ID, CLIENT_ID, GRAPH, OWN_ID, PASSWORD, SERVICE_ID, SERVICE_SECRET, TENANT, USER, check, claims_of,
                   free_port)
from certificates import PASSPHRASE, Certificate

READ, GRAPH_ALL = f"{GRAPH}/User.Read", f"{GRAPH}/.default"
REDIRECT = "http://localhost:5000/auth"


def run(bench):
    logging.getLogger("azure").setLevel(logging.CRITICAL)  # It warns of each error that it raises.
    people(bench)
    services(bench)
    certificates(bench)
    renewed_certificate(bench)
    middle_tier(bench)
    asynchronous(bench)
    password(bench)
    chains(bench)


def settings(bench, **more):
    """The settings of every credential with this emulator."""
    return {"authority": bench.base, "tenant_id": TENANT, "disable_instance_discovery": True, **more}


def people(bench):
    browser = identity.InteractiveBrowserCredential(
        **settings(bench, client_id=CLIENT_ID), login_hint=USER, redirect_uri=f"http://localhost:{free_port()}", timeout=60)
    token = browser.get_token(READ)
    check(bench.me(token.token).json()["userPrincipalName"] == USER, "InteractiveBrowserCredential signs in")
    check(browser.get_token(READ).token == token.token, "it caches the token")
    record = browser.authenticate(scopes=[READ])
    check(record.username == USER and record.tenant_id == TENANT, "its record names the user")

    device = identity.DeviceCodeCredential(
        **settings(bench, client_id=CLIENT_ID), timeout=60, prompt_callback=lambda _, code, __: bench.type_code(code))
    check(claims_of(device.get_token(READ).token)["tid"] == TENANT, "DeviceCodeCredential signs in")

    silent = identity.DeviceCodeCredential(
        **settings(bench, client_id=CLIENT_ID), disable_automatic_authentication=True)
    check(refusal(silent) == "AuthenticationRequiredError", "without a person it reports that one is required")


def refusal(credential, scope=READ):
    """The name of the error that a credential raises."""
    try:
        credential.get_token(scope)
    except ClientAuthenticationError as error:
        return type(error).__name__
    return None


def services(bench):
    plain = settings(bench, client_id=SERVICE_ID)
    secret = identity.ClientSecretCredential(**plain, client_secret=SERVICE_SECRET)
    app_only(secret, "ClientSecretCredential")
    wrong = identity.ClientSecretCredential(**plain, client_secret="wrong")
    check(refusal(wrong, GRAPH_ALL) == "ClientAuthenticationError", "a wrong secret is rejected")
    capable = claims_of(secret.get_token(GRAPH_ALL, enable_cae=True).token)
    check("CP1" in str(capable.get("xms_cc")), "it sends its capabilities, and the token repeats them")
    app_only(secret, "for Azure Resource Manager", "https://management.azure.com/.default")

    flow = identity.AuthorizationCodeCredential(
        **plain, client_secret=SERVICE_SECRET, redirect_uri=REDIRECT, authorization_code=code(bench))
    token = flow.get_token(READ)
    check(bench.me(token.token).ok, "AuthorizationCodeCredential redeems a code")
    incoming = user_token(bench)
    middle = identity.OnBehalfOfCredential(
        **settings(bench, client_id=API_ID), user_assertion=incoming, client_secret=SERVICE_SECRET)
    check(bench.me(middle.get_token(READ).token).ok, "OnBehalfOfCredential calls Graph for the user")


def middle_tier(bench):
    """An API that calls Graph for its callers, with a certificate and with an assertion that it signs itself."""
    certificate = Certificate("api.contoso.example")
    pem, _ = certificate.save(bench.folder)
    with bench.with_application(
            apis=[{"clientId": OWN_ID, "identifierUris": [f"api://{OWN_ID}"], "scopes": ["access_as_user"]}],
            certificates=[certificate.pem], allowsPublicFlows=True,
            grantedScopes={f"api://{OWN_ID}": ["access_as_user"], GRAPH: ["User.Read"]}) as place:
        device = identity.DeviceCodeCredential(
            **settings(place, client_id=OWN_ID), timeout=60, prompt_callback=lambda _, code, __: place.type_code(code))
        incoming = device.get_token(f"api://{OWN_ID}/access_as_user").token

        def assertion():
            now = int(time.time())
            return jwt.encode(
                {"aud": place.metadata()["token_endpoint"], "iss": OWN_ID, "sub": OWN_ID, "jti": str(now), "nbf": now,
                 "exp": now + 300}, certificate.key_pem(), algorithm="RS256", headers={"x5t": certificate.x5t})

        for way, options in {"a certificate": {"client_certificate": pathlib.Path(pem).read_bytes()},
                             "an assertion": {"client_assertion_func": assertion}}.items():
            credential = identity.OnBehalfOfCredential(
                **settings(place, client_id=OWN_ID), user_assertion=incoming, **options)
            check(place.me(credential.get_token(READ).token).ok, f"OnBehalfOfCredential with {way}")


def asynchronous(bench):
    """The same library over aiohttp, which reads SSL_CERT_FILE."""
    async def token():
        async with identity_aio.ClientSecretCredential(
                **settings(bench, client_id=SERVICE_ID), client_secret=SERVICE_SECRET) as credential:
            return (await credential.get_token(GRAPH_ALL)).token

    check("scp" not in claims_of(asyncio.run(token())), "its asynchronous ClientSecretCredential, over aiohttp")


def password(bench):
    # MSAL calls `/common/userrealm/` at port 443 for it.
    with bench.at_standard_port() as place, warnings.catch_warnings(action="ignore"):  # Deprecated there as here.
        if not place:
            return
        browser = identity.InteractiveBrowserCredential(
            **settings(place, client_id=CLIENT_ID), login_hint=USER, redirect_uri=f"http://localhost:{free_port()}", timeout=60)
        browser.get_token(READ)  # Consents.
        credential = identity.UsernamePasswordCredential(
            **settings(place, client_id=CLIENT_ID), username=USER, password=PASSWORD)
        check(place.me(credential.get_token(READ).token).ok, "UsernamePasswordCredential signs in")


def certificates(bench):
    certificate = Certificate("app.contoso.example", Certificate("The root of a company"))
    pem, pfx = certificate.save(bench.folder)
    with bench.with_application(certificates=[certificate.pem]) as place:
        plain = settings(place, client_id=OWN_ID)
        for way, options in {
            "PEM": {"certificate_path": pem}, "PFX": {"certificate_path": pfx, "password": PASSPHRASE},
            "PEM, with x5c": {"certificate_path": pem, "send_certificate_chain": True},
        }.items():
            app_only(identity.CertificateCredential(**plain, **options), f"CertificateCredential: {way}")
        with place.environment(
                AZURE_CLIENT_ID=OWN_ID, AZURE_TENANT_ID=TENANT, AZURE_AUTHORITY_HOST=place.base,
                AZURE_CLIENT_CERTIFICATE_PATH=pem):
            app_only(identity.EnvironmentCredential(disable_instance_discovery=True), "EnvironmentCredential, a certificate")


def renewed_certificate(bench):
    """The registration has the issuer and the subject, so only the chain shows whose certificate it is."""
    root = Certificate("The root of a company")
    pem, _ = Certificate("app.contoso.example", root).save(bench.folder)
    with bench.with_application(certificates=[{"pem": root.pem, "subject": "CN=app.contoso.example"}]) as place:
        plain = settings(place, client_id=OWN_ID, certificate_path=pem)
        app_only(identity.CertificateCredential(**plain, send_certificate_chain=True),
                 "CertificateCredential with its chain, by subject and issuer")
        check(refusal(identity.CertificateCredential(**plain), GRAPH_ALL) == "ClientAuthenticationError",
              "without its chain it is rejected")


def chains(bench):
    plain = {"AZURE_CLIENT_ID": SERVICE_ID, "AZURE_TENANT_ID": TENANT, "AZURE_AUTHORITY_HOST": bench.base}
    with bench.environment(**plain, AZURE_CLIENT_SECRET=SERVICE_SECRET):
        app_only(identity.EnvironmentCredential(disable_instance_discovery=True), "EnvironmentCredential")
        app_only(identity.DefaultAzureCredential(disable_instance_discovery=True), "DefaultAzureCredential")
    chain = identity.ChainedTokenCredential(
        identity.EnvironmentCredential(),
        identity.ClientSecretCredential(**settings(bench, client_id=SERVICE_ID), client_secret=SERVICE_SECRET))
    app_only(chain, "ChainedTokenCredential, with its second credential")


def app_only(credential, what, scope=None):
    claims = claims_of(credential.get_token(scope or GRAPH_ALL).token)
    check("scp" not in claims and claims["tid"] == TENANT, f"{what}: an app-only token")


def code(bench):
    query = urllib.parse.urlencode({
        "client_id": SERVICE_ID, "redirect_uri": REDIRECT, "response_type": "code", "scope": f"{READ} offline_access",
        "login_hint": USER})
    response = bench.person().open(f"{bench.authority}/oauth2/v2.0/authorize?{query}", until=REDIRECT)
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(response.url).query))["code"]


def user_token(bench):
    device = identity.DeviceCodeCredential(
        **settings(bench, client_id=CLIENT_ID), timeout=60, prompt_callback=lambda _, code, __: bench.type_code(code))
    return device.get_token(f"{API}/ToDoList.Read").token
