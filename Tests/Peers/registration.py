# Licensed under the MIT License. See LICENSE.
"""MSAL for Python sees the settings of a registration, which Microsoft Graph's API changes as for a real tenant.

usage: registration.py BUILD_FOLDER
"""
import pathlib
import sys
import urllib.parse

import msal
import requests

from harness import CLIENT_ID, TENANT, USER, check, running_emulator

GRAPH_SCOPES = ["Application.ReadWrite.All", "Directory.ReadWrite.All", "User.ReadWrite.All"]


class Registration:
    def __init__(self, emulator):
        self.emulator = emulator
        self.session = requests.Session()
        self.session.trust_env = False  # REQUESTS_CA_BUNDLE would take precedence over `verify`.
        self.session.verify = emulator.ca_file
        token = emulator.steer("POST", "/tokens", {
            "user": "alex@contoso.example", "api": "https://graph.microsoft.com", "scopes": GRAPH_SCOPES})["access_token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def graph(self, method, path, body=None, status=None):
        response = self.session.request(method, f"{self.emulator.base}/v1.0{path}", json=body, headers=self.headers, timeout=20)
        check(status is None or response.status_code == status, f"{method} {path} is {response.status_code} {response.text[:200]}")
        return response.json() if response.content else None

    def change(self, **settings):
        self.graph("PATCH", f"/applications(appId='{CLIENT_ID}')", settings, 204)

    def sign_in(self, tenant=TENANT, user=USER):
        """What MSAL gets for a sign-in that the control API answers, or the text of the page that refuses it."""
        app = msal.PublicClientApplication(
            CLIENT_ID, authority=f"{self.emulator.base}/{tenant}", instance_discovery=False, http_client=self.session)
        self.emulator.steer("POST", "/sign-in", {"userPrincipalName": user})
        flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri="http://localhost")
        page = self.session.get(flow["auth_uri"], allow_redirects=False, timeout=20)
        if "location" not in page.headers:
            return page.text
        query = urllib.parse.urlsplit(page.headers["location"]).query
        return app.acquire_token_by_auth_code_flow(flow, dict(urllib.parse.parse_qsl(query)))


def registrations(registration):
    check("id_token" in registration.sign_in("common"), "an application of every account signs in at /common")
    registration.change(signInAudience="AzureADMyOrg")
    check("AADSTS50194" in registration.sign_in("common"), "an application of one tenant is refused at /common")
    registration.emulator.reset()

    registration.change(groupMembershipClaims="All", optionalClaims={"idToken": [{"name": "ctry"}, {"name": "ipaddr"}]})
    registration.graph("PATCH", f"/users/{USER}", {"usageLocation": "FR"}, 204)
    claims = registration.sign_in()["id_token_claims"]
    check(claims["ctry"] == "FR" and claims["ipaddr"] and claims["groups"] and claims["wids"], "the ID token has what is requested")

    made = registration.graph("POST", "/applications", {"displayName": "Nightly job"}, 201)
    key = registration.graph("POST", f"/applications/{made['id']}/addPassword", {}, 200)["secretText"]
    job = msal.ConfidentialClientApplication(
        made["appId"], client_credential=key, authority=f"{registration.emulator.base}/{TENANT}", instance_discovery=False,
        http_client=registration.session)
    refused = job.acquire_token_for_client(["https://graph.microsoft.com/.default"])
    check("AADSTS7000229" in refused["error_description"], "an application without a service principal gets no token")
    registration.graph("POST", "/servicePrincipals", {"appId": made["appId"]}, 201)
    check("access_token" in job.acquire_token_for_client(["https://graph.microsoft.com/.default"]), "with one, it gets a token")

    users = registration.session.get(
        f"{registration.emulator.base}/v1.0/users?$count=true&$filter=endsWith(mail,'@contoso.example')",
        headers={**registration.headers, "ConsistencyLevel": "eventual"}, timeout=20).json()
    check(users["@odata.count"] == 2, "endsWith finds the users of a domain")


def main():
    with running_emulator(pathlib.Path(sys.argv[1]).resolve()) as emulator:
        registrations(Registration(emulator))


main()
