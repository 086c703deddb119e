# Licensed under the MIT License. See LICENSE.
"""Azure Container Registry: Debian's docker-registry behind the token endpoints of Azure's registries."""
import base64
import http.client
import pathlib
import shutil
import socket
import subprocess
import time
import uuid

from cryptography.hazmat.primitives import serialization

from tokens import SigningKey
from wire import Answer, as_json, basic, page

REGISTRIES = "https://containerregistry.azure.net"
REGISTRY = "contoso.azurecr.io"
# The user name of a refresh token.
NOBODY = "00000000-0000-0000-0000-000000000000"


def exchanged(world, request, refresh):
    """The response to POST /oauth2/exchange: a registry refresh token for an access token of Entra ID."""
    assert (request.method, request.host, request.path) == ("POST", REGISTRY, "/oauth2/exchange"), request
    form = request.form
    assert form["grant_type"] == "access_token" and form["service"] == REGISTRY and form["tenant"], form
    if form["access_token"] not in world.service.access_tokens:
        return as_json({"errors": [{"code": "UNAUTHORIZED", "message": "authentication required"}]}, 401)
    return as_json({"refresh_token": refresh})


class Registry:
    """The registry while a case runs. It accepts access tokens, which /oauth2/token issues for a refresh token."""

    key = SigningKey("the-registrys-key")

    def __init__(self, world):
        self.world = world
        self.refresh = self.key.sign({"exp": int(time.time()) + 10_800})
        self.certificate = self.key.certificate.public_bytes(serialization.Encoding.DER)
        self.scopes = []
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]

    def __enter__(self):
        self.process = subprocess.Popen(
            ["docker-registry", "serve", str(self.configuration())], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.world.folder / "registry.log", "wb"))
        deadline = time.monotonic() + 30
        while not self.is_listening():
            assert self.process.poll() is None and time.monotonic() < deadline, self.log()
            time.sleep(0.05)
        self.world.service.always("other", self.respond)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def configuration(self):
        place = self.world.folder / "registry"
        place.mkdir()
        (place / "trusted.pem").write_bytes(self.key.certificate.public_bytes(serialization.Encoding.PEM))
        file = place / "config.yml"
        file.write_text(f"""\
version: 0.1
storage: {{filesystem: {{rootdirectory: {place}/images}}}}
http: {{addr: "127.0.0.1:{self.port}", host: "https://{REGISTRY}"}}
auth:
  token:
    realm: https://{REGISTRY}/oauth2/token
    service: {REGISTRY}
    issuer: Azure Container Registry
    rootcertbundle: {place}/trusted.pem
""")
        return file

    def is_listening(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except OSError:
            return False

    def log(self):
        return pathlib.Path(self.world.folder / "registry.log").read_text(errors="replace")[-3000:]

    def respond(self, request):
        if request.path == "/oauth2/exchange":
            return exchanged(self.world, request, self.refresh)
        if request.path == "/oauth2/token":
            return self.access(request)
        return self.passed_on(request)

    def access(self, request):
        """An access token for the requested scope: everything may be read and written."""
        if basic(request) != (NOBODY, self.refresh):
            return page("No", 401)
        self.scopes.append(scope := request.query.get("scope", ""))
        kind, _, rest = scope.partition(":")
        name, _, actions = rest.rpartition(":")
        now = int(time.time())
        claims = {"iss": "Azure Container Registry", "aud": request.query["service"], "sub": NOBODY, "jti": str(uuid.uuid4()),
                  "iat": now, "nbf": now - 60, "exp": now + 300,
                  "access": [{"type": kind, "name": name, "actions": actions.split(",")}] if scope else []}
        return as_json({"access_token": self.key.sign(claims, x5c=[base64.b64encode(self.certificate).decode()])})

    def passed_on(self, request):
        """The registry's response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {name: value for name, value in request.headers.items() if name != "transfer-encoding"}
        connection.request(request.method, request.target, request.body, {**headers, "content-length": str(len(request.body))})
        with connection.getresponse() as answer:
            body = answer.read()
            kept = {name: value for name, value in answer.getheaders() if name.lower() not in ("transfer-encoding", "connection")}
            return Answer(answer.status, body, kept)


def is_installed():
    return bool(shutil.which("skopeo") and shutil.which("docker-registry"))
