# Licensed under the MIT License. See LICENSE.
"""Certificates and versions of TLS: which are accepted, and the messages about the others."""
import ssl
from datetime import timedelta
from functools import partial

HOST = "login.microsoftonline.com"
NETWORK = 5
UNTRUSTED, BAD_DATE, NOT_YET_VALID, HANDSHAKE = -1202, -1201, -1204, -1200
DAY = timedelta(days=1)


def told(world, code, *words, absent=()):
    error = world.refused_login()
    assert error["code"] == code, error
    said = f"{error['message']} {error['remedy']}"
    for word in words:
        assert word in said, f"{word} is not reported: {said}"
    for word in absent:
        assert word not in said, f"{word} is misleading: {said}"
    assert not world.service.seen("authorize"), "the browser was opened"


def tomorrow(world):
    world.server.contexts[HOST] = world.trusted.context([HOST], begin=DAY, end=2 * DAY)
    told(world, NOT_YET_VALID, "clock", absent=["unknown authority", "--ca-file"])


def yesterday(world):
    world.server.contexts[HOST] = world.trusted.context([HOST], begin=-2 * DAY, end=-DAY)
    told(world, BAD_DATE, "ended on", absent=["--ca-file", "not yet valid"])


def unknown_authority(world):
    world.server.contexts[HOST] = world.unknown.context([HOST])
    told(world, UNTRUSTED, "unknown authority")


def tomorrow_of_unknown_authority(world):
    world.server.contexts[HOST] = world.unknown.context([HOST], begin=DAY, end=2 * DAY)
    world.refused_login()


def unknown_authority_named(world):
    world.server.contexts[HOST] = world.unknown.context([HOST])
    world.login(MSAL_CA_FILE=str(world.unknown.file))


def other_name(world):
    world.server.contexts[HOST] = world.trusted.context(["login.contoso.com"])
    told(world, UNTRUSTED, HOST)


def common_name_only(world):
    world.server.contexts[HOST] = world.trusted.context([], common_name=HOST)
    told(world, UNTRUSTED)


def common_name_beside_others(world):
    world.server.contexts[HOST] = world.trusted.context(["attacker.example"], common_name=HOST)
    told(world, UNTRUSTED)


def bare_star(world):
    world.server.contexts["localhost"] = world.trusted.context(["*"])
    error = world.refused_login(MSAL_AUTHORITY="https://localhost/organizations")
    assert error["code"] == UNTRUSTED, error


def top_level_star(world):
    world.server.contexts[HOST] = world.trusted.context(["*.com"])
    told(world, UNTRUSTED)


def star_of_two_labels(world):
    world.server.contexts["fabrikam.ciamlogin.com"] = world.trusted.context(["*.ciamlogin.com"])
    world.service.user = "user-ciam"
    world.login(MSAL_AUTHORITY="https://fabrikam.ciamlogin.com/5e6a4f9e-1f0f-4c0b-9c6f-1d1f6a2b3c4d")


def exact_name(world):
    world.server.contexts[HOST] = world.trusted.context([HOST.upper()])
    world.login()


def rsa_exchange(world):
    world.server.contexts[HOST] = world.trusted.rsa_exchange_only([HOST])
    # The version is negotiated before the host's context is chosen, and TLS 1.3 has no such key exchange.
    world.server.default.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        told(world, HANDSHAKE)
    finally:
        world.server.default.maximum_version = ssl.TLSVersion.MAXIMUM_SUPPORTED


def doctor_tells(world):
    world.server.contexts[HOST] = world.trusted.context([HOST], begin=DAY, end=2 * DAY)
    outcome = world.msal("doctor")
    assert outcome.status == NETWORK and "clock" in outcome.text and "unknown authority" not in outcome.text


def graph_checks_too(context, world):
    world.login()
    world.server.contexts["graph.microsoft.com"] = context(world)
    outcome = world.msal("graph", "/me")
    assert outcome.status == NETWORK and not world.service.seen("graph"), "the token was sent"


CASES = {
    "a certificate of tomorrow is reported as not yet valid, with a hint about the clock": tomorrow,
    "a certificate of yesterday is reported as expired": yesterday,
    "a certificate of an unknown authority is reported as such": unknown_authority,
    "a certificate that is not yet valid and of an unknown authority is rejected": tomorrow_of_unknown_authority,
    "an authority named in the settings is trusted": unknown_authority_named,
    "a certificate for another name is rejected": other_name,
    "a certificate with only a common name is rejected": common_name_only,
    "a common name is ignored if there are other names": common_name_beside_others,
    "a bare wildcard does not match localhost": bare_star,
    "a wildcard does not match the domains of a public suffix": top_level_star,
    "a wildcard for one label is accepted": star_of_two_labels,
    "names are compared case-insensitively": exact_name,
    "RSA key exchange is not offered": rsa_exchange,
    "doctor reports a certificate of tomorrow": doctor_tells,
    "Graph's certificate is checked like the others": partial(
        graph_checks_too, lambda world: world.unknown.context(["graph.microsoft.com"])),
    "Graph's certificate needs more than a common name": partial(
        graph_checks_too, lambda world: world.trusted.context([], common_name="graph.microsoft.com")),
}
