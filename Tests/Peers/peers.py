# Licensed under the MIT License. See LICENSE.
"""Microsoft's Python libraries sign in with the emulator: it must work with clients that its authors did not write.
PyJWT, which MSAL Python installs, verifies the signatures of the access tokens in the conformance cases.

usage: peers.py BUILD_FOLDER
"""
import base64
import json
import os
import pathlib
import sys

import requests

import device_codes
import judged_tokens
from harness import CLIENT_ID, PASSWORD, TENANT, USER, browser_command, check, free_port, running_emulator


def payload(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def me(emulator, token):
    return requests.get(f"{emulator.base}/v1.0/me", headers={"Authorization": f"Bearer {token}"},
                        verify=emulator.ca_file, timeout=10)


def msal_python(emulator):
    import msal

    app = msal.PublicClientApplication(
        CLIENT_ID, authority=f"{emulator.base}/{TENANT}", instance_discovery=False, verify=emulator.ca_file)
    result = app.acquire_token_interactive(["User.Read"], login_hint=USER, timeout=60)
    check("access_token" in result, f"MSAL Python signs in with a code {result.get('error_description', '')}")
    claims = result["id_token_claims"]
    check(claims["preferred_username"] == USER and claims["tid"] == TENANT, "its ID token names the user and the tenant")
    check("refresh_token" in result, "it gets a refresh token")
    reply = me(emulator, result["access_token"])
    check(reply.ok and reply.json()["userPrincipalName"] == USER, "Graph accepts its access token for /me")
    check(me(emulator, "nonsense").status_code == 401, "Graph rejects another token")

    account, = app.get_accounts()
    check(account["username"] == USER, "it keeps the account")
    cached = app.acquire_token_silent(["User.Read"], account=account)
    check(cached["access_token"] == result["access_token"], "a second token comes from its cache")
    fresh = app.acquire_token_silent_with_error(["User.Read"], account=account, force_refresh=True)
    check(fresh.get("access_token") not in (None, result["access_token"]), "a forced refresh returns a new token")
    check(me(emulator, fresh["access_token"]).ok, "Graph accepts the refreshed token")
    api = "api://00000000-0000-4000-8000-0000000000a1/ToDoList.Read"
    other = app.acquire_token_silent_with_error([api], account=account)
    check(other.get("error") == "invalid_grant", "a silent request for an API without consent is rejected")
    other = app.acquire_token_interactive([api], login_hint=USER, timeout=60)
    check("access_token" in other, f"an interactive request for that API succeeds {other.get('error_description', '')}")
    check(me(emulator, other["access_token"]).status_code == 401, "Graph rejects a token for another API")

    wrong = app.acquire_token_by_refresh_token("nonsense", ["User.Read"])
    check(wrong["error"] == "invalid_grant", "an unknown refresh token is invalid_grant")
    app.remove_account(account)
    check(not app.get_accounts(), "sign-out leaves no account")


def azure_identity(emulator):
    from azure.identity import InteractiveBrowserCredential

    credential = InteractiveBrowserCredential(
        authority=emulator.base, tenant_id=TENANT, client_id=CLIENT_ID, login_hint=USER,
        redirect_uri=f"http://localhost:{free_port()}", timeout=60,
        disable_instance_discovery=True, connection_verify=emulator.ca_file)
    token = credential.get_token("https://graph.microsoft.com/User.Read")
    check(payload(token.token)["tid"] == TENANT, "azure-identity signs in with form_post")
    check(me(emulator, token.token).ok, "Graph accepts its access token")
    visits = (emulator.folder / "browser.log").read_text()
    again = credential.get_token("https://graph.microsoft.com/User.Read")
    check(me(emulator, again.token).ok, "its second token is valid")
    check((emulator.folder / "browser.log").read_text() == visits, "the second token needed no browser")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    judged_tokens.judge()
    with running_emulator(build) as emulator:
        # Both libraries read BROWSER when Python's webbrowser module is first used.
        os.environ["BROWSER"] = str(browser_command(emulator.folder, "browser", build / "ScriptedBrowser"))
        os.environ["MSAL_AGENT_USER"], os.environ["MSAL_AGENT_PASSWORD"] = USER, PASSWORD
        os.environ["MSAL_CA_FILE"] = emulator.ca_file
        # `requests` prefers this variable, if the machine sets it, to the authority of the session.
        os.environ["REQUESTS_CA_BUNDLE"] = emulator.ca_file
        try:
            msal_python(emulator)
            azure_identity(emulator)
            device_codes.sign_in(build, emulator, str(build / "ScriptedBrowser"))
        except BaseException:
            log = emulator.folder / "browser.log"
            print(f"--- browser\n{log.read_text() if log.exists() else 'never started'}\n--- emulator\n{emulator.output()}")
            raise
    print("the Python peers pass")


main()
