# Licensed under the MIT License. See LICENSE.
"""The output of `msal doctor`, and errors, in a network that interferes."""
from functools import partial

import made
from network import CLOSED_HOST
from wire import Answer, as_json, page, redirect

NETWORK = 5


def content(world):
    outcome = world.msal("doctor")
    assert outcome.status == 0, "doctor reports a problem"


def captive(answer, world):
    for role in ("metadata", "instance"):
        world.service.always(role, answer)
    outcome = world.msal("doctor", "-o", "json")
    check = next(check for check in outcome.json["checks"] if check["name"] == "authority")
    assert outcome.status != 0 and check["is_good"] is False and check["remedy"]


def unknown_app(world):
    """Constructed: the service shows this on a page, because it knows no redirect URI of the app."""
    world.service.always("authorize", page(made.description(700016, "The application was not found."), 400))
    outcome = world.msal("doctor")
    assert outcome.status != 0 and "AADSTS700016" in outcome.out and "--client-id" in outcome.out


def without_keys(world):
    world.service.always("keys", page("Not found", 404))
    assert world.msal("doctor").status != 0


def clock(world):
    def dated(request):
        answer = world.service.default(request)
        answer.headers["Date"] = "Sun, 06 Nov 2044 08:49:37 GMT"
        return answer

    world.service.always("metadata", dated)
    outcome = world.msal("doctor")
    assert outcome.status != 0 and "behind" in outcome.text


def host_that_failed(member, command, world):
    world.service.metadata = {member: f"https://{CLOSED_HOST}/x/{member}"}
    outcome = world.msal(*command, "-o", "json")
    assert outcome.status != 0
    said = f"{outcome.error['message']} {outcome.error['remedy']}"
    assert CLOSED_HOST in said and "login.microsoftonline.com" not in said, said


def unregistered(world):
    """Constructed: the page that says AADSTS50011; the service never redirects from it."""
    world.service.always("authorize", page(made.description(50011, "The redirect URI does not match."), 400))
    outcome = world.msal("doctor")
    assert outcome.status == 1 and "AADSTS50011" in outcome.out and "redirect URI http://localhost" in outcome.out


def keys_that_failed(world):
    world.service.metadata = {"jwks_uri": f"https://{CLOSED_HOST}/keys"}
    outcome = world.msal("doctor", "-o", "json")
    check = next(check for check in outcome.json["checks"] if check["name"] == "signing keys")
    assert outcome.status == NETWORK and check["is_good"] is False and CLOSED_HOST in check["finding"]


def graph_that_failed(world):
    world.login()
    outcome = world.msal("graph", "/me", "-o", "json", MSAL_GRAPH_URL=f"https://{CLOSED_HOST}/")
    if outcome.status == NETWORK:
        assert CLOSED_HOST in outcome.error["message"] and "login.microsoftonline.com" not in outcome.error["message"]


CASES = {
    "a working network": content,
    "a captive portal that answers with a page": partial(captive, page("Welcome to the hotel")),
    "a captive portal that redirects": partial(captive, redirect("https://attacker.example/portal")),
    "a captive portal that answers with other JSON": partial(captive, as_json({"login": "required"})),
    "a captive portal that answers with nothing": partial(captive, Answer(204)),
    "an app whose redirect URI is not registered": unregistered,
    "an app that is not registered": unknown_app,
    "a host of the signing keys that refuses connections": keys_that_failed,
    "signing keys that are missing from the metadata's address": without_keys,
    "a clock that is behind": clock,
    "a token endpoint that refuses connections is named": partial(host_that_failed, "token_endpoint", ["login"]),
    "a Graph that refuses connections is named": graph_that_failed,
}
