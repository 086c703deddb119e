# Licensed under the MIT License. See LICENSE.
"""The requests of MSAL for Go and MSAL for Node that differ from MSAL Python's, one by one: a machine that runs these tests need
not have Go or Node."""
import requests

from bench import API, CLIENT_ID, GRAPH, PASSWORD, SERVICE_ID, SERVICE_SECRET, TENANT, USER, check

GO = {"x-client-sku": "MSAL.Go", "x-client-os": "linux", "x-client-cpu": "amd64", "x-client-ver": "1.4.2",
      "Content-Type": "application/x-www-form-urlencoded; charset=utf-8", "return-client-request-id": "false"}
NODE = {"x-client-SKU": "msal.js.node", "x-client-VER": "3.7.0", "x-client-OS": "linux", "x-client-CPU": "x64",
        "x-ms-lib-capability": "retry-after, h429", "x-client-current-telemetry": "5|671,0,,,|,",
        "x-client-last-telemetry": "5|0|||0,0", "Content-Type": "application/x-www-form-urlencoded;charset=utf-8"}


def run(bench):
    client = requests.Session()
    client.verify = bench.ca_file
    addresses(bench, client)
    go(bench, client)
    node(bench, client)


def addresses(bench, client):
    realm = client.get(f"{bench.base}/common/UserRealm/{USER}?api-version=1.0")
    check(realm.status_code == 200 and realm.json()["account_type"] == "Managed", "UserRealm in the letter case of MSAL for Go")
    for path in (f"/{TENANT.upper()}/V2.0/.Well-Known/OpenID-Configuration", f"/{TENANT}/Discovery/v2.0/Keys",
                 "/Common/Discovery/Instance?api-version=1.1&authorization_endpoint="
                 f"{bench.base}/{TENANT}/oauth2/v2.0/authorize"):
        check(client.get(bench.base + path).status_code == 200, f"any letter case: {path.partition('?')[0][-40:]}")


def go(bench, client):
    address = f"{bench.base}/{TENANT}/oauth2/v2.0/"
    scope = "openid offline_access profile User.Read"
    begin = client.post(address + "devicecode", headers=GO, data={"client_id": CLIENT_ID, "scope": scope, "client_info": "1"})
    check(begin.ok and isinstance(begin.json()["interval"], int), "MSAL for Go begins with a device code")
    bench.type_code(begin.json()["user_code"])
    # It sends the short name of the grant, the code twice, and in older versions the path with different capitalization.
    token = client.post(bench.base + f"/{TENANT}/OAuth2/v2.0/Token", headers=GO, data={
        "grant_type": "device_code", "device_code": begin.json()["device_code"], "code": begin.json()["device_code"],
        "client_id": CLIENT_ID, "client_info": "1", "scope": scope})
    check(token.ok and token.json()["client_info"], f"MSAL for Go redeems it {token.json().get('error_description', '')}".strip())
    password = client.post(address + "token", headers=GO, data={
        "grant_type": "password", "username": USER, "password": PASSWORD, "client_id": CLIENT_ID, "client_info": "1",
        "scope": scope})
    check(password.ok and password.json()["id_token"], "MSAL for Go signs in with a password")
    daemon = client.post(address + "token", headers=GO, data={
        "grant_type": "client_credentials", "client_id": SERVICE_ID, "client_secret": SERVICE_SECRET, "client_info": "1",
        "scope": f"{GRAPH}/.default openid offline_access profile"})
    # A successful response is a token, which must not get into a log.
    check(daemon.ok,
          f"a daemon of MSAL for Go signs in, although it sends OpenID Connect scopes {'' if daemon.ok else daemon.text[:200]}".strip())


def node(bench, client):
    address = f"{bench.base}/{TENANT}/oauth2/v2.0/"
    begin = client.post(address + "devicecode", headers=NODE, data={
        "client_id": CLIENT_ID, "scope": "User.Read openid profile offline_access"})
    bench.type_code(begin.json()["user_code"])
    token = client.post(address + "token", headers=NODE, data={
        "client_id": CLIENT_ID, "scope": "User.Read openid profile offline_access", "grant_type": "device_code",
        "device_code": begin.json()["device_code"], "client-request-id": "0c2b4d0e-3d4e-4f62-9d0a-1f3f5b1c8a5e",
        "client_info": "1", "x-client-SKU": "msal.js.node", "x-client-VER": "3.7.0", "x-client-OS": "linux",
        "x-client-CPU": "x64", "X-AnchorMailbox": ""})
    check(token.ok and token.json()["token_type"] == "Bearer", "MSAL for Node redeems a device code, with its headers in the form")
    fresh = client.post(address + "token", headers=NODE, data={
        "client_id": CLIENT_ID, "scope": f"{API}/ToDoList.Read openid profile offline_access", "grant_type": "refresh_token",
        "client_info": "1", "refresh_token": token.json()["refresh_token"]})
    check(fresh.ok or fresh.json()["error"] == "invalid_grant", "the response to its refresh is JSON")
    daemon = client.post(address + "token", headers=NODE, data={
        "client_id": SERVICE_ID, "client_secret": SERVICE_SECRET, "grant_type": "client_credentials",
        "scope": f"{GRAPH}/.default", "claims": '{"access_token":{"xms_cc":{"values":["cp1"]}}}'})
    check(daemon.ok and daemon.json()["expires_in"] > 0, "a daemon signs in with a secret")
