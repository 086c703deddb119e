# Licensed under the MIT License. See LICENSE.
"""A protected API that implements the rules for access tokens, independently of the emulator. Its results for the shared cases must
be the expected ones; then it must accept only the tokens that the emulator issues."""
import json
import pathlib
import time

import requests

from bench import API, CLIENT_ID, SERVICE_ID, SERVICE_SECRET, TENANT, check
from validator import Rejected, Validator

CASES = pathlib.Path(__file__).resolve().parents[2] / "Conformance" / "server" / "access-token-validation.json"
API_ID = API.removeprefix("api://")


def run(bench):
    decide_the_cases()
    users(bench)
    applications(bench)
    after_a_rollover(bench)
    other_tenants(bench)


def decide_the_cases():
    document = json.loads(CASES.read_text())
    fixtures = document["fixtures"]
    cases = [case for case in document["cases"] if case["op"] == "validate"]
    addresses = {**fixtures["documents"], **fixtures["keySets"]}
    wrong = []
    for case in cases:
        given = case["in"]
        settings = {**fixtures["apis"][given["api"]], **(given.get("settings") or {})}
        try:
            outcome = {"accept": Validator(settings, addresses.__getitem__).accept(given["token"], given["now"])}
        except Rejected as reason:
            outcome = {"reject": str(reason), "status": case["out"].get("status")}
        if outcome != {name: sorted_lists(value) for name, value in case["out"].items() if name != "fetches"}:
            wrong.append((case["id"], case["out"], outcome))
    check(not wrong, f"it has the expected results for {len(cases)} cases {wrong or ''}".strip())


def sorted_lists(value):
    if isinstance(value, dict):
        return {name: sorted(member) if isinstance(member, list) else member for name, member in value.items()}
    return value


def validator(bench, authority=TENANT, api=API_ID, **settings):
    def fetch(address):
        return requests.get(address, verify=bench.ca_file, timeout=10).json()
    return Validator({"kind": "aad", "authority": f"{bench.base}/{authority}", "clientId": api, "tenants": [TENANT],
                      **settings}, fetch)


def user_tokens(bench, scope, user="megan@contoso.example", tenant=TENANT):
    """With a device code, which needs no library."""
    begun = post(bench, f"{tenant}/oauth2/v2.0/devicecode", client_id=CLIENT_ID, scope=scope)
    bench.type_code(begun["user_code"], user)
    return post(bench, f"{tenant}/oauth2/v2.0/token", client_id=CLIENT_ID, device_code=begun["device_code"],
                grant_type="urn:ietf:params:oauth:grant-type:device_code")


def application_token(bench, scope):
    return post(bench, f"{TENANT}/oauth2/v2.0/token", client_id=SERVICE_ID, client_secret=SERVICE_SECRET,
                grant_type="client_credentials", scope=scope)["access_token"]


def post(bench, path, **form):
    return requests.post(f"{bench.base}/{path}", form, verify=bench.ca_file, timeout=10).json()


def rejection(this, token):
    try:
        return this.accept(token, time.time()) and None
    except Rejected as reason:
        return str(reason)


def users(bench):
    tokens = user_tokens(bench, f"{API}/ToDoList.Read openid profile")
    this = validator(bench, requires={"anyScope": ["ToDoList.Read"]}, clients=[CLIENT_ID])
    principal = this.accept(tokens["access_token"], time.time())
    check(principal["kind"] == "user" and principal["version"] == "2.0", "it accepts a user's token of version 2.0")
    check(rejection(this, tokens["id_token"]) == "invalidAudience", "it rejects the ID token")
    own = validator(bench, api=CLIENT_ID)
    check(rejection(own, tokens["id_token"]) == "notAnAccessToken", "the app itself rejects the ID token, too")
    check(rejection(validator(bench, api=CLIENT_ID), tokens["access_token"]) == "invalidAudience",
          "another API rejects the access token")
    check(rejection(validator(bench, authority="organizations", tenants="any"), tokens["access_token"]) is None,
          "a multitenant API accepts it")
    graph = user_tokens(bench, "User.Read openid")["access_token"]
    version1 = validator(bench, api="00000003-0000-0000-c000-000000000000").accept(graph, time.time())
    check(version1["version"] == "1.0" and version1["client"] == CLIENT_ID, "it accepts a user's token of version 1.0")


def applications(bench):
    this = validator(bench, requires={"anyApplicationRole": ["ToDoList.Read.All"]})
    principal = this.accept(application_token(bench, f"{API}/.default"), time.time())
    check(principal["kind"] == "application" and principal["client"] == SERVICE_ID, "it accepts an application's token")
    graph = validator(bench, api="00000003-0000-0000-c000-000000000000", audiences=["https://graph.microsoft.com"])
    named = graph.accept(application_token(bench, "https://graph.microsoft.com/.default"), time.time())
    check(named["kind"] == "application" and "User.Read.All" in named["roles"], "it accepts an application's token of version 1.0")


def after_a_rollover(bench):
    before = application_token(bench, f"{API}/.default")
    bench.emulator.steer("POST", "/keys", {"rollover": True})
    after = application_token(bench, f"{API}/.default")
    check(before.split(".")[0] != after.split(".")[0], "a new key signs")
    check([rejection(validator(bench), token) for token in (before, after)] == [None, None],
          "it accepts tokens signed with the old key and with the new one")


def other_tenants(bench):
    customer = user_tokens(bench, f"{API}/ToDoList.Read openid", "password@fabrikam.example", "fabrikam.example")
    check(rejection(validator(bench, authority="organizations", tenants=[TENANT]), customer["access_token"])
          == "tenantNotAllowed", "a tenant that is not listed is rejected")
    fabrikam = "22222222-2222-2222-2222-222222222222"
    check(rejection(validator(bench, authority=fabrikam, tenants=[fabrikam]), customer["access_token"]) is None,
          "an API of the External ID tenant accepts its customer")
