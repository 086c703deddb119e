# Licensed under the MIT License. See LICENSE.
"""Starts a program that trusts the emulator: trust.py PROGRAM

The certificate authority is fetched over plain HTTP, so it could have been changed on the way. It is accepted only if its SHA-256 is
the one that the emulator printed.
"""
import hashlib
import os
import ssl
import sys
import tempfile
import urllib.request

with urllib.request.urlopen("http://emulator:8080/ca.pem", timeout=10) as answer:
    authority = answer.read().decode()
found = hashlib.sha256(ssl.PEM_cert_to_DER_cert(authority)).hexdigest().upper()
if found != os.environ.get("ENTRA_EMULATOR_CA_SHA256", "").replace(":", "").upper():
    sys.exit("The certificate authority is not the one of ENTRA_EMULATOR_CA_SHA256. Compare it with the first lines of the emulator.")
with tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False) as file:
    file.write(authority)
trust = {"REQUESTS_CA_BUNDLE": file.name, "SSL_CERT_FILE": file.name}
os.execve(sys.executable, [sys.executable, *sys.argv[1:]], {**os.environ, **trust})
