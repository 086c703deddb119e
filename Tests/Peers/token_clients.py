# Licensed under the MIT License. See LICENSE.
"""The libraries whose token requests are compared, each configured equally in its own API.

There is a function for each kind of credential of a service. It returns nothing, because the recorder has the requests. A library
that does not support a credential has no function for it.
"""
import os
import pathlib
import subprocess

import azure.identity as identity
import msal
import requests

from recorder import TENANT, token

CLIENT = "00000000-0000-4000-8000-000000000010"
SCOPE = "https://graph.microsoft.com/.default"
RESOURCE = "https://graph.microsoft.com"
SECRET = "A secret+with&all=sorts%of ~"
OTHER = "00000000-0000-4000-8000-000000000021"
CLAIMS = '{"access_token":{"nbf":{"essential":true,"value":"1700000000"}}}'
USER_SCOPE = "https://graph.microsoft.com/User.Read"
# What an API has received from its caller.
INCOMING = token(ver="2.0", iss=f"https://login.microsoftonline.com/{TENANT}/v2.0", aud=CLIENT, azp=OTHER, scp="Orders.Read",
                 oid=OTHER, sub="pairwise")
ASSERTION = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJwb2QifQ.c2ln"


class AzureIdentity:
    name = "azure-identity"

    def __init__(self, place):
        self.place = place
        self.plain = {"authority": place.recorder.base, "tenant_id": TENANT, "client_id": CLIENT,
                      "disable_instance_discovery": True}

    def secret(self):
        identity.ClientSecretCredential(**self.plain, client_secret=SECRET).get_token(SCOPE)

    def claims(self):
        identity.ClientSecretCredential(**self.plain, client_secret=SECRET).get_token(SCOPE, claims=CLAIMS)

    def capability(self):
        identity.ClientSecretCredential(**self.plain, client_secret=SECRET).get_token(SCOPE, enable_cae=True)

    def certificate(self):
        identity.CertificateCredential(**self.plain, certificate_path=self.place.pem).get_token(SCOPE)

    def chain(self):
        identity.CertificateCredential(
            **self.plain, certificate_path=self.place.pem, send_certificate_chain=True).get_token(SCOPE)

    def assertion(self):
        identity.ClientAssertionCredential(**self.plain, func=lambda: ASSERTION).get_token(SCOPE)

    def on_behalf_of(self):
        identity.OnBehalfOfCredential(**self.plain, client_secret=SECRET, user_assertion=INCOMING).get_token(USER_SCOPE)

    def on_behalf_of_claims(self):
        identity.OnBehalfOfCredential(**self.plain, client_secret=SECRET, user_assertion=INCOMING).get_token(
            USER_SCOPE, claims=CLAIMS)

    def pod(self):
        identity.WorkloadIdentityCredential(disable_instance_discovery=True).get_token(SCOPE)

    def pipeline(self):
        identity.AzurePipelinesCredential(
            **self.plain, service_connection_id="connection",
            system_access_token=os.environ["SYSTEM_ACCESSTOKEN"]).get_token(SCOPE)

    def default(self):
        identity.DefaultAzureCredential(disable_instance_discovery=True).get_token(SCOPE)

    def machine(self):
        identity.ManagedIdentityCredential().get_token(SCOPE)

    def machine_by_client(self):
        identity.ManagedIdentityCredential(client_id=OTHER).get_token(SCOPE)

    def machine_by_object(self):
        identity.ManagedIdentityCredential(identity_config={"object_id": OTHER}).get_token(SCOPE)

    def machine_by_resource(self):
        identity.ManagedIdentityCredential(identity_config={"resource_id": self.place.resource_id}).get_token(SCOPE)


class MSALPython:
    name = "MSAL for Python"

    def __init__(self, place):
        self.place = place

    def confidential(self, credential, **options):
        return msal.ConfidentialClientApplication(
            CLIENT, client_credential=credential, authority=f"{self.place.recorder.base}/{TENANT}",
            instance_discovery=False, **options)

    def daemon(self, credential, claims=None, **options):
        result = self.confidential(credential, **options).acquire_token_for_client([SCOPE], claims_challenge=claims)
        assert "access_token" in result, result

    def secret(self):
        self.daemon(SECRET)

    def claims(self):
        self.daemon(SECRET, claims=CLAIMS)

    def capability(self):
        self.daemon(SECRET, client_capabilities=["CP1"])

    def certificate(self):
        self.daemon({"private_key": self.place.certificate.key_pem(), "thumbprint": self.place.certificate.thumbprint})

    def chain(self):
        self.daemon({"private_key": self.place.certificate.key_pem(), "public_certificate": self.place.certificate.chain})

    def assertion(self):
        self.daemon({"client_assertion": lambda: ASSERTION})

    def on_behalf_of(self, claims=None):
        result = self.confidential(SECRET).acquire_token_on_behalf_of(INCOMING, [USER_SCOPE], claims_challenge=claims)
        assert "access_token" in result, result

    def on_behalf_of_claims(self):
        self.on_behalf_of(claims=CLAIMS)

    def pod(self):
        # It has no API for a pod's file; its page on workload identity reads the file like this.
        file = pathlib.Path(os.environ["AZURE_FEDERATED_TOKEN_FILE"])
        self.daemon({"client_assertion": file.read_text})

    def managed(self, managed):
        result = msal.ManagedIdentityClient(managed, http_client=requests.Session()).acquire_token_for_client(
            resource=RESOURCE)
        assert "access_token" in result, result

    def machine(self):
        self.managed(msal.SystemAssignedManagedIdentity())

    def machine_by_client(self):
        self.managed(msal.UserAssignedManagedIdentity(client_id=OTHER))

    def machine_by_object(self):
        self.managed(msal.UserAssignedManagedIdentity(object_id=OTHER))

    def machine_by_resource(self):
        self.managed(msal.UserAssignedManagedIdentity(resource_id=self.place.resource_id))


class Ours:
    """MSALServer, in a separate program: Tests/TokenClient."""
    name = "ours"

    def __init__(self, place):
        self.place = place

    def token(self, way, scope=SCOPE, **settings):
        done = subprocess.run(
            [str(self.place.program), way, f"scope={scope}", *(f"{name}={value}" for name, value in settings.items())],
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"TokenClient {way}: {done.returncode}\n{done.stdout}{done.stderr}"

    def client(self, way, **settings):
        self.token(way, client=CLIENT, authority=f"{self.place.recorder.base}/{TENANT}", **settings)

    def secret(self):
        self.client("secret", secret=SECRET)

    def claims(self):
        self.client("claims", secret=SECRET, claims=CLAIMS)

    def capability(self):
        self.client("capability", secret=SECRET)

    def certificate(self):
        self.client("certificate", certificate=self.place.pem)

    def chain(self):
        self.client("chain", certificate=self.place.pem)

    def assertion(self):
        self.client("assertion", assertion=ASSERTION)

    def on_behalf_of(self, **settings):
        self.client("on_behalf_of", scope=USER_SCOPE, secret=SECRET, incoming=INCOMING, **settings)

    def on_behalf_of_claims(self):
        self.on_behalf_of(claims=CLAIMS)

    def pod(self):
        self.token("pod")

    def pipeline(self):
        self.client("pipeline", connection="connection")

    def default(self):
        self.token("default")

    def machine(self):
        self.token("machine")

    def machine_by_client(self):
        self.token("machine_by_client", id=OTHER)

    def machine_by_object(self):
        self.token("machine_by_object", id=OTHER)

    def machine_by_resource(self):
        self.token("machine_by_resource", id=self.place.resource_id)
