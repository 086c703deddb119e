# Licensed under the MIT License. See LICENSE.
"""Tokens of external issuers as client assertions, with MSAL Python and azure-identity: a pod's file, the addresses of a GitHub
workflow and a pipeline, and an issuer that the emulator knows only from its directory."""
import logging
import os
import subprocess

import azure.identity as identity
import msal
import requests
from azure.core.exceptions import ClientAuthenticationError

from bench import GRAPH, SERVICE_ID, TENANT, check, claims_of

SCOPE = f"{GRAPH}/.default"
POD = "system:serviceaccount:default:app"
CONNECTION = "contoso-connection"


def run(bench):
    logging.getLogger("azure").setLevel(logging.CRITICAL)  # It warns of each error that it raises.
    with bench.elsewhere("--issuers") as place:
        callback(place)
        pod(place)
        workflow(place)
        pipeline(place)


def settings(bench):
    return {"authority": bench.base, "tenant_id": TENANT, "client_id": SERVICE_ID, "disable_instance_discovery": True}


def pod_token(bench, subject=POD):
    """The output of `entra-emulator federated-token`."""
    return subprocess.run(
        [bench.build / "entra-emulator", "federated-token", "--subject", subject, "--port", str(bench.emulator.port),
         "--state", bench.emulator.folder / "state"], check=True, capture_output=True, text=True, timeout=30).stdout.strip()


def confidential(bench, assertion):
    return msal.ConfidentialClientApplication(
        SERVICE_ID, authority=bench.authority, instance_discovery=False, client_credential={"client_assertion": assertion})


def callback(bench):
    calls = []
    app = confidential(bench, lambda: calls.append(1) or pod_token(bench))
    result = app.acquire_token_for_client([SCOPE])
    check("access_token" in result, f"MSAL Python: an assertion from a callback {result.get('error_description', '')}".strip())
    check(app.acquire_token_for_client([SCOPE])["token_source"] == "cache" and calls == [1], "the callback is called once")
    check(claims_of(result["access_token"])["appidacr"] == "2", "the token shows that no secret was used")
    wrong = confidential(bench, pod_token(bench, subject=POD + "2")).acquire_token_for_client([SCOPE])
    check(wrong["error"] == "invalid_client" and 700213 in wrong["error_codes"], "another subject is AADSTS700213")
    app_only(identity.ClientAssertionCredential(**settings(bench), func=lambda: pod_token(bench)),
             "ClientAssertionCredential")


def pod(bench):
    file = bench.folder / "federated-token"
    file.write_text(pod_token(bench))
    app_only(identity.WorkloadIdentityCredential(**settings(bench), token_file_path=str(file)), "WorkloadIdentityCredential")
    with bench.environment(AZURE_FEDERATED_TOKEN_FILE=str(file), AZURE_CLIENT_ID=SERVICE_ID, AZURE_TENANT_ID=TENANT,
                           AZURE_AUTHORITY_HOST=bench.base):
        app_only(identity.WorkloadIdentityCredential(disable_instance_discovery=True), "WorkloadIdentityCredential with a pod's variables")
        app_only(identity.DefaultAzureCredential(disable_instance_discovery=True), "DefaultAzureCredential in a pod")


def workflow(bench):
    """The steps of azure/login and the SDKs' examples in a GitHub workflow."""
    job = variables(bench, "github-actions")

    def token():
        reply = requests.get(job["ACTIONS_ID_TOKEN_REQUEST_URL"], params={"audience": "api://AzureADTokenExchange"}, timeout=10,
                             headers={"Authorization": f"Bearer {job['ACTIONS_ID_TOKEN_REQUEST_TOKEN']}"})
        return reply.json()["value"]

    check(claims_of(token())["sub"] == "repo:contoso/app:ref:refs/heads/main", "a workflow gets GitHub's token")
    app_only(identity.ClientAssertionCredential(**settings(bench), func=token), "ClientAssertionCredential signs in with it")


def pipeline(bench):
    job = variables(bench, "azure-pipelines")
    with bench.environment(SYSTEM_OIDCREQUESTURI=job["SYSTEM_OIDCREQUESTURI"]):
        app_only(identity.AzurePipelinesCredential(
            **settings(bench), service_connection_id=CONNECTION, system_access_token=job["SYSTEM_ACCESSTOKEN"]),
            "AzurePipelinesCredential")
        wrong = identity.AzurePipelinesCredential(
            **settings(bench), service_connection_id=CONNECTION, system_access_token="wrong")
        try:
            wrong.get_token(SCOPE)
            check(False, "a wrong access token of the pipeline is rejected")
        except ClientAuthenticationError:
            check(True, "a wrong access token of the pipeline is rejected")


def variables(bench, client):
    """The variables that `entra-emulator env` prints for a client."""
    lines = subprocess.run(
        ["bash", "-e", "-c", 'lines=$("$0" env --for "$1" --port "$2" --state "$3"); eval "$lines"; env -0', bench.build / "entra-emulator",
         client, str(bench.emulator.port), bench.emulator.folder / "state"],
        check=True, capture_output=True, text=True, timeout=30, env=dict(os.environ)).stdout
    return dict(line.partition("=")[::2] for line in lines.split("\0") if line)


def app_only(credential, what):
    claims = claims_of(credential.get_token(SCOPE).token)
    check(claims["appid"] == SERVICE_ID and "scp" not in claims, f"{what}: an app-only token")
