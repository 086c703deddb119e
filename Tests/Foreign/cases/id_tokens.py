# Licensed under the MIT License. See LICENSE.
"""ID tokens, the keys that sign them, and the user's identity if the response says little."""
import json
from functools import partial

import service
from tokens import SigningKey
from wire import Answer, as_json, page

INVALID = (-50000, -42600)
OID, TENANT = "9f4880d8-80ba-4c40-97bc-f7a23c703084", "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
NAME = "MSAL-User-Default@id4slab1.onmicrosoft.com"


def refused(world, *words):
    error = world.refused_login()
    assert (error["code"], error["internal_code"]) == INVALID, error
    for word in words:
        assert word in error["message"], f"{word} is not reported"
    assert world.names() == []


def verified(world):
    assert world.login()["is_id_token_signature_verified"] is True


def own_key(world):
    world.service.signer = world.service.app_key
    verified(world)
    asked = [request for request in world.service.seen("metadata") if "appid" in request.query]
    assert [request.query["appid"] for request in asked] == [world.environment["MSAL_CLIENT_ID"]]
    assert world.msal("token", "--refresh").status == 0
    assert len([request for request in world.service.seen("metadata") if "appid" in request.query]) == 1


def nobodys_key(world):
    world.service.signer = SigningKey("nobodys-key")
    refused(world)
    assert len([request for request in world.service.seen("metadata") if "appid" in request.query]) <= 1


def own_key_elsewhere(world):
    """Another host for the app's keys is not accepted, wherever it is named."""
    def metadata(request):
        answer = world.service.default(request)
        if "appid" in request.query:
            return as_json({**json.loads(answer.body), "jwks_uri": "https://attacker.example/keys?appid=x"})
        return answer

    world.service.always("metadata", metadata)
    world.service.signer = world.service.app_key
    refused(world)
    assert not world.service.at("attacker.example")


def certificate_only(world):
    world.service.published = [world.service.key.jwk("kty", "use", "kid", "x5c")]
    verified(world)


def certificate_of_another(world):
    other = SigningKey("another")
    world.service.published = [world.service.key.jwk(x5c=other.jwk()["x5c"])]
    refused(world)


def keys_of_all_kinds(world):
    world.service.published = [
        {"kty": "oct", "kid": "the-tenants-key", "k": "AAAA"}, {"kty": "quantum", "kid": "odd"}, {"odd": 1}, {"kty": 7},
        {"kty": "OKP", "crv": "Ed25519", "kid": "ed", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
        world.service.key.jwk(issuer="odd", cloud_instance_name="microsoftonline.com", extra={"deep": [1]}),
    ]
    verified(world)


def key_for_something_else(members, world):
    world.service.published = [world.service.key.jwk(**members)]
    refused(world)


def key_for_signatures(world):
    world.service.published = [world.service.key.jwk(alg="RS256", key_ops=["verify"], use="sig")]
    verified(world)


def audience(claims, world):
    world.service.claims = {**claims}
    if "aud" in claims:
        world.service.claims["aud"] = [world.environment["MSAL_CLIENT_ID"], *claims["aud"]]
    refused(world)


def own_party(world):
    client = world.environment["MSAL_CLIENT_ID"]
    world.service.claims = {"aud": [client, "another"], "azp": client}
    verified(world)


def wrong(claims, world):
    world.service.claims = claims
    refused(world)


def unsigned(world):
    world.service.algorithm = "none"
    refused(world)


def stronger(world):
    world.service.algorithm = "PS256"
    verified(world)


def renamed_by_nobody(world):
    world.login()
    world.service.algorithm = "none"
    world.service.claims = {"preferred_username": "boss@contoso.example", "name": "The Boss"}
    world.msal("token", "--refresh")
    assert world.names() == [NAME], "an unsigned ID token changed the name"


def no_client_info_on_refresh(world):
    world.login()
    world.service.response = {"client_info": None}
    assert world.msal("token", "--refresh").status == 0
    world.service.response = {"client_info": None, "id_token": None}
    assert world.msal("token", "--refresh").status == 0
    assert world.names() == [NAME]


def another_user_on_refresh(world):
    world.login()
    world.service.response = {"client_info": None}
    world.service.claims = {"oid": "00000000-0000-4000-8000-0000000000ff"}
    assert world.msal("token", "--refresh").status != 0
    assert world.names() == [NAME]


def no_client_info_at_sign_in(world):
    world.service.response = {"client_info": None}
    world.login()
    account = world.msal("accounts", "-o", "json").json["accounts"][0]
    assert account["username"] == NAME and f"{OID}.{TENANT}" in str(account).lower()
    assert world.msal("token").status == 0


def no_client_info_and_no_keys(world):
    world.service.response = {"client_info": None}
    world.service.always("keys", page("Service unavailable", 503))
    world.refused_login()
    assert world.names() == []


def control_character(world):
    world.service.response = {"client_info": service.client_info(f"{OID}\u0000", TENANT)}
    world.msal("login")
    # Whatever the outcome of the sign-in, the store remains usable.
    assert world.msal("accounts", "-o", "json").status == 0
    world.service.response = {}
    world.login()
    assert world.msal("token").status == 0


def no_keys(world):
    world.service.always("keys", Answer(cut=0))
    assert world.login()["is_id_token_signature_verified"] is False


def many_scopes(world):
    world.service.response = {"scope": " ".join(["User.Read", *(f"scope-{number}" for number in range(60_000))])}
    world.msal("login", timeout=20)
    world.service.response = {}
    world.login(timeout=20)
    assert world.msal("token", timeout=20).status == 0


CASES = {
    "an app-specific key is found under ?appid, and fetched once": own_key,
    "an unknown key is rejected after one refetch": nobodys_key,
    "an app's own keys are not fetched from another host": own_key_elsewhere,
    "a key with only a certificate is read from the certificate": certificate_only,
    "a key that differs from its certificate is rejected": certificate_of_another,
    "keys of other types and unknown members are skipped": keys_of_all_kinds,
    "a key for encryption signs nothing": partial(key_for_something_else, {"use": "enc"}),
    "a key for another algorithm signs nothing": partial(key_for_something_else, {"alg": "RS512"}),
    "a key for other operations signs nothing": partial(key_for_something_else, {"key_ops": ["encrypt"], "use": None}),
    "a key that says it is for signatures is used": key_for_signatures,
    "an ID token for other audiences with a foreign azp is rejected": partial(
        audience, {"aud": ["another"], "azp": "another"}),
    "a foreign azp is rejected although the audience is correct": partial(audience, {"azp": "another"}),
    "several audiences with the app's azp are accepted": own_party,
    "an ID token for another app is rejected": partial(wrong, {"aud": "another"}),
    "an ID token of another issuer is rejected": partial(wrong, {"iss": "https://login.microsoftonline.com/other/v2.0"}),
    "an ID token with another nonce is rejected": partial(wrong, {"nonce": "another"}),
    "an ID token without a nonce is rejected": partial(wrong, {"nonce": None}),
    "an expired ID token is rejected": partial(wrong, {"exp": 1_600_000_000}),
    "an ID token that is not yet valid is rejected": partial(wrong, {"nbf": 4_000_000_000, "exp": 4_000_003_600}),
    "an unsigned ID token is rejected": unsigned,
    "PS256 is accepted like RS256": stronger,
    "an unsigned ID token of a refresh changes no name": renamed_by_nobody,
    "a refresh without client_info keeps the account": no_client_info_on_refresh,
    "a refresh without client_info that names another user is rejected": another_user_on_refresh,
    "a sign-in without client_info reads the user from the signed ID token": no_client_info_at_sign_in,
    "a sign-in without client_info and without a verified signature is rejected": no_client_info_and_no_keys,
    "a client_info with a control character leaves a usable store": control_character,
    "without keys a sign-in succeeds, and reports that the signature was not verified": no_keys,
    "sixty thousand scopes are handled quickly and leave a working store": many_scopes,
}
