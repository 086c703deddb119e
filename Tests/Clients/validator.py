# Licensed under the MIT License. See LICENSE.
"""A protected API's validation of an access token, written from the rules only (Microsoft identity platform, "Access tokens" and
"Claims validation"). Its results must first match the cases of Tests/Conformance/server/access-token-validation.json."""
import base64
import json
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"
# Claims that must not occur with different capitalization.
SENSITIVE = {"iss", "aud", "exp", "nbf", "iat", "tid", "ver", "oid", "sub", "scp", "roles", "azp", "appid", "idtyp", "cnf",
             "nonce", "alg", "kid", "typ", "crit"}
PADDINGS = {"RS256": padding.PKCS1v15(), "PS256": padding.PSS(padding.MGF1(hashes.SHA256()), 32)}


class Rejected(Exception):
    """The reason, as a term of the cases."""


class Validator:
    """`fetch` returns the JSON at an address."""

    def __init__(self, settings, fetch):
        self.settings, self.fetch = settings, fetch
        self.has_versions = settings["kind"] == "aad"

    def accept(self, token, now):
        """The principal of a token."""
        header, claims, signed, signature = self.parts(token)
        self.check_header(header)
        document = self.document(claims)
        self.check_issuer(claims, document)
        self.check_tenant(claims)
        self.check_signature(header, claims, document, signed, signature)
        self.check_audience(claims)
        self.check_times(claims, now)
        return self.principal(claims)

    # The form of the token

    def parts(self, token):
        if len(token) > 32 * 1024:
            raise Rejected("tokenTooLarge")
        parts = token.split(".")
        if len(parts) == 5:
            raise Rejected("encryptedToken")
        if len(parts) != 3:
            raise Rejected("malformedToken")
        header, claims = (self.members(part) for part in parts[:2])
        return header, claims, f"{parts[0]}.{parts[1]}".encode(), self.decoded(parts[2], may_be_empty=True)

    def members(self, part):
        def unique(pairs):
            names = [name for name, _ in pairs]
            if len(set(names)) != len(names):
                raise Rejected("malformedToken")
            return dict(pairs)

        try:
            value = json.loads(self.decoded(part).decode(), object_pairs_hook=unique)
        except (ValueError, RecursionError):
            raise Rejected("malformedToken") from None
        if not isinstance(value, dict) or not self.has_usual_types(value) or any(n.lower() in SENSITIVE and n not in SENSITIVE for n in value):
            raise Rejected("malformedToken")
        return value

    @staticmethod
    def has_usual_types(members):
        """Times must be valid dates as numbers, permissions a string and a list."""
        times = [members[name] for name in ("exp", "nbf", "iat") if name in members]
        roles = members.get("roles", [])
        return (all(isinstance(time, (int, float)) and not isinstance(time, bool) and 0 <= time < 1e11 for time in times)
                and isinstance(members.get("scp", ""), str)
                and isinstance(roles, list) and all(isinstance(role, str) for role in roles))

    @staticmethod
    def decoded(part, may_be_empty=False):
        try:
            data = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
        except ValueError:
            raise Rejected("malformedToken") from None
        # Other spellings of the same bytes are not accepted.
        if base64.urlsafe_b64encode(data).decode().rstrip("=") != part or not (part or may_be_empty):
            raise Rejected("malformedToken")
        return data

    def check_header(self, header):
        if header.get("alg") not in self.settings.get("algorithms", ["RS256"]):
            raise Rejected("unsupportedAlgorithm")
        if "crit" in header:
            raise Rejected("unsupportedCriticalHeader")
        if str(header.get("typ", "JWT")).lower() not in ("jwt", "at+jwt"):
            raise Rejected("wrongTokenType")

    # The issuer

    def document(self, claims):
        if not isinstance(claims.get("iss"), str):
            raise Rejected("missingClaim")
        version = "/v2.0"
        if self.has_versions:
            if claims.get("ver") not in ("1.0", "2.0"):
                raise Rejected("missingClaim")
            if not isinstance(claims.get("tid"), str) or not re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", claims["tid"]):
                raise Rejected("invalidTenant" if "tid" in claims else "missingClaim")
            version = "" if claims["ver"] == "1.0" else version
        return self.fetch(f"{self.settings['authority']}{version}/.well-known/openid-configuration")

    def check_issuer(self, claims, document):
        if claims["iss"] != document["issuer"].replace("{tenantid}", str(claims.get("tid"))):
            raise Rejected("invalidIssuer")

    def check_tenant(self, claims):
        tenants = self.settings["tenants"]
        if not self.has_versions:
            return
        if tenants != "any" and claims["tid"] not in tenants:
            raise Rejected("tenantNotAllowed")
        if self.settings["authority"].endswith("/organizations") and claims["tid"] == PERSONAL:
            raise Rejected("tenantNotAllowed")

    def check_signature(self, header, claims, document, signed, signature):
        keys = [key for key in self.fetch(document["jwks_uri"])["keys"]
                if key.get("kid") == header.get("kid") and key.get("kty") == "RSA" and key.get("use", "sig") == "sig"]
        if not keys or header.get("kid") is None:
            raise Rejected("unknownKey")
        key, = keys
        issuer = key.get("issuer")
        if issuer and issuer.replace("{tenantid}", str(claims.get("tid"))) != claims["iss"]:
            raise Rejected("keyNotForIssuer")
        cloud = key.get("cloud_instance_name")
        if cloud and document.get("cloud_instance_name") not in (None, cloud):
            raise Rejected("keyNotForIssuer")
        modulus, exponent = (int.from_bytes(self.decoded(key[name]), "big") for name in ("n", "e"))
        if modulus.bit_length() < 2048:
            raise Rejected("unknownKey")
        try:
            rsa.RSAPublicNumbers(exponent, modulus).public_key().verify(
                signature, signed, PADDINGS[header["alg"]], hashes.SHA256())
        except InvalidSignature:
            raise Rejected("invalidSignature") from None

    # The audience and the times

    def check_audience(self, claims):
        audience = claims.get("aud")
        if isinstance(audience, list) and len(audience) == 1:
            audience, = audience
        allowed = [self.settings["clientId"], *self.settings.get("audiences", [])]
        if claims.get("ver") == "1.0":
            allowed.append(f"api://{self.settings['clientId']}")
        if audience not in allowed:
            raise Rejected("invalidAudience")

    def check_times(self, claims, now):
        skew = self.settings.get("clockSkew", 300)
        if "exp" not in claims:
            raise Rejected("missingClaim")
        if claims["exp"] + skew <= now:
            raise Rejected("expired")
        if claims.get("nbf", now) - skew > now:
            raise Rejected("notYetValid")
        if claims.get("iat", now) - skew > now:
            raise Rejected("issuedInFuture")

    # The permissions

    def principal(self, claims):
        client = claims.get("appid" if self.has_versions and claims["ver"] == "1.0" else "azp")
        if client is None or ("nonce" in claims and "scp" not in claims):
            raise Rejected("notAnAccessToken")
        if "clients" in self.settings and client not in self.settings["clients"]:
            raise Rejected("clientNotAllowed")
        kind = self.kind(claims)
        if "cnf" in claims:
            raise Rejected("boundTokenWithoutProof")
        scopes = [scope for scope in str(claims.get("scp", "")).split(" ") if scope]
        roles = claims.get("roles", [])
        if not scopes and not roles and not self.settings.get("allowsTokensWithoutPermissions"):
            raise Rejected("missingPermissions")
        self.check_requirements(kind, scopes, roles)
        return {"kind": kind, "tenant": claims.get("tid"), "client": client, "objectId": claims.get("oid"),
                "scopes": sorted(scopes), "roles": sorted(roles), "version": claims.get("ver"),
                "capabilities": claims.get("xms_cc", [])}

    @staticmethod
    def kind(claims):
        if claims.get("idtyp") == "app" and "scp" in claims:
            raise Rejected("wrongTokenKind")
        if claims.get("idtyp") in ("app", "user"):
            return "application" if claims["idtyp"] == "app" else "user"
        if "scp" in claims:
            return "user"
        if claims.get("oid") and claims.get("oid") == claims.get("sub"):
            return "application"
        return "unknown"

    def check_requirements(self, kind, scopes, roles):
        required = self.settings.get("requires")
        if not required:
            return
        if kind == "application":
            wanted, held, reason = required.get("anyApplicationRole"), roles, "insufficientRole"
            if wanted is None:
                raise Rejected("wrongTokenKind")
            if not set(wanted) & set(held):
                raise Rejected(reason)
            return
        if "anyScope" not in required and "anyUserRole" not in required:
            raise Rejected("wrongTokenKind")
        if "anyScope" in required and not set(required["anyScope"]) & set(scopes):
            raise Rejected("insufficientScope")
        if "anyUserRole" in required and not set(required["anyUserRole"]) & set(roles):
            raise Rejected("insufficientRole")

