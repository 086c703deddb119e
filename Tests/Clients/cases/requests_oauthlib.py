# Licensed under the MIT License. See LICENSE.
"""requests-oauthlib: a web app's code with the secret in a header and in the form, a daemon's token, a user's password."""
from oauthlib.oauth2 import BackendApplicationClient, LegacyApplicationClient
from requests_oauthlib import OAuth2Session

from bench import API, GRAPH, PASSWORD, SERVICE_ID, SERVICE_SECRET, USER, check, claims_of

REDIRECT = "http://localhost:5000/auth"
SCOPES = ["openid", "profile", "email", "offline_access", f"{GRAPH}/User.Read"]


def run(bench):
    metadata = bench.metadata()
    # The response has Graph's scopes with their short names, and no `offline_access`, which oauthlib considers a change.
    with bench.environment(OAUTHLIB_RELAX_TOKEN_SCOPE="1"):
        for way, options in {"in a header": {}, "in the form": {"include_client_id": True}}.items():
            session = OAuth2Session(SERVICE_ID, redirect_uri=REDIRECT, scope=SCOPES)
            url, _ = session.authorization_url(metadata["authorization_endpoint"], login_hint=USER)
            response = bench.person().open(url, until=REDIRECT)
            token = session.fetch_token(metadata["token_endpoint"], authorization_response=https(response.url),
                                        client_secret=SERVICE_SECRET, **options)
            check(bench.me(token["access_token"]).ok, f"requests-oauthlib redeems a code with the secret {way}")
        renewed = session.refresh_token(metadata["token_endpoint"], client_id=SERVICE_ID, client_secret=SERVICE_SECRET)
        check(renewed["access_token"] != token["access_token"], "requests-oauthlib refreshes the token")

        daemon = OAuth2Session(client=BackendApplicationClient(SERVICE_ID, scope=[f"{GRAPH}/.default"]))
        token = daemon.fetch_token(metadata["token_endpoint"], client_secret=SERVICE_SECRET)
        check("scp" not in claims_of(token["access_token"]), "its backend client gets a daemon's token")

        person = OAuth2Session(client=LegacyApplicationClient(SERVICE_ID, scope=SCOPES))
        token = person.fetch_token(metadata["token_endpoint"], username=USER, password=PASSWORD, client_secret=SERVICE_SECRET)
        check(claims_of(token["access_token"])["scp"], "its legacy client signs a user in with a password")


def https(url):
    """oauthlib rejects an address that is not https, and uses only its query."""
    return url.replace("http://", "https://", 1)
