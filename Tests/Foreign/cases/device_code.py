# Licensed under the MIT License. See LICENSE.
"""A sign-in with a code that is typed elsewhere: the requests, and the results of odd and hostile responses. The responses are
constructed, because there is no recording of the device code endpoint."""
import re
from functools import partial

import made
from wire import Answer, as_json, page

PENDING = made.error("authorization_pending", 70016, "OAuth 2.0 device flow error. Authorization is pending.")
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def sign_in(world, *arguments, **changes):
    """Signs in with a code, which must succeed."""
    outcome = world.msal("login", "--use-device-code", "-o", "json", *arguments, **changes)
    assert outcome.status == 0, "the sign-in failed"
    return outcome


def refused(world, *arguments, **changes):
    outcome = world.msal("login", "--use-device-code", "-o", "json", *arguments, **changes)
    assert outcome.status != 0, "the sign-in succeeded"
    assert world.names() == [], "something was stored"
    return outcome


def codes(world, **members):
    """The response of the device code endpoint, with other members."""
    def answer(_):
        world.service.device_codes.add("device-code-0")
        return as_json(made.device_code("device-code-0", **members))

    world.service.always("devicecode", answer)


def sent(world):
    outcome = sign_in(world, "--scope", "User.Read", "--login-hint", "megan@contoso.example")
    assert "https://microsoft.com/devicelogin" in outcome.errors and "FJHQZXQ4T" in outcome.errors
    begun, = world.service.seen("devicecode")
    asked, = world.service.seen("token")
    assert begun.form.keys() == {"client_id", "scope"}, begun.form
    assert asked.form.keys() == {"client_id", "client_info", "device_code", "grant_type", "scope"}, asked.form
    assert set(begun.form["scope"].split()) == {"User.Read", "openid", "profile", "offline_access"}
    assert asked.form["device_code"] == "device-code-0" and asked.form["client_info"] == "1"
    assert begun.headers["client-request-id"] == asked.headers["client-request-id"]
    for request in (begun, asked):
        assert request.method == "POST" and not request.query and "cookie" not in request.headers
        assert request.headers["content-type"].startswith("application/x-www-form-urlencoded")
        assert request.headers["accept"] == "application/json"
    assert not world.service.seen("authorize") and not world.browser_log.exists()
    assert "device-code-0" not in outcome.text, "the secret code was shown"
    assert world.msal("token").status == 0 and len(world.service.seen("token")) == 1, "the token was not stored"


def waiting(world, *answers):
    """The service returns other responses before the tokens."""
    world.service.once("token", *answers)
    outcome = sign_in(world)
    assert len(world.service.seen("token")) == len(answers) + 1
    return outcome


def busy(world):
    """The service is down or slow, or its responses are truncated."""
    outcome = waiting(
        world, made.error("temporarily_unavailable", 90033, "A transient error has occurred.", 503),
        as_json({}, 429, headers={"Retry-After": "1"}), Answer(cut=0), Answer(cut=60), PENDING)
    assert "The service is busy or cannot be reached. Trying again." in outcome.errors, outcome


def declined(name, number, world):
    world.service.once("token", PENDING, made.error(name, number, "The end user denied the authorization request."))
    outcome = refused(world)
    assert outcome.status == 130 and outcome.error["code"] == -50005, outcome.error


def over(name, number, world):
    world.service.once("token", made.error(name, number, "The code is over."))
    error = refused(world).error
    assert error["code"] != -50005 and len(world.service.seen("token")) == 1, error
    assert error["remedy"], error


def expired(world):
    codes(world, expires_in=1)
    error = refused(world).error
    assert "expired" in error["message"] and not world.service.seen("token"), error


def no_json_at_all(world):
    world.service.always("token", page("Welcome to the hotel"))
    error = refused(world).error
    assert error["internal_code"] == -42600 and len(world.service.seen("token")) == 5, error


def forbidden(world):
    """Without "Allow public client flows"."""
    world.service.always("devicecode", made.error(
        "invalid_client", 7000218, "The request body must contain: 'client_assertion' or 'client_secret'.", 401))
    error = refused(world).error
    assert "public client" in error["remedy"], error


def blocked(world):
    """A policy of the tenant."""
    world.service.once("token", made.error("invalid_grant", 53003, "Access has been blocked by Conditional Access."))
    error = refused(world).error
    assert "administrator" in error["remedy"], error
    assert "--mode browser" in error["remedy"] and "--mode paste" in error["remedy"], error


def odd(members, world):
    codes(world, **members)
    sign_in(world)


def unusable(members, world):
    codes(world, **members)
    outcome = refused(world)
    assert outcome.error["internal_code"] == -42600 and not world.service.seen("token"), outcome.error
    assert not UNSAFE.search(outcome.errors)


def deceiving_message(world):
    codes(world, message="Type it at \x1b]8;;https://attacker.example\x07this page\x1b]8;;\x07\r\n\u202ekcatta")
    outcome = sign_in(world)
    assert "attacker" not in outcome.errors and not UNSAFE.search(outcome.errors)


def no_endpoint(world):
    world.service.user = "user-b2c"
    outcome = refused(world, MSAL_AUTHORITY="https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_signin")
    assert not world.service.seen("devicecode") and not world.service.seen("token")
    assert "device code" in outcome.error["message"], outcome.error


def endpoint_elsewhere(address, world):
    world.service.metadata = {"device_authorization_endpoint": address}
    refused(world)
    assert not world.service.seen("token") and not world.service.at("attacker.example")


def page_instead(answer, world):
    world.service.always("devicecode", answer)
    refused(world)
    assert not world.service.seen("token")


CASES = {
    "a sign-in sends what the service documents, shows the code and stores the tokens": sent,
    "the service is polled until the code is typed": lambda world: waiting(world, PENDING, PENDING),
    "a service that is down, slow or cut off is polled again": busy,
    "a network's page between two polls is ignored": lambda world: waiting(
        world, page("Welcome to the hotel"), page("Welcome to the hotel", 511)),
    "a persistent network page ends the sign-in": no_json_at_all,
    "the service's error for a user who declines": partial(declined, "authorization_declined", 70017),
    "the RFC's error for a user who declines": partial(declined, "access_denied", 65004),
    "the RFC's error for an expired code": partial(over, "expired_token", 70019),
    "an older error for an expired code": partial(over, "code_expired", 70019),
    "a code that the service does not know": partial(over, "bad_verification_code", 70018),
    "an expired code is not polled again": expired,
    "an app that is not a public client": forbidden,
    "a policy that blocks device codes": blocked,
    "numbers as strings": partial(odd, {"interval": "1", "expires_in": "900"}),
    "the older name of the address, and unknown members": partial(
        odd, {"verification_uri": None, "verification_url": "https://microsoft.com/devicelogin", "odd": [1]}),
    "an address with the code in it": partial(
        odd, {"verification_uri_complete": "https://microsoft.com/devicelogin?otc=FJHQZXQ4T"}),
    "no message": partial(odd, {"message": None}),
    "a message that would act on the terminal": deceiving_message,
    "a page without TLS": partial(unusable, {"verification_uri": "http://microsoft.com/devicelogin"}),
    "a page that is a program": partial(unusable, {"verification_uri": "javascript:alert(1)"}),
    "a user code with an escape sequence": partial(unusable, {"user_code": "AB\x1b[2KCD"}),
    "no user code": partial(unusable, {"user_code": None}),
    "no device code": partial(unusable, {"device_code": None}),
    "Azure AD B2C without device codes": no_endpoint,
    "an endpoint without https": partial(endpoint_elsewhere, "http://attacker.example/devicecode"),
    "a network's page instead of codes": partial(page_instead, page("Welcome to the hotel")),
    "a service that is down instead of codes": partial(page_instead, as_json({}, 503)),
}
