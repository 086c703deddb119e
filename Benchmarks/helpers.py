# Licensed under the MIT License. See LICENSE.
"""The commands `msal git-credential`, `docker-credential`, and `kube-token`, and `msal token` for comparison, with one account."""
import base64
import contextlib
import json
import os
import socket
import ssl
import subprocess
import threading
import time

from harness import CLIENT_ID, TENANT, shared_cache

HOST = "login.microsoftonline.com"
REGISTRY = "contoso.azurecr.io"
GIT = "499b84ac-1321-427f-aa17-267ca6975798/.default"
SCOPES = [GIT, "https://containerregistry.azure.net/.default", "6dae42f8-4368-4678-94ff-3960e28e3630/.default"]
# The target for the time of a helper beyond `msal token`, in microseconds.
MORE = 10_000


def commands(msal, folder):
    """The commands by title, each with its environment, and the file of its standard input if it has one."""
    environment = {
        **os.environ, "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_AUTHORITY": f"https://{HOST}/{TENANT}", "MSAL_STORE_KEY": "key-file",
        "MSAL_STORE_DIR": str(folder / "helpers"), "XDG_CONFIG_HOME": str(folder / "config"),
    }
    cache, git, docker = folder / "helpers.json", folder / "git.txt", folder / "docker.txt"
    cache.write_text(json.dumps(tokens()))
    git.write_text("protocol=https\nhost=dev.azure.com\n\n")
    docker.write_text(f"{REGISTRY}\n")
    subprocess.run([str(msal), "cache", "import", str(cache)], env=environment, check=True, stdout=subprocess.DEVNULL)
    helper = [str(msal), "docker-credential", "get"]
    # The first call exchanges the token at the registry, and later calls use the cached result.
    with registry(folder) as (proxy, trust), open(docker, "rb") as name:
        first = subprocess.run(helper, env={**environment, "HTTPS_PROXY": proxy, "MSAL_CA_FILE": str(trust)}, stdin=name,
                               capture_output=True, text=True)
    if first.returncode:
        raise SystemExit(f"docker-credential failed: {first.stdout}{first.stderr}")
    return {
        "msal token, for git's scope": ([str(msal), "token", "--scope", GIT, "-o", "raw"], environment),
        "msal git-credential get": ([str(msal), "git-credential", "get"], environment, git),
        "msal docker-credential get": (helper, environment, docker),
        "msal kube-token": ([str(msal), "kube-token"], environment),
    }


def tokens():
    """A cache in the format that Microsoft's libraries share, with a token for each helper."""
    whole = {}
    for scope in SCOPES:
        for section, entries in json.loads(shared_cache(1, HOST, scope)).items():
            whole.setdefault(section, {}).update(entries)
    return whole


@contextlib.contextmanager
def registry(folder):
    """A proxy in front of a registry that exchanges any token, and the file of the registry's certificate."""
    key, certificate = folder / "registry-key.pem", folder / "registry.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=registry", "-addext", f"subjectAltName=DNS:{REGISTRY}", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=exchange, args=(listener, context), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", certificate


def exchange(listener, context):
    """Serves one request through CONNECT."""
    claims = base64.urlsafe_b64encode(json.dumps({"exp": int(time.time()) + 10_800}).encode()).rstrip(b"=").decode()
    body = json.dumps({"refresh_token": f"header.{claims}.signature"}).encode()
    connection, _ = listener.accept()
    while not connection.recv(65_536).endswith(b"\r\n\r\n"):
        pass
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    with context.wrap_socket(connection, server_side=True) as secure, secure.makefile("rb") as stream:
        length = 0
        while line := stream.readline().strip().lower():
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        stream.read(length)
        secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
