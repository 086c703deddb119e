# Licensed under the MIT License. See LICENSE.
"""Agent identities with MSAL Python and with Microsoft's agents SDK: the blueprint's token for an agent, the agent's own token, the
tokens of its user account, and a token on behalf of a person."""
import json
import pathlib
import sys

import msal
import requests

from bench import GRAPH, PASSWORD, TENANT, USER, check, claims_of

BLUEPRINT = "00000000-0000-4000-8000-0000000000b1"
SECRET = "Blueprint-secret-1"
AGENT = "00000000-0000-4000-8000-0000000000c1"
SECOND = "00000000-0000-4000-8000-0000000000c2"
ASSISTANT, ASSISTANT_ID = "assistant@contoso.example", "aaaaaaaa-0000-4000-8000-0000000000d1"
EXCHANGE = ["api://AzureADTokenExchange/.default"]
DIRECTORY = {
    "tenants": [{"id": TENANT, "domain": "contoso.example", "displayName": "Contoso"}],
    "users": [
        {"userPrincipalName": USER, "displayName": "Megan Bowen", "password": PASSWORD},
        {"userPrincipalName": ASSISTANT, "id": ASSISTANT_ID, "displayName": "Assistant", "agent": AGENT},
        {"userPrincipalName": "second@contoso.example", "displayName": "Second", "agent": SECOND},
    ],
    "applications": [{
        "clientId": BLUEPRINT, "displayName": "Blueprint", "type": "web", "secrets": [{"value": SECRET}], "isAgentBlueprint": True,
        "grantedScopes": {GRAPH: ["User.Read"]}, "grantedRoles": {GRAPH: ["User.Read.All"]}, "inheritablePermissions": [GRAPH],
    }],
    "apis": [{"clientId": BLUEPRINT, "identifierUris": [f"api://{BLUEPRINT}"], "scopes": ["access_agent"],
              "accessTokenAcceptedVersion": 2}],
    "agents": [{"id": agent, "displayName": agent, "blueprint": BLUEPRINT, "tenant": TENANT} for agent in (AGENT, SECOND)],
}


def run(bench):
    seed = bench.folder / "agents.json"
    seed.write_text(json.dumps(DIRECTORY))
    with bench.elsewhere("--seed", seed) as place:
        legs(place)
        on_behalf_of(place)
        refusals(place)
    agents_sdk(bench, seed)


def application(bench, client, credential):
    return msal.ConfidentialClientApplication(client, authority=bench.authority, instance_discovery=False, client_credential=credential)


def agent(bench, client=AGENT):
    blueprint = application(bench, BLUEPRINT, SECRET)

    def assertion():
        return blueprint.acquire_token_for_client(EXCHANGE, fmi_path=client)["access_token"]
    return application(bench, client, {"client_assertion": assertion})


def succeeds(result, message):
    check("access_token" in result, f"{message} {result.get('error_description', '')}".strip())
    return claims_of(result["access_token"])


def facets(claims, name):
    return set(claims.get(name, "").split())


def legs(bench):
    own = agent(bench)
    claims = succeeds(own.acquire_token_for_client([f"{GRAPH}/.default"]), "MSAL Python: an agent gets a token for itself")
    check(claims["appid"] == AGENT and "11" in facets(claims, "xms_sub_fct"), "the token names the agent as its subject")
    proof = own.acquire_token_for_client(EXCHANGE)["access_token"]
    for name in ({"username": ASSISTANT}, {"user_object_id": ASSISTANT_ID}):
        result = own.acquire_token_by_user_federated_identity_credential([f"{GRAPH}/.default"], proof, **name)
        claims = succeeds(result, f"an agent gets the token of its user account by {', '.join(name)}")
        check(claims["oid"] == ASSISTANT_ID and "13" in facets(claims, "xms_sub_fct"), "the token names the account")
        check(result["id_token_claims"]["preferred_username"] == ASSISTANT, "the ID token names it, too")
    reply = bench.me(result["access_token"])
    check(reply.json().get("userPrincipalName") == ASSISTANT, f"Graph accepts the token {'' if reply.ok else reply.text}".strip())
    account, = own.get_accounts()
    cached = own.acquire_token_silent([f"{GRAPH}/User.Read"], account=account)
    check(cached["access_token"] == result["access_token"], "the account is in the cache")
    fresh = own.acquire_token_silent_with_error([f"{GRAPH}/User.Read"], account=account, force_refresh=True)
    succeeds(fresh, "the agent redeems the refresh token of its user account")


def on_behalf_of(bench):
    incoming = bench.emulator.steer("POST", "/tokens", {"user": USER, "api": BLUEPRINT})["access_token"]
    claims = succeeds(agent(bench).acquire_token_on_behalf_of(incoming, [f"{GRAPH}/User.Read"]), "an agent acts for a person")
    check("11" in facets(claims, "xms_act_fct") and "13" not in facets(claims, "xms_sub_fct"), "the token names agent and person")


def refusals(bench):
    def number(result):
        return result.get("error_codes", [None])[0]

    own = agent(bench)
    proof = own.acquire_token_for_client(EXCHANGE)["access_token"]
    for name, expected in (("second@contoso.example", 50105), (USER, 50105), ("nobody@contoso.example", 50034)):
        result = own.acquire_token_by_user_federated_identity_credential([f"{GRAPH}/.default"], proof, username=name)
        check(number(result) == expected, f"the account {name} is AADSTS{expected}")
    blueprint = application(bench, BLUEPRINT, SECRET)
    result = blueprint.acquire_token_for_client(EXCHANGE, fmi_path="00000000-0000-4000-8000-00000000dead")
    check(number(result) == 700016, "an agent that does not exist is AADSTS700016")
    stolen = blueprint.acquire_token_for_client(EXCHANGE, fmi_path=AGENT)["access_token"]
    result = application(bench, SECOND, {"client_assertion": stolen}).acquire_token_for_client([f"{GRAPH}/.default"])
    check(number(result) == 700213, "the assertion of another agent is AADSTS700213")
    page = requests.get(f"{bench.authority}/oauth2/v2.0/authorize", params={
        "client_id": AGENT, "response_type": "code", "redirect_uri": "http://localhost", "scope": "openid"}, timeout=10)
    check("AADSTS82014" in page.text, "an interactive request is AADSTS82014")


def agents_sdk(bench, seed):
    """microsoft-agents-authentication-msal calls login.microsoftonline.com, so it runs where that name leads to the emulator."""
    program = pathlib.Path(__file__).resolve().parents[1] / "apps" / "agents_sdk.py"
    done = bench.as_service(sys.executable, program, TENANT, BLUEPRINT, SECRET, AGENT, ASSISTANT_ID, options=["--seed", seed])
    if done is None:
        return
    check(done.returncode == 0, f"the agents SDK gets its tokens{done.stdout + done.stderr if done.returncode else ''}")
    own, instance, user = json.loads(done.stdout.splitlines()[-1])
    check(claims_of(own)["azp"] == BLUEPRINT and AGENT in claims_of(own)["sub"], "its application token is the blueprint's")
    check(claims_of(instance)["azp"] == AGENT, "its instance token is the agent's")
    check(claims_of(user)["oid"] == ASSISTANT_ID, "its user token is that of the agent's user account")

