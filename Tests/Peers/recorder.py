# Licensed under the MIT License. See LICENSE.
"""A server that replaces every address at which libraries request tokens for services, and records the requests.

It returns a token for everything, because only the requests are compared. TLS and plain HTTP have a port each, like the real
hosts: managed identities use plain HTTP, except Service Fabric.
"""
import base64
import contextlib
import hashlib
import http.server
import json
import pathlib
import ssl
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import serialization

# Libraries read the keys of Azure Arc only here.
ARC_KEYS = pathlib.Path("/var/opt/azcmagent/tokens")
TENANT = "11111111-1111-1111-1111-111111111111"
ARC_KEY = "a-key-of-azure-arc"


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def token(**claims):
    """A token without an issuer; no signatures are checked here."""
    now = int(time.time())
    body = {"tid": TENANT, "iat": now, "nbf": now, "exp": now + 3600, **claims}
    return f"{encoded({'alg': 'RS256', 'typ': 'JWT'})}.{encoded(body)}.c2lnbmF0dXJl"


class Request:
    """One request, parsed."""

    def __init__(self, method, base, target, headers, body):
        parts = urllib.parse.urlsplit(target)
        self.method, self.base, self.path = method, base, parts.path
        self.query = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
        self.headers = [(name.lower(), value) for name, value in headers]
        form = dict(self.headers).get("content-type", "").startswith("application/x-www-form-urlencoded")
        self.form = urllib.parse.parse_qsl(body.decode(), keep_blank_values=True) if form else []
        self.body = b"" if form else body

    def header(self, name):
        return dict(self.headers).get(name)

    @property
    def asks_for_token(self):
        """Whether it is not a metadata request."""
        return self.path.endswith("/token") and not self.is_probe

    @property
    def is_probe(self):
        """The request that probes for a metadata service."""
        return self.path == "/metadata/identity/oauth2/token" and self.header("metadata") is None and not self.query


class Recorder:
    """The two servers. `take` empties `requests`."""

    def __init__(self, certificate, folder):
        self.folder = pathlib.Path(folder)
        self.requests, self.lock = [], threading.Lock()
        self.ca_file = self.folder / "ca.pem"
        self.ca_file.write_text(certificate.issuer.pem)
        server = self.folder / "server.pem"
        server.write_text(certificate.key_pem() + certificate.pem)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(str(server))
        self.thumbprint = hashlib.sha1(certificate.certificate.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
        self.secure = self.listen("https", context)
        self.plain = self.listen("http", None)

    def listen(self, scheme, context):
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                length = int(self.headers.get("content-length", 0))
                request = Request(self.command, scheme, self.path, self.headers.items(), self.rfile.read(length))
                status, headers, body = recorder.answer(request)
                data = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = respond

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if context:
            # The handshake runs on the connection's thread, so that a silent client does not block others.
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    @property
    def base(self):
        return f"https://localhost:{self.secure.server_address[1]}"

    @property
    def machine(self):
        return f"http://127.0.0.1:{self.plain.server_address[1]}"

    def take(self):
        """The requests since the last call."""
        with self.lock:
            taken, self.requests = self.requests, []
        return taken

    def close(self):
        for server in (self.secure, self.plain):
            server.shutdown()
            server.server_close()

    # MARK: Responses

    def answer(self, request):
        with self.lock:
            self.requests.append(request)
        path = request.path
        if path.endswith("/openid-configuration"):
            return 200, {}, self.metadata(path.strip("/").split("/")[0])
        if path.endswith("/discovery/instance"):
            return 200, {}, {"tenant_discovery_endpoint": f"{self.base}/{TENANT}/v2.0/.well-known/openid-configuration",
                             "metadata": []}
        if "/oauth2/v2.0/token" in path:
            return 200, {}, {"token_type": "Bearer", "expires_in": 3599, "ext_expires_in": 3599, "access_token": token()}
        if path.startswith("/github"):
            return 200, {}, {"value": token(sub="repo:contoso/app:ref:refs/heads/main")}
        if path.startswith("/pipelines"):
            return 200, {}, {"oidcToken": token(sub="sc://contoso/app/connection")}
        if path.startswith("/arc") and request.header("authorization") is None:
            return 401, {"WWW-Authenticate": f"Basic realm={self.arc_key()}"}, {"error": "unauthorized_client"}
        if request.is_probe:
            return 400, {}, {"error": "bad_request_102", "error_description": "Required metadata header not specified"}
        if path.endswith("/token"):
            return 200, {}, self.machine_token(request)
        return 404, {}, {"error": "not_found"}

    def metadata(self, tenant):
        root = f"{self.base}/{tenant}"
        return {
            "issuer": f"{root}/v2.0", "authorization_endpoint": f"{root}/oauth2/v2.0/authorize",
            "token_endpoint": f"{root}/oauth2/v2.0/token", "device_authorization_endpoint": f"{root}/oauth2/v2.0/devicecode",
            "end_session_endpoint": f"{root}/oauth2/v2.0/logout", "jwks_uri": f"{root}/discovery/v2.0/keys",
            "response_types_supported": ["code"], "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"], "tenant_region_scope": "EU",
            "cloud_instance_name": "microsoftonline.com",
        }

    def machine_token(self, request):
        values = dict(request.query + request.form)
        now = int(time.time())
        body = {"access_token": token(), "expires_on": str(now + 86400), "resource": values.get("resource", ""),
                "token_type": "Bearer", "client_id": values.get("client_id") or values.get("clientid") or "system",
                "expires_in": "86400"}
        # Azure Arc repeats the ID in the request.
        return {**body, **{name: values[name] for name in ("object_id", "msi_res_id") if name in values}}

    def arc_key(self):
        path = ARC_KEYS / "recorder.key"
        path.write_text(ARC_KEY)
        path.chmod(0o600)
        return path


@contextlib.contextmanager
def arc_folder():
    """Creates the folder of Azure Arc's keys, if this process may; returns whether it exists."""
    made = []
    for folder in [ARC_KEYS, *ARC_KEYS.parents]:
        if folder.exists():
            break
        made.append(folder)
    try:
        for folder in reversed(made):
            folder.mkdir()
        if made:
            ARC_KEYS.chmod(0o700)
        yield True
    except PermissionError:
        yield False
    finally:
        with contextlib.suppress(OSError):
            (ARC_KEYS / "recorder.key").unlink()
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
