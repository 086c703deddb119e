# Licensed under the MIT License. See LICENSE.
"""Authlib in a web app with each of its three client authentication methods, and as a daemon."""
from authlib.integrations.requests_client import OAuth2Session

from bench import GRAPH, OWN_ID, SERVICE_ID, SERVICE_SECRET, check, claims_of
from certificates import Certificate


def run(bench):
    with bench.app("authlib_app") as address:
        signs_in(bench, address, "as on the page, with client_secret_basic and without PKCE")
    for method in ("client_secret_basic", "client_secret_post"):
        with bench.app("authlib_app", SERVICE_ID, method, SERVICE_SECRET) as address:
            signs_in(bench, address, f"with {method}")
        session = OAuth2Session(SERVICE_ID, SERVICE_SECRET, scope=f"{GRAPH}/.default", token_endpoint_auth_method=method)
        token = session.fetch_token(bench.metadata()["token_endpoint"], grant_type="client_credentials")
        check("scp" not in claims_of(token["access_token"]), f"a daemon gets a token with {method}")
    certificate = Certificate("app.contoso.example")
    key = bench.folder / "key.pem"
    key.write_text(certificate.key_pem())
    with bench.with_application(certificates=[certificate.pem]) as place:
        with place.app("authlib_app", OWN_ID, "private_key_jwt", str(key), certificate.x5t) as address:
            signs_in(place, address, "with private_key_jwt")


def signs_in(bench, address, way):
    check(bench.person().open(address).text == "Hello Megan Bowen", f"Authlib signs Megan in {way}")
