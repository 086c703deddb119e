#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Measures the check of an access token with PyJWT.

usage: Benchmarks/token_checks.py FILE     (with the interpreter of .venv)

Writes the token, of the size that Benchmarks uses, and its public key to FILE, for the same check in Go. Prints JSON with the
version of PyJWT and the CPU time of a check in microseconds: each value is the mean of 100 checks.
"""
import json
import pathlib
import sys
import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

AUDIENCE = "99999999-0000-4000-8000-0000000000d1"
TENANT = "11111111-1111-1111-1111-111111111111"
ISSUER = f"https://login.microsoftonline.com/{TENANT}/v2.0"


def token(key):
    now = int(time.time())
    claims = {
        "ver": "2.0", "aud": AUDIENCE, "azp": "00000000-0000-4000-8000-000000000001", "tid": TENANT, "iss": ISSUER,
        "oid": "33333333-3333-4333-8333-000000000001", "sub": "s1", "scp": "Orders.Read", "name": "User 1",
        "preferred_username": "user-1@contoso.example", "exp": now + 86_400, "iat": now - 3600, "nbf": now - 3600,
        "rh": 420 * "h",
    }
    return jwt.encode(claims, key, "RS256", headers={"kid": "benchmark-key"})


def measure(check):
    samples = []
    for _ in range(32):
        start = time.process_time_ns()
        for _ in range(100):
            check()
        samples.append((time.process_time_ns() - start) / 100_000)
    return samples[1:]  # The first one warms up.


def main(file):
    key = rsa.generate_private_key(65537, 2048)
    public = key.public_key()
    text = token(key)
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    pathlib.Path(file).write_text(json.dumps({"token": text, "publicKey": pem, "audience": AUDIENCE, "issuer": ISSUER}))
    options = {"require": ["exp", "nbf", "iss", "aud"]}
    times = measure(lambda: jwt.decode(text, public, ["RS256"], options, audience=AUDIENCE, issuer=ISSUER))
    print(json.dumps({"version": jwt.__version__, "microseconds": times}))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
