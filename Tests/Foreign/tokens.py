# Licensed under the MIT License. See LICENSE.
"""Signing keys of a service, created for one run, and what is signed with them."""
import base64
import datetime
import json

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from certificates import builder, subject


def encoded(data):
    """Base64url without padding; of anything but bytes, its JSON."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class SigningKey:
    """An RSA key with a `kid`, and the certificate that the service publishes with it."""

    def __init__(self, kid):
        self.kid = kid
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name, year = subject("accounts.accesscontrol.example"), datetime.timedelta(days=365)
        self.certificate = builder(name, name, self.key, -year, year).sign(self.key, hashes.SHA256())

    def jwk(self, *members, **more):
        """The public key with the given members, or all that the service publishes."""
        public = self.key.public_key().public_numbers()
        whole = {
            "kty": "RSA", "use": "sig", "kid": self.kid, "n": number(public.n), "e": number(public.e),
            "x5c": [base64.b64encode(self.certificate.public_bytes(serialization.Encoding.DER)).decode()],
        }
        return {**{name: value for name, value in whole.items() if not members or name in members}, **more}

    def sign(self, claims, algorithm="RS256", **more):
        """A token with these claims, and additional header members."""
        header = {"alg": algorithm, "typ": "JWT", "kid": self.kid, **more}
        text = f"{encoded(header)}.{encoded(claims)}"
        if algorithm == "none":
            return text + "."
        scheme = padding.PKCS1v15()
        if algorithm == "PS256":
            scheme = padding.PSS(padding.MGF1(hashes.SHA256()), padding.PSS.DIGEST_LENGTH)
        return f"{text}.{encoded(self.key.sign(text.encode(), scheme, hashes.SHA256()))}"


def number(value):
    return encoded(value.to_bytes((value.bit_length() + 7) // 8, "big"))
