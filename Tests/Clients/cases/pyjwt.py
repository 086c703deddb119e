# Licensed under the MIT License. See LICENSE.
"""PyJWT validates an API's tokens with only the key set, before and after the keys are rotated."""
import jwt
import requests

from bench import API, API_ID, CLIENT_ID, TENANT, check


def run(bench):
    # By default it fetches new keys after 30 seconds at the earliest.
    keys = jwt.PyJWKClient(bench.metadata()["jwks_uri"], cooldown_duration=0)
    old = token(bench)
    claims = verified(bench, keys, old)
    check(claims["tid"] == TENANT and "ToDoList.Read" in claims["scp"], "PyJWT validates a token for an API with the key set")
    kid = jwt.get_unverified_header(old)["kid"]

    bench.emulator.steer("POST", "/keys", {"rollover": True})
    new = token(bench)
    check(jwt.get_unverified_header(new)["kid"] != kid, "after a rollover tokens name another key")
    check(verified(bench, keys, new)["tid"] == TENANT, "PyJWT finds the new key by fetching the key set again")
    check(verified(bench, keys, old)["tid"] == TENANT, "it still accepts tokens signed with the previous key")
    head, _, signature = new.rpartition(".")
    forged = f"{head}.{signature[:-8]}AAAAAAAA"
    try:
        verified(bench, keys, forged)
        check(False, "a modified signature is rejected")
    except jwt.InvalidSignatureError:
        check(True, "a modified signature is rejected")


def token(bench):
    import msal

    app = msal.PublicClientApplication(CLIENT_ID, authority=bench.authority, instance_discovery=False)
    flow = app.initiate_device_flow([f"{API}/ToDoList.Read"])
    bench.type_code(flow["user_code"])
    return app.acquire_token_by_device_flow(flow, exit_condition=lambda _: True)["access_token"]


def verified(bench, keys, token):
    return jwt.decode(token, keys.get_signing_key_from_jwt(token), algorithms=["RS256"], audience=API_ID,
                      issuer=bench.metadata()["issuer"])
