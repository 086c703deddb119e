# Licensed under the MIT License. See LICENSE.
"""The kinds of directories, each at its host with its recorded user, and the boundaries between clouds."""
from functools import partial

from service import refused
from wire import page

USAGE = 2
CUSTOMERS = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_Signin"


def personal(world):
    world.service.user = "user-msa"
    assert world.login()["account"]["username"] == "msalsdktest@outlook.com"
    assert world.msal("token").status == 0 and world.msal("token", "--refresh").status == 0


def organization(world):
    assert world.login()["account"]["username"].startswith("MSAL-User-Default@")
    outcome = world.msal("graph", "/me", "-o", "json")
    assert outcome.status == 0 and outcome.json["body"] == world.recordings["graph-me"]


def external(world):
    world.service.user = "user-ciam"
    authority = "https://fabrikam.ciamlogin.com/5e6a4f9e-1f0f-4c0b-9c6f-1d1f6a2b3c4d"
    assert world.login(MSAL_AUTHORITY=authority)["account"]["username"] == "contoso-consumer@contoso.com"
    assert world.msal("token", "--refresh", MSAL_AUTHORITY=authority).status == 0
    assert not world.service.seen("instance"), "External ID needs no instance discovery"


def federation(world):
    outcome = world.msal("login", MSAL_AUTHORITY="https://fs.contoso.com/adfs")
    assert outcome.status == USAGE and "AD FS" in outcome.errors or "adfs" in outcome.errors.lower()
    assert not world.service.requests


def unknown_tenant(world):
    error = world.refused_login(MSAL_AUTHORITY="https://login.microsoftonline.com/x")
    assert error["internal_code"] == -42010 and "Tenant 'x' not found" in error["message"]
    assert "90002" in str(error) and not world.service.seen("authorize")


def unknown_host(world):
    error = world.refused_login(MSAL_AUTHORITY="https://login.contoso.com/common")
    assert error["internal_code"] == -42010 and "50049" in str(error)
    assert not world.service.at("login.contoso.com")


def sovereign(login, graph, world):
    authority = f"https://{login}/organizations"
    world.login(MSAL_AUTHORITY=authority)
    outcome = world.msal("graph", "/me", MSAL_AUTHORITY=authority)
    assert [request.host for request in world.service.seen("graph")] == [graph], "the token went elsewhere"
    assert outcome.status == 0


def sovereign_by_table(login, graph, world):
    world.service.metadata = {"msgraph_host": None, "cloud_graph_host_name": None}
    sovereign(login, graph, world)


def graph_of_another_cloud(world):
    authority = "https://login.microsoftonline.us/organizations"
    world.login(MSAL_AUTHORITY=authority)
    outcome = world.msal("graph", "/me", MSAL_AUTHORITY=authority, MSAL_GRAPH_URL="https://graph.microsoft.com/")
    assert outcome.status != 0 and not world.service.seen("graph"), "the token crossed the border"


def graph_that_metadata_invent(world):
    world.service.metadata = {"msgraph_host": "attacker.example"}
    world.login()
    world.msal("graph", "/me")
    assert not world.service.at("attacker.example")


def followed_nowhere(authority, world):
    world.service.redirect = {"cloud_instance_host_name": "login.microsoftonline.us"}
    settings = {"MSAL_AUTHORITY": authority}
    arguments = ["--known-authority", authority] if "contoso" in authority else []
    world.login(*arguments, **settings)
    hosts = {request.host for request in world.service.requests}
    assert "login.microsoftonline.us" not in hosts, "the redirect chose the cloud"


def customers(world):
    world.service.user = "user-b2c"
    answer = world.login(MSAL_AUTHORITY=CUSTOMERS)
    assert answer["account"]["username"] == "msalsdktest@outlook.com"
    scopes = world.service.seen("authorize")[0].query["scope"].split()
    assert world.environment["MSAL_CLIENT_ID"] in scopes and "User.Read" not in scopes
    assert world.msal("token", MSAL_AUTHORITY=CUSTOMERS).status == 0
    assert world.msal("token", "--refresh", MSAL_AUTHORITY=CUSTOMERS).status == 0


def customers_without_tenant(world):
    world.service.user = "user-b2c-no-tid"
    world.login(MSAL_AUTHORITY=CUSTOMERS)
    assert world.msal("token", MSAL_AUTHORITY=CUSTOMERS).status == 0


def customers_of_old(world):
    """As in the recording: the host of Entra ID, and the policy in the path."""
    world.service.user = "user-b2c"
    authority = "https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_Signin"
    world.login(MSAL_AUTHORITY=authority)
    assert world.msal("token", "--refresh", MSAL_AUTHORITY=authority).status == 0


def customers_doctor(world):
    world.service.user = "user-b2c"
    assert world.msal("doctor", MSAL_AUTHORITY=CUSTOMERS).status == 0
    assert world.service.seen("metadata")


def customers_own_host(world):
    authority = "https://login.contoso.com/tfp/contoso.onmicrosoft.com/B2C_1_Signin"
    world.login()
    before = len(world.service.requests)
    for command in ("login", "token", "graph", "doctor"):
        outcome = world.msal(command, MSAL_AUTHORITY=authority)
        assert outcome.status == USAGE and f"--known-authority {authority}" in outcome.text
    assert len(world.service.requests) == before
    world.service.user = "user-b2c"
    world.login("--known-authority", authority, MSAL_AUTHORITY=authority)


def policy_unknown(world):
    """Constructed: B2C responds with 404 for a policy that it does not have."""
    world.service.always("metadata", page("The resource cannot be found.", 404))
    assert world.msal("doctor", MSAL_AUTHORITY=CUSTOMERS).status != 0


def forgotten(world):
    words = ("AADB2C90118: The user has forgotten their password.\r\n"
             "Correlation ID: e7619cf4-53ea-443c-b76a-194c032e9840\r\nTimestamp: 2021-04-14 11:27:26Z\r\n")
    world.service.user = "user-b2c"
    world.service.always("authorize", lambda request: refused(request.query, "access_denied", words))
    outcome = world.msal("login", "-o", "json", MSAL_AUTHORITY=CUSTOMERS)
    assert outcome.status == 1 and outcome.error["code"] == -50005
    told = f"{outcome.error['message']} {outcome.error['remedy']}"
    assert "AADB2C90118" in told and "forgotten" in told and "policy" in told and "B2C_1_" in told


def cancelled(world):
    words = "AADB2C90091: The user has cancelled entering self-asserted information."
    world.service.user = "user-b2c"
    world.service.always("authorize", lambda request: refused(request.query, "access_denied", words))
    assert world.msal("login", MSAL_AUTHORITY=CUSTOMERS).status == 130


CASES = {
    "a person of an organization signs in and calls Graph": organization,
    "a personal account signs in": personal,
    "a customer of External ID signs in": external,
    "a customer of B2C signs in without a known authority, with the client ID as scope": customers,
    "a B2C ID token without tid is accepted": customers_without_tenant,
    "a customer of B2C signs in at the host of Entra ID": customers_of_old,
    "doctor reports no problem with B2C": customers_doctor,
    "a custom B2C host is reported with the flag that allows it": customers_own_host,
    "doctor reports a policy that B2C does not have": policy_unknown,
    "a forgotten password is reported with the policy to use": forgotten,
    "a cancellation at B2C is reported as one": cancelled,
    "AD FS is rejected with the reason, before anything is sent": federation,
    "a tenant that does not exist is reported with the service's text": unknown_tenant,
    "a host that the service does not know is rejected and never called": unknown_host,
    "a token of the US government's cloud goes to its own Graph": partial(
        sovereign, "login.microsoftonline.us", "graph.microsoft.us"),
    "a token of the Chinese cloud goes to its own Graph": partial(
        sovereign, "login.partner.microsoftonline.cn", "microsoftgraph.chinacloudapi.cn"),
    "if the metadata name no Graph, the table of clouds is used": partial(
        sovereign_by_table, "login.microsoftonline.us", "graph.microsoft.us"),
    "the same for an alias of the Chinese cloud": partial(
        sovereign_by_table, "login.chinacloudapi.cn", "microsoftgraph.chinacloudapi.cn"),
    "a token is not sent to another cloud's Graph, even if the environment names it": graph_of_another_cloud,
    "a token is not sent to a Graph that only the metadata name": graph_that_metadata_invent,
    "a redirect that names another cloud is not followed": partial(
        followed_nowhere, "https://login.microsoftonline.com/organizations"),
    "a redirect to another cloud is not followed for a private authority": partial(followed_nowhere, "https://login.contoso.com/organizations"),
}
