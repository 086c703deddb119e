# Licensed under the MIT License. See LICENSE.
"""azure-identity: every credential that it has, over its own pipeline."""
import azure.identity as identity
from azure.core.exceptions import ClientAuthenticationError

from bench import CLIENT_ID, TENANT, USER, check, claims_of, free_port

READ = "https://graph.microsoft.com/User.Read"


def run(bench):
    people(bench)


def settings(bench, **more):
    """What every credential that asks this emulator needs."""
    return {"authority": bench.base, "tenant_id": TENANT, "disable_instance_discovery": True, **more}


def people(bench):
    browser = identity.InteractiveBrowserCredential(
        **settings(bench, client_id=CLIENT_ID), login_hint=USER, redirect_uri=f"http://localhost:{free_port()}", timeout=60)
    token = browser.get_token(READ)
    check(bench.me(token.token).json()["userPrincipalName"] == USER, "InteractiveBrowserCredential signs in")
    check(browser.get_token(READ).token == token.token, "and keeps the token")
    record = browser.authenticate(scopes=[READ])
    check(record.username == USER and record.tenant_id == TENANT, "its record names the user")

    device = identity.DeviceCodeCredential(
        **settings(bench, client_id=CLIENT_ID), timeout=60, prompt_callback=lambda _, code, __: bench.type_code(code))
    check(claims_of(device.get_token(READ).token)["tid"] == TENANT, "DeviceCodeCredential signs in")

    silent = identity.DeviceCodeCredential(
        **settings(bench, client_id=CLIENT_ID), disable_automatic_authentication=True)
    check(refusal(silent) == "AuthenticationRequiredError", "without a person it says that one is needed")


def refusal(credential, scope=READ):
    """The name of the error that a credential raises."""
    try:
        credential.get_token(scope)
    except ClientAuthenticationError as error:
        return type(error).__name__
    return None
