# Licensed under the MIT License. See LICENSE.
"""Authlib in a web app with each of its three client authentications, and as a daemon."""
from authlib.integrations.requests_client import OAuth2Session

from bench import GRAPH, OWN_ID, SERVICE_ID, SERVICE_SECRET, check, claims_of
from certificates import Certificate


def run(bench):
    for method in ("client_secret_basic", "client_secret_post"):
        web_app(bench, method, SERVICE_ID, SERVICE_SECRET)
        session = OAuth2Session(SERVICE_ID, SERVICE_SECRET, scope=f"{GRAPH}/.default", token_endpoint_auth_method=method)
        token = session.fetch_token(bench.metadata()["token_endpoint"], grant_type="client_credentials")
        check("scp" not in claims_of(token["access_token"]), f"a daemon gets a token with {method}")
    certificate = Certificate("app.contoso.example")
    key = bench.folder / "key.pem"
    key.write_text(certificate.key_pem())
    with bench.with_application(certificates=[certificate.pem]) as place:
        web_app(place, "private_key_jwt", OWN_ID, str(key), certificate.x5t)


def web_app(bench, method, *arguments):
    with bench.app("authlib_app", arguments[0], method, *arguments[1:]) as address:
        person = bench.person()
        page = person.open(address)
        check(page.text == "Hello Megan Bowen", f"Authlib signs Megan in with {method}")
