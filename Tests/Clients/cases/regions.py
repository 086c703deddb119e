# Licensed under the MIT License. See LICENSE.
"""MSAL Python and a client certificate with the service's real names: the hosts of a region, and those for mutual TLS."""
import msal
import requests

from bench import GRAPH, OWN_ID, TENANT, check, claims_of
from certificates import Certificate
from names import leading

PUBLIC = f"https://login.microsoftonline.com/{TENANT}"
API = "99999999-0000-4000-8000-0000000000a1"


def run(bench):
    certificate = Certificate("app.contoso.example", Certificate("The root of a company"))
    pem, _ = certificate.save(bench.folder)
    api = {"clientId": API, "identifierUris": [f"api://{API}"], "accessTokenAcceptedVersion": 2}
    with bench.with_application(
            certificates=[certificate.pem], secrets=["A-secret-1"], apis=[api], standard_port=True,
            options=["--service-names"]) as place:
        if not place:
            return
        names = []
        with leading({".microsoft.com": 443, ".microsoftonline.com": 443}, names):
            app = msal.ConfidentialClientApplication(
                OWN_ID, client_credential="A-secret-1", authority=PUBLIC, instance_discovery=False, azure_region="westus2")
            result = app.acquire_token_for_client([f"api://{API}/.default"])
            check("access_token" in result, f"a token from a region {result.get('error_description', '')}".strip())
            check("westus2.login.microsoft.com" in names, "MSAL Python calls the region's host")
            check(claims_of(result["access_token"])["iss"] == f"{PUBLIC}/v2.0", "the issuer is the cloud's")
            form = {"grant_type": "client_credentials", "client_id": OWN_ID, "token_type": "mtls_pop",
                    "scope": f"{GRAPH}/.default"}
            for host in ("mtlsauth.microsoft.com", "westus2.mtlsauth.microsoft.com"):
                reply = requests.post(f"https://{host}/{TENANT}/oauth2/v2.0/token", data=form, cert=pem, timeout=10).json()
                check(reply.get("token_type") == "mtls_pop", f"a bound token from {host}")
            refused = requests.post(f"{PUBLIC}/oauth2/v2.0/token", data=form, cert=pem, timeout=10).json()
            check(7000218 in refused["error_codes"], "the ordinary host requests no certificate")
