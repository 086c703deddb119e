# Licensed under the MIT License. See LICENSE.
"""Managed identities on each kind of host, with MSAL Python and azure-identity."""
import logging
import os
import pathlib

import azure.identity as identity
import msal
import requests
from azure.core.exceptions import ClientAuthenticationError

from bench import API, CLIENT_ID, GRAPH, check, claims_of, free_pair

MACHINE = "00000000-0000-4000-8000-000000000020"
ASSIGNED = "00000000-0000-4000-8000-000000000021"
ASSIGNED_OBJECT = "eeeeeeee-0000-4000-8000-000000000021"
ASSIGNED_RESOURCE = ("/subscriptions/00000000-0000-4000-8000-0000000000f1/resourceGroups/contoso/providers/"
                     "Microsoft.ManagedIdentity/userAssignedIdentities/contoso-identity")
VARIABLES = ("AZURE_POD_IDENTITY_AUTHORITY_HOST", "IDENTITY_ENDPOINT", "IDENTITY_HEADER", "IDENTITY_SERVER_THUMBPRINT",
             "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET", "DEFAULT_IDENTITY_CLIENT_ID", "AZUREPS_HOST_ENVIRONMENT")
# Both libraries read the keys of Azure Arc only here.
ARC_KEYS = pathlib.Path("/var/opt/azcmagent/tokens")


def run(bench):
    logging.getLogger("azure").setLevel(logging.CRITICAL)  # It warns of each error that it raises.
    made = make_arc_keys()
    # MSAL Python supports only this port for the Cloud Shell.
    options = ["--managed-identity", "--managed-identity-port", free_pair(first=50342)]
    try:
        with bench.elsewhere(*options, *(["--arc-keys", ARC_KEYS] if ARC_KEYS.is_dir() else [])) as place:
            hosts(place, place.emulator.steer("GET", "/managed-identity")["environments"])
    finally:
        for folder in made:
            folder.rmdir()


def hosts(bench, environments):
    for host, variables in environments.items():
        if host == "azure-arc" and not ARC_KEYS.is_dir():
            print(f"--  skipped: {host}: it needs {ARC_KEYS}, which only root can create")
            continue
        with bench.environment(**{**dict.fromkeys(VARIABLES), **variables}):
            if host == "cloud-shell":
                cloud_shell(bench, variables)
            else:
                msal_python(host)
            credential = identity.ManagedIdentityCredential()
            expect(credential.get_token(f"{GRAPH}/.default").token, f"{host}: azure-identity", MACHINE)
            if host in ("imds", "app-service", "azure-arc"):
                credential = identity.ManagedIdentityCredential(client_id=ASSIGNED)
                expect(credential.get_token(f"{API}/.default").token, f"{host}: azure-identity, by client ID", ASSIGNED)
                check(refusal(identity.ManagedIdentityCredential(client_id="99999999-9999-4999-8999-999999999999")),
                      f"{host}: an identity that is not assigned is rejected")
                by_other_ids(host)
            if host in ("imds", "app-service"):
                chained = identity.DefaultAzureCredential(disable_instance_discovery=True)
                expect(chained.get_token(f"{GRAPH}/.default").token, f"{host}: DefaultAzureCredential", MACHINE)


def msal_python(host):
    def client(managed=None):
        return msal.ManagedIdentityClient(managed or msal.SystemAssignedManagedIdentity(), http_client=requests.Session())

    result = client().acquire_token_for_client(resource=GRAPH)
    check("access_token" in result, f"{host}: MSAL Python {result.get('error_description', '')}".strip())
    expect(result["access_token"], f"{host}: its token", MACHINE)
    kinds = {"client_id": ASSIGNED, "object_id": ASSIGNED_OBJECT, "resource_id": ASSIGNED_RESOURCE} if host in ("imds", "app-service", "azure-arc") else {}
    for kind, value in kinds.items():
        result = client(msal.UserAssignedManagedIdentity(**{kind: value})).acquire_token_for_client(resource=API)
        check("access_token" in result, f"{host}: by {kind} {result.get('error_description', '')}".strip())
        expect(result["access_token"], f"{host}: its token", ASSIGNED)


def by_other_ids(host):
    for kind, value in {"object_id": ASSIGNED_OBJECT, "resource_id": ASSIGNED_RESOURCE}.items():
        credential = identity.ManagedIdentityCredential(identity_config={kind: value})
        expect(credential.get_token(f"{API}/.default").token, f"{host}: azure-identity, by {kind}", ASSIGNED)


def cloud_shell(bench, variables):
    if ":50342/" not in variables["MSI_ENDPOINT"]:
        print("--  skipped: cloud-shell with MSAL Python: port 50342 is in use")
        return
    app = msal.PublicClientApplication(CLIENT_ID, authority=bench.authority, instance_discovery=False)
    result = app.acquire_token_interactive([f"{GRAPH}/.default"], prompt="none")
    check("access_token" in result, f"cloud-shell: MSAL Python {result.get('error_description', '')}".strip())


def expect(token, what, client_id):
    claims = claims_of(token)
    check(client_id in (claims.get("appid"), claims.get("azp")) and "scp" not in claims, f"{what}: the right identity")


def refusal(credential):
    try:
        credential.get_token(f"{GRAPH}/.default")
    except ClientAuthenticationError:
        return True
    return False


def make_arc_keys():
    """Creates the folder, if this is root. Returns what was created, to be removed in this order."""
    made = []
    for folder in [ARC_KEYS, *ARC_KEYS.parents]:
        if folder.exists():
            break
        made.append(folder)
    if not made or os.getuid() != 0:
        return []
    for folder in reversed(made):
        folder.mkdir()
    ARC_KEYS.chmod(0o700)
    return made
