# Licensed under the MIT License. See LICENSE.
"""idpyoidc, a certified OpenID Connect client with its own discovery, key handling and checks."""
import logging
import urllib.parse
import warnings

from idpyoidc.client.rp_handler import RPHandler
from urllib3.exceptions import InsecureRequestWarning

from bench import SERVICE_ID, SERVICE_SECRET, USER, check

REDIRECT = "http://localhost:5000/callback"


def run(bench):
    logging.getLogger("idpyoidc").setLevel(logging.CRITICAL)  # It logs for each response that it is JSON.
    # Its key library does not validate the certificate of a host named localhost.
    issuer = bench.metadata()["issuer"].replace("localhost", "127.0.0.1")
    with warnings.catch_warnings():
        warnings.simplefilter("error", InsecureRequestWarning)
        sign_in(bench, issuer)


def sign_in(bench, issuer):
    party = RPHandler("http://localhost:5000", httpc_params={"verify": bench.ca_file}, client_configs={"entra": {
        "client_type": "oidc", "issuer": issuer, "client_id": SERVICE_ID, "client_secret": SERVICE_SECRET,
        "redirect_uris": [REDIRECT], "scopes_supported": ["openid", "profile", "email"]}})
    response = bench.person().open(party.begin("entra"), until=REDIRECT)
    result = party.finalize(issuer, dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(response.url).query)))
    check("error" not in result, f"idpyoidc signs Megan in {result.get('error', '')}".strip())
    check(result["id_token"]["iss"] == issuer and result["id_token"]["aud"] == [SERVICE_ID], "it accepts the ID token")
    check(result["userinfo"]["sub"] == result["id_token"]["sub"], "userinfo is about the same person")
    check(result["userinfo"]["email"] == USER, "userinfo contains her address")
