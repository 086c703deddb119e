# Licensed under the MIT License. See LICENSE.
"""Responses that are invalid HTTP or unusual HTTP, and missing responses."""
from functools import partial

import made
from wire import Answer, as_json, page, redirect

NETWORK = 5
BAD_RESPONSE = -1011
EARLY_HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
ROLES = ["instance", "metadata", "token", "keys"]


def broken_status(status, role, world):
    world.service.always(role, Answer(status, b"{}"))
    outcome = world.msal("login", "-o", "json")
    if role == "keys":  # A response over verified TLS is accepted although the keys are unavailable.
        assert outcome.status == 0 and outcome.json["is_id_token_signature_verified"] is False
    elif role == "instance":  # A known host needs no discovery.
        assert outcome.status == 0
    else:
        assert outcome.status == NETWORK and outcome.error["code"] == BAD_RESPONSE


def broken_graph_status(status, world):
    world.login()
    world.service.always("graph", Answer(status, b"{}"))
    outcome = world.msal("graph", "/me", "-o", "json")
    assert outcome.status == NETWORK and outcome.error["code"] == BAD_RESPONSE


def early_hints(world):
    def hinted(request):
        answer = world.service.default(request)
        answer.before = 2 * EARLY_HINTS
        return answer

    for role in [*ROLES, "graph"]:
        world.service.always(role, hinted)
    world.login(timeout=20)
    # The server keeps its connections open: waiting for the end of the connection would take too long.
    assert world.msal("graph", "/me", timeout=20).status == 0
    assert world.msal("token", "--refresh", timeout=20).status == 0


def continued(world):
    def hinted(request):
        answer = world.service.default(request)
        answer.before = b"HTTP/1.1 100 Continue\r\n\r\n" + b"HTTP/1.1 102 Processing\r\n\r\n"
        return answer

    world.service.always("token", hinted)
    world.login(timeout=20)


def unavailable(world):
    world.service.always("token", made.error("temporarily_unavailable", 90033, "A transient error has occurred.", 503))
    error = world.refused_login()
    assert (error["code"], error["internal_code"]) == (-50000, -42007), error
    assert "A transient error has occurred" in error["message"] and error["error_codes"] == [90033]


def without_error_member(world):
    world.service.always("token", made.error(None, 900144, "The request body must contain: 'scope'.", 400))
    error = world.refused_login()
    assert "must contain: 'scope'" in error["message"] and error["error_codes"] == [900144]
    assert "proxy" not in (error["message"] + str(error["remedy"])).lower()


def portal_for_token(world):
    world.service.always("token", page("Welcome to the hotel"))
    error = world.refused_login()
    assert (error["code"], error["internal_code"]) == (-50000, -42600), error


def lost_redemption(world):
    world.service.once("token", Answer(cut=0))
    outcome = world.msal("login", "-o", "json")
    assert outcome.status == NETWORK and outcome.error["code"] == -1005
    assert len(world.service.seen("token")) == 1, "the used code was sent again"


def half_a_redemption(world):
    world.service.once("token", lambda request: Answer(200, world.service.default(request).body, cut=120))
    outcome = world.msal("login", "-o", "json")
    assert outcome.status == NETWORK
    assert len(world.service.seen("token")) == 1, "the used code was sent again"


def lost_refresh(world):
    world.login()
    world.service.once("token", Answer(cut=0))
    assert world.msal("token", "--refresh").status == 0
    assert len(world.service.seen("token")) == 3, "one sign-in, one lost refresh, one more"


def failed_redemption(world):
    world.service.once("token", made.error("server_error", 90033, "A transient error has occurred.", 500))
    world.login()
    assert len(world.service.seen("token")) == 2


def throttled(world):
    world.login()
    world.service.always("token", made.error("invalid_request", 90055, "Too many requests.", 429))
    world.service.fixed["token"].headers["Retry-After"] = "120"
    before = len(world.service.seen("token"))
    assert world.msal("token", "--refresh").status == 1
    assert len(world.service.seen("token")) == before + 1
    assert world.msal("token", "--refresh").status == 1
    assert len(world.service.seen("token")) == before + 1, "the next process sent a request immediately"


def graph_answer(answer, world):
    world.login()
    world.service.always("graph", answer)
    before = len(world.service.requests)
    outcome = world.msal("graph", "/me")
    assert outcome.status == 1 and outcome.errors
    assert len(world.service.requests) == before + 1, "the redirect was followed"


def hostile(make, world):
    """Whatever the response of an endpoint, the command exits as documented and leaves a working store."""
    world.login()
    for role in [*ROLES, "graph"]:
        world.service.always(role, make(b'{"access_token":'))
        command = ["graph", "/me"] if role == "graph" else ["login", "--timeout", "5"]
        world.msal(*command)
        world.msal("token", "--refresh")
        world.service.fixed.clear()
    assert world.msal("graph", "/me").status == 0


def redirected_redemption(status, world):
    world.service.always("token", redirect("https://attacker.example/token", status))
    world.refused_login()
    assert not world.service.at("attacker.example"), "the redirect was followed"


def redirected_metadata(world):
    world.service.always("metadata", redirect("https://attacker.example/metadata"))
    world.refused_login()
    assert not world.service.at("attacker.example"), "the redirect was followed"


def without_length(world):
    def old(request):
        body = world.service.default(request).body
        return Answer(body=body, head=b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n", closes=True)

    for role in ROLES:
        world.service.always(role, old)
    world.login()


def answer_of_every_length(world):
    def chunked(request):
        body = world.service.default(request).body
        pieces = [body[at:at + 7] for at in range(0, len(body), 7)] + [b""]
        coded = b"".join(b"%x;odd=legal\r\n%s\r\n" % (len(piece), piece) for piece in pieces[:-1])
        head = b"HTTP/1.1 200 \r\ncontent-type:application/json\r\nTRANSFER-ENCODING: chunked\r\n\r\n"
        return Answer(body=coded + b"0\r\nX-Trailer: odd\r\n\r\n", head=head)

    for role in ROLES:
        world.service.always(role, chunked)
    world.login()


def unknown_members(world):
    world.service.response = {"id_token_expires_in": "odd", "x": [{"y": 1}], "expires_in": "3600", "ext_expires_in": "odd"}
    world.login()


def byte_order_mark(world):
    world.service.always("token", lambda request: Answer(200, b" \r\n\t" + world.service.default(request).body + b"\n\n"))
    world.login()


def huge(world):
    world.service.always("token", as_json({"access_token": "a" * 2_000_000}))
    error = world.refused_login()
    assert (error["code"], error["internal_code"]) == (-50000, -42600), error


HOSTILE = {
    "JSON of a hundred thousand levels": lambda start: Answer(body=start + b"[" * 100_000),
    "JSON of a hundred thousand closed levels": lambda start: Answer(body=start + b"[" * 100_000 + b"]" * 100_000 + b"}"),
    "invalid UTF-8": lambda start: Answer(body=start + b'"\xff\xfe\xc0\x80\xed\xa0\x80"}'),
    "numbers beyond all types": lambda start: Answer(
        body=start + b'1e999,"expires_in":1e308,"ext_expires_in":-9223372036854775809,"refresh_in":"1e99"}'),
    "lone surrogates and NUL": lambda start: Answer(body=start + b'"\\ud800\\u0000\\udfff"}'),
    "members of all the wrong types": lambda start: as_json({
        "access_token": 1, "refresh_token": [], "id_token": {}, "scope": {"a": 1}, "token_type": None, "client_info": True,
        "expires_in": [], "issuer": 7, "token_endpoint": {}, "authorization_endpoint": [], "jwks_uri": 1, "keys": "none",
        "metadata": {"aliases": 3}, "tenant_discovery_endpoint": 0, "error": {"code": 1}}),
    "an empty array": lambda start: Answer(body=b"[]"),
    "an unrequested gzipped body": lambda start: Answer(
        body=b"\x1f\x8b\x08\x00", headers={"Content-Encoding": "gzip"}),
    "a header of a megabyte": lambda start: Answer(headers={"X-Long": "x" * 1_000_000}),
    "ten thousand headers": lambda start: Answer(headers={f"X-{number}": "x" for number in range(10_000)}),
    "two lengths": lambda start: Answer(
        body=b"{}{}{}", head=b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n"),
    "a negative length": lambda start: Answer(head=b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n", cut=60),
    "no HTTP": lambda start: Answer(head=b"SSH-2.0-OpenSSH_9.2\r\n", cut=21),
    "a head without an end": lambda start: Answer(head=b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000, cut=200_020),
    "a connection that is closed immediately": lambda start: Answer(cut=0),
}

CASES = {
    **{f"the status {status} for {role} is a broken response, not a crash": partial(broken_status, status, role)
       for status in ("099", "000", "050") for role in ROLES},
    "the status 099 from Graph is a broken response": partial(broken_graph_status, "099"),
    "the status 600 from Graph is a broken response": partial(broken_graph_status, "600"),
    "a response after early hints is read completely": early_hints,
    "a response after 100 and 102 is read completely": continued,
    "a 503 is reported with the service's text and number": unavailable,
    "a 400 without an error member is reported with the service's text and number": without_error_member,
    "a page instead of tokens is an invalid response": portal_for_token,
    "a redemption without a response is reported, and its code is not sent again": lost_redemption,
    "a redemption with a truncated response is reported, and its code is not sent again": half_a_redemption,
    "a refresh without a response is repeated": lost_refresh,
    "a redemption that failed with 500 is repeated": failed_redemption,
    "Retry-After applies to the next process of the command": throttled,
    "Graph's 302 is an error and is not followed": partial(graph_answer, redirect("https://attacker.example/v1.0/me")),
    "Graph's 307 is an error and is not followed": partial(graph_answer, redirect("https://attacker.example/v1.0/me", 307)),
    "Graph's 304 is an error": partial(graph_answer, Answer(304)),
    "Graph's 101 is an error": partial(graph_answer, Answer(
        101, headers={"Connection": "Upgrade", "Upgrade": "odd"})),
    "chunks with extensions and trailers are accepted like a length": answer_of_every_length,
    "unknown members are ignored, and numbers may be strings": unknown_members,
    "white space around a response is ignored": byte_order_mark,
    "a response of two megabytes is rejected": huge,
    "an HTTP/1.0 response ends with its connection": without_length,
    "a redirect of the metadata is not followed": redirected_metadata,
    "a 302 of the token endpoint is not followed": partial(redirected_redemption, 302),
    "a 307 of the token endpoint is not followed with the code": partial(redirected_redemption, 307),
    **{f"{what}: nothing crashes and nothing is lost": partial(hostile, make) for what, make in HOSTILE.items()},
}
