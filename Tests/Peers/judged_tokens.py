# Licensed under the MIT License. See LICENSE.
"""PyJWT, which shares no code with the library, verifies each access token of the conformance cases.

usage: judged_tokens.py

PyJWT must verify the signature of a token that an API must accept, using the key that the token names. The same holds for a
token that is rejected because of its claims, which are read after the signature (docs/reference/TokenValidation.md#order). PyJWT
must not verify a token whose signature, algorithm, or critical header is rejected.
"""
import collections
import json
import pathlib

import jwt

from harness import check

CASES = pathlib.Path(__file__).resolve().parent.parent / "Conformance" / "server" / "access-token-validation.json"
AFTER_SIGNATURE = {
    "invalidAudience", "expired", "notYetValid", "issuedInFuture", "notAnAccessToken", "clientNotAllowed", "wrongTokenKind",
    "boundTokenWithoutProof", "missingPermissions", "insufficientScope", "insufficientRole",
}
# Not `unknownKey`, which is also the outcome for an encryption key.
UNVERIFIED = {"invalidSignature", "unsupportedAlgorithm", "unsupportedCriticalHeader"}


def verifies(token, keys, algorithms):
    """Whether the signature was created with a key of the token's key ID. PyJWT reads no claims."""
    try:
        name = jwt.get_unverified_header(token).get("kid")
    except jwt.InvalidTokenError:
        return False
    for key in keys:
        if key.get("kid") == name and key["kty"] == "RSA":
            try:
                jwt.api_jws.PyJWS().decode(token, jwt.PyJWK(key, algorithm="RS256").key, algorithms=algorithms)
                return True
            except jwt.InvalidTokenError:
                continue
    return False


def judge():
    document = json.loads(CASES.read_text(encoding="utf-8"))
    keys = [key for keys in document["fixtures"]["keySets"].values() for key in keys["keys"]]
    verdicts, wrong = collections.Counter(), []
    for case in document["cases"]:
        if case["op"] != "validate":
            continue
        reason = case["out"].get("reject")
        # PS256 is for an API that allows it.
        algorithms = ["RS256"] if reason == "unsupportedAlgorithm" else ["RS256", "PS256"]
        verdict = verifies(case["in"]["token"], keys, algorithms)
        verdicts[verdict] += 1
        if (verdict and reason in UNVERIFIED) or (not verdict and (reason is None or reason in AFTER_SIGNATURE)):
            wrong.append(f"{case['id']} ({reason or 'accepted'})")
    check(not wrong, f"PyJWT agrees on the signatures of {verdicts.total()} access tokens {' '.join(wrong)}")
    # Both verdicts occur often, so that agreement means something.
    check(verdicts[True] > 40 and verdicts[False] > 10, f"{verdicts[True]} of them are verified, {verdicts[False]} are not")


if __name__ == "__main__":
    judge()
