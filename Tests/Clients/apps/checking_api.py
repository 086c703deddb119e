# Licensed under the MIT License. See LICENSE.
"""An API that validates tokens with a general JWT library. The API adds one line: the permission that it requires.

usage: checking_api.py PORT pyjwt|joserfc AUTHORITY API_ID
"""
import sys

import jwt
import requests
from flask import Flask, request
from joserfc import jwt as joserfc_jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

port, library, authority, api = sys.argv[1:]
metadata = requests.get(f"{authority}/v2.0/.well-known/openid-configuration", timeout=10).json()
app = Flask(__name__)


def with_pyjwt():
    keys = jwt.PyJWKClient(metadata["jwks_uri"])

    def claims(token):
        return jwt.decode(token, keys.get_signing_key_from_jwt(token), algorithms=["RS256"], audience=api,
                          issuer=metadata["issuer"], options={"require": ["exp", "iss", "aud"]})
    return claims, jwt.PyJWTError


def with_joserfc():
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
    rules = joserfc_jwt.JWTClaimsRegistry(exp={"essential": True}, iss={"essential": True, "value": metadata["issuer"]},
                                          aud={"essential": True, "value": api})

    def claims(text):
        token = joserfc_jwt.decode(text, keys, algorithms=["RS256"])
        rules.validate(token.claims)
        return token.claims
    return claims, (JoseError, ValueError)


claims, Refusal = {"pyjwt": with_pyjwt, "joserfc": with_joserfc}[library]()


@app.get("/ready")
def ready():
    return "ready"


@app.get("/tasks")
def tasks():
    try:
        known = claims(request.headers.get("Authorization", "").removeprefix("Bearer "))
    except Refusal as reason:
        return {"refused": str(reason)}, 401
    if "ToDoList.Read" not in known.get("scp", "").split():
        return {"refused": "no permission"}, 403
    return {"of": known["preferred_username"]}


app.run("localhost", int(port))
