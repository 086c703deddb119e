# Licensed under the MIT License. See LICENSE.
"""Claims challenges of the service or a resource, and the responses to them from the command line."""
import base64
import json
import subprocess

import made

INTERACTION = 3


# Constructed, because no recording contains a challenge.
MULTI_FACTOR = made.error("interaction_required", 50076, "You must use multi-factor authentication.",
                          suberror="basic_action", claims=made.CLAIMS)


def refused_refresh(world):
    world.login()
    world.service.always("token", MULTI_FACTOR)
    outcome = world.msal("token", "--refresh", "-o", "json")
    assert outcome.status == INTERACTION
    assert json.loads(outcome.error["claims"]) == json.loads(made.CLAIMS)
    assert outcome.error["suberror"] == "basic_action" and outcome.error["error_codes"] == [50076]


def refused_refresh_in_text(world):
    world.login()
    world.service.always("token", MULTI_FACTOR)
    outcome = world.msal("token", "--refresh")
    assert outcome.status == INTERACTION and "--claims" in outcome.errors


def refused_redemption(world):
    world.service.always("token", made.error(
        "invalid_grant", 53003, "Access has been blocked.", suberror="message_only", claims=made.CLAIMS))
    error = world.refused_login()
    assert json.loads(error["claims"]) == json.loads(made.CLAIMS)


def answered(world):
    world.login("--claims", made.CLAIMS)
    for request in world.service.seen("authorize"):
        assert json.loads(request.query["claims"]) == json.loads(made.CLAIMS)
    for request in world.service.seen("token"):
        assert json.loads(request.form["claims"]) == json.loads(made.CLAIMS)


def spelled(world):
    header = f'Bearer realm="", error="insufficient_claims", claims="{base64.b64encode(made.CLAIMS.encode()).decode()}"'
    spellings = [base64.urlsafe_b64encode(made.CLAIMS.encode()).rstrip(b"=").decode(), header, f"WWW-Authenticate: {header}"]
    for spelling in spellings:
        world.login("--claims", spelling)
        assert world.msal("token", "--claims", spelling).status == 0
    tokens = world.service.seen("token")
    assert len(tokens) == 6, "a stored token was used as one with these claims"
    for request in tokens:
        assert json.loads(request.form["claims"]) == json.loads(made.CLAIMS)


def pasted(world):
    """The remedy's command line, run by a shell."""
    world.login()
    world.service.once("token", made.error(
        "interaction_required", 50076, "You must use multi-factor authentication.", claims=made.CLAIMS))
    remedy = world.msal("token", "--refresh", "--scope", "User.Read", "-o", "json").error["remedy"]
    command = remedy[remedy.index("msal login"):]
    environment = {**world.environment, "PATH": f"{world.build}:{world.environment['PATH']}"}
    done = subprocess.run(["/bin/sh", "-c", command], env=environment, timeout=30, check=False)
    assert done.returncode == 0, command
    assert json.loads(world.service.seen("authorize")[-1].query["claims"]) == json.loads(made.CLAIMS)
    assert world.service.seen("authorize")[-1].query["login_hint"].startswith("MSAL-User-Default@")


def nonsense(world):
    outcome = world.msal("login", "--claims", "{nonsense")
    assert outcome.status == 2 and not world.service.requests


def challenge_of(world, claims):
    world.service.always("graph", made.graph_error(
        401, "InvalidAuthenticationToken", "Continuous access evaluation resulted in challenge.", **{
            "WWW-Authenticate":
            f'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", '
            f'error="insufficient_claims", claims="{claims}"'}))


def challenge_of_graph(world):
    world.login()
    challenge_of(world, base64.b64encode(made.CLAIMS.encode()).decode())
    outcome = world.msal("graph", "/me", "-o", "json")
    assert outcome.status == INTERACTION
    assert json.loads(outcome.error["claims"]) == json.loads(made.CLAIMS)
    # The challenge in the output is used in the command.
    world.service.fixed.clear()
    world.login("--claims", outcome.error["claims"])
    assert json.loads(world.service.seen("token")[-1].form["claims"]) == json.loads(made.CLAIMS)
    assert world.msal("graph", "/me").status == 0


def challenge_of_graph_in_text(world):
    world.login()
    challenge_of(world, base64.b64encode(made.CLAIMS.encode()).decode())
    outcome = world.msal("graph", "/me")
    assert outcome.status == INTERACTION and "--claims" in outcome.errors


CASES = {
    "the claims of a refused refresh are shown in JSON": refused_refresh,
    "the claims of a refused refresh are shown in text with the command that sends them": refused_refresh_in_text,
    "the claims of a refused redemption are shown in JSON": refused_redemption,
    "login --claims sends the claims to the page and with the code": answered,
    "login and token accept a challenge as base64 and as the whole header": spelled,
    "the command in the remedy sends the challenge without changes": pasted,
    "claims that are not JSON are a usage error": nonsense,
    "a claims challenge of Graph is shown, and login --claims sends it": challenge_of_graph,
    "a claims challenge of Graph is shown in text with the command that sends it": challenge_of_graph_in_text,
}
