# Licensed under the MIT License. See LICENSE.
"""A client certificate in the TLS handshake, with requests over OpenSSL: a token that is bound to it, and Graph with that token."""
import requests

from bench import GRAPH, OWN_ID, TENANT, check, claims_of, free_port
from certificates import Certificate


def run(bench):
    certificate = Certificate("app.contoso.example", Certificate("The root of a company"))
    pem, _ = certificate.save(bench.folder)
    port = free_port()
    with bench.with_application(
            certificates=[certificate.pem], grantedRoles={GRAPH: ["User.Read.All"]}, options=["--mutual-tls-port", port]) as place:
        address = place.metadata()["mtls_endpoint_aliases"]["token_endpoint"]
        check(address == f"https://localhost:{port}/{TENANT}/oauth2/v2.0/token", "the metadata name the endpoint")
        form = {"grant_type": "client_credentials", "client_id": OWN_ID, "token_type": "mtls_pop",
                "scope": f"{GRAPH}/.default"}
        reply = requests.post(address, data=form, cert=pem, timeout=10).json()
        check(reply.get("token_type") == "mtls_pop", f"a certificate leads to a bound token {reply.get('error_description', '')}".strip())
        check("x5t#S256" in claims_of(reply["access_token"])["cnf"], "the token names the certificate")
        refused = requests.post(address, data=form, timeout=10).json()
        check(7000218 in refused["error_codes"], "without a certificate it is AADSTS7000218")
        users = f"https://localhost:{port}/v1.0/users"
        header = {"Authorization": f"mtls_pop {reply['access_token']}"}
        check(requests.get(users, headers=header, cert=pem, timeout=10).ok, "Graph accepts it over a connection with the certificate")
        check(requests.get(users, headers=header, timeout=10).status_code == 401, "Graph rejects it over any other connection")
