# Licensed under the MIT License. See LICENSE.
"""Certificates of apps for a test: a company's root, and a certificate from it with its key."""
import base64
import datetime
import hashlib
import ipaddress
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12

PASSPHRASE = b"Opens-the-key"


class Certificate:
    """A certificate with its key. Without an issuer it is self-signed. A server's certificate has the server's names."""

    def __init__(self, name, issuer=None, names=()):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.issuer = issuer
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(subject).public_key(self.key.public_key())
            .issuer_name(issuer.certificate.subject if issuer else subject)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=30))
            .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True))
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName([general_name(each) for each in names]), critical=False)
        self.certificate = builder.sign((issuer or self).key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def der(self):
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def chain(self):
        """The certificate and its issuers, as PEM."""
        return self.pem + (self.issuer.chain if self.issuer else "")

    @property
    def thumbprint(self):
        """SHA-1, as portals show it."""
        return hashlib.sha1(self.der).hexdigest().upper()

    @property
    def x5t(self):
        return base64.urlsafe_b64encode(hashlib.sha1(self.der).digest()).rstrip(b"=").decode()

    def key_pem(self, passphrase=None):
        way = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, way).decode()

    def pfx(self, passphrase=PASSPHRASE):
        issuers = [self.issuer.certificate] if self.issuer else None
        return pkcs12.serialize_key_and_certificates(
            b"app", self.key, self.certificate, issuers, serialization.BestAvailableEncryption(passphrase))

    def save(self, folder):
        """The paths of a PEM file with key and certificate, and of a PFX file."""
        pem, pfx = pathlib.Path(folder) / "app.pem", pathlib.Path(folder) / "app.pfx"
        pem.write_text(self.key_pem() + self.chain)
        pfx.write_bytes(self.pfx())
        return str(pem), str(pfx)


def general_name(name):
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
