# Licensed under the MIT License. See LICENSE.
"""Escape sequences, line breaks and bidirectional controls in every text that comes from outside: no command prints them
unescaped in text output, and JSON keeps the value."""
import json
import re
from functools import partial

import made
import service
from wire import as_json

# A title, an erased line, a C1 introducer, a line break that starts a forged line, and a text that runs backwards.
EVIL = "evil\x1b]0;title\x07\x1b[2K\r\n✓ Signed in as forged\x9b31m\x7f\u202eback\u2028next\u2066end"
# The same without what a header must not contain.
EVIL_WORD = "evil\x1b[2K\x9b31m\u202eback"
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\u200e\u200f\u061c]")


def safe(outcome):
    found = UNSAFE.search(outcome.text)
    assert not found, f"{found[0]!r} was written"
    assert not re.search("(?m)^✓ Signed in as forged", outcome.text), "a line was forged"
    return outcome


def token_error(world):
    world.service.always("token", made.error(
        EVIL, 70000, EVIL, error_description=EVIL, suberror=EVIL, claims=EVIL, correlation_id=EVIL, trace_id=EVIL))
    assert "evil" in safe(world.msal("login")).errors


def refresh_error(world):
    world.login()
    claims = json.dumps({"access_token": {EVIL: None}})
    world.service.always("token", made.error(
        "invalid_grant", 70000, "", error_description=EVIL, suberror=EVIL, claims=claims))
    safe(world.msal("token", "--refresh"))
    safe(world.msal("graph", "/me"))


def redirect_error(world):
    world.service.always("authorize", lambda request: service.refused(request.query, EVIL, EVIL, error_subcode=EVIL))
    assert "evil" in safe(world.msal("login")).errors


def metadata_error(world):
    world.service.always("metadata", made.error(EVIL, 90002, "", error_description=EVIL))
    safe(world.msal("login"))
    safe(world.msal("doctor"))


def discovery_error(world):
    world.service.always("instance", made.error("invalid_instance", 50049, "", error_description=EVIL))
    safe(world.msal("login", MSAL_AUTHORITY="https://login.contoso.com/common"))


def issuer(world):
    world.service.metadata = {"issuer": f"https://{EVIL}/v2.0"}
    safe(world.msal("login"))


def endpoint(member, world):
    world.service.metadata = {member: f"https://attacker.example/{EVIL}"}
    safe(world.msal("login", "--timeout", "2"))


def claim(name, world):
    world.service.claims = {name: EVIL}
    safe(world.msal("login"))


def unavailable(world):
    world.service.always("token", made.error("odd", 90033, "", 503, error_description=EVIL))
    safe(world.msal("login"))


def graph_error(status, world):
    world.login()
    world.service.always("graph", made.graph_error(status, EVIL, EVIL))
    assert "evil" in safe(world.msal("graph", "/me")).errors


def graph_answer(world):
    world.login()
    world.service.always("graph", as_json({"displayName": EVIL, EVIL: [EVIL]}))
    safe(world.msal("graph", "/me"))
    assert world.msal("graph", "/me", "-o", "json").json["body"]["displayName"] == EVIL


def graph_header(world):
    world.login()
    answer = made.graph_error(401, "x", "y", **{
        "WWW-Authenticate": 'Bearer error="insufficient_claims", claims="{evil[2K}"', "request-id": "evil"})
    world.service.always("graph", answer)
    safe(world.msal("graph", "/me"))


def user_name(world):
    world.service.claims = {"preferred_username": EVIL, "name": EVIL}
    assert "evil" in safe(world.msal("login")).out
    for command in (["accounts"], ["token"], ["token", "--refresh"], ["cache", "stats"], ["doctor"]):
        safe(world.msal(*command))
    accounts = world.msal("accounts", "-o", "json")
    assert accounts.json["accounts"][0]["username"] == EVIL, "JSON changed the value"
    safe(world.msal("logout"))


def ambiguous_names(world):
    world.service.claims = {"preferred_username": EVIL_WORD}
    world.login()
    world.service.user, world.service.claims = "user-msa", {"preferred_username": EVIL_WORD + "2"}
    world.login()
    safe(world.msal("token"))
    safe(world.msal("accounts"))
    safe(world.msal("token", "--account", EVIL))
    safe(world.msal("logout", "--all"))


def native_error(world):
    authority = "https://fabrikam.ciamlogin.com/5e6a4f9e-1f0f-4c0b-9c6f-1d1f6a2b3c4d"
    world.service.user = "user-ciam"
    world.service.always("other", made.error(EVIL, 50034, "", error_description=EVIL, suberror=EVIL))
    for command in ("sign-in", "sign-up", "reset-password"):
        safe(world.msal("native", command, "a@contoso.example", "--answers", "-", stdin='{"password": "x"}',
                        MSAL_AUTHORITY=authority))
    assert world.service.seen("other")


def scopes(world):
    world.service.response = {"scope": f"User.Read {EVIL_WORD}"}
    safe(world.msal("login"))
    safe(world.msal("token"))


def declined(world):
    world.service.response = {"scope": EVIL_WORD}
    safe(world.msal("login"))


def settings(world):
    for name in ("MSAL_AUTHORITY", "MSAL_GRAPH_URL", "MSAL_PROFILE", "MSAL_CA_FILE", "MSAL_STORE_KEY", "MSAL_SCOPES"):
        safe(world.msal("login", **{name: EVIL}))
    safe(world.msal("token", "--account", EVIL))
    safe(world.msal("graph", EVIL))
    safe(world.msal(EVIL))
    safe(world.msal("token", f"--{EVIL}"))


CASES = {
    "an error of the token endpoint": token_error,
    "an error of a refresh": refresh_error,
    "a redirect's error": redirect_error,
    "an error of the metadata": metadata_error,
    "an error of instance discovery": discovery_error,
    "the text of a 503": unavailable,
    "an issuer": issuer,
    "a token endpoint": partial(endpoint, "token_endpoint"),
    "an authorization endpoint": partial(endpoint, "authorization_endpoint"),
    "an ID token's issuer": partial(claim, "iss"),
    "an ID token's audience": partial(claim, "aud"),
    "an ID token's tenant": partial(claim, "tid"),
    "a user name, wherever it is shown": user_name,
    "several user names": ambiguous_names,
    "an error of native authentication": native_error,
    "granted scopes": scopes,
    "scopes that were declined": declined,
    "Graph's 400": partial(graph_error, 400),
    "Graph's 401": partial(graph_error, 401),
    "Graph's answer": graph_answer,
    "Graph's challenge": graph_header,
    "settings and arguments": settings,
}
