# Licensed under the MIT License. See LICENSE.
"""A certificate authority for one run, and the certificates that a server may show: valid and invalid ones."""
import datetime
import ipaddress
import ssl

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = datetime.timedelta(days=1)


class CertificateAuthority:
    """Signs certificates; its own certificate is written to a file, for programs to trust."""

    def __init__(self, folder, common_name):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = subject(common_name)
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        self.certificate = (
            builder(self.name, self.name, self.key, -10 * DAY, 10 * DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .sign(self.key, hashes.SHA256()))
        self.file = folder / f"{common_name}.pem"
        self.file.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def context(self, names, common_name=None, begin=-DAY, end=DAY, key=None):
        """A server's TLS context with a certificate for these names and times; without names, it has no subjectAltName."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        request = builder(subject(common_name or "foreign server"), self.name, key, begin, end)
        if names:
            alternatives = x509.SubjectAlternativeName([general_name(name) for name in names])
            request = request.add_extension(alternatives, critical=False)
        certificate = (
            request
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(self.key, hashes.SHA256()))
        file = self.folder / f"server-{certificate.serial_number}.pem"
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        context.set_alpn_protocols(["http/1.1"])
        return context

    def rsa_exchange_only(self, names):
        """An old server: TLS 1.2, and the session key encrypted with the certificate's key."""
        context = self.context(names, key=rsa.generate_private_key(public_exponent=65537, key_size=2048))
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers("AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA:@SECLEVEL=0")
        return context


def subject(common_name):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def general_name(name):
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def builder(name, issuer, key, begin, end):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now + begin).not_valid_after(now + end))
