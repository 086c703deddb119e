# Licensed under the MIT License. See LICENSE.
"""A double of a Microsoft service that requires an access token. It validates the token as that service does: the signature
against the key set, the issuer, the audience, and the times."""
import contextlib
import http.server
import pathlib
import ssl
import threading

import jwt

from bench import TENANT
from certificates import Certificate


class Double:
    """The requests and responses of one service. `calls` has the method and the path of each request, with the claims of its token, or
    the reason why it was rejected."""

    def __init__(self, bench, audience, answers, challenge="Bearer"):
        self.audience, self.answers, self.challenge = audience, answers, challenge
        self.keys = jwt.PyJWKClient(f"{bench.authority}/discovery/v2.0/keys", ssl_context=ssl.create_default_context(
            cafile=bench.ca_file))
        self.issuer = f"https://sts.windows.net/{TENANT}/"
        self.calls = []

    def claims(self, header):
        """The claims of a request's token.

        Raises `jwt.PyJWTError` if the service would reject it."""
        scheme, _, token = (header or "").partition(" ")
        if scheme != "Bearer":
            raise jwt.InvalidTokenError("the token is missing")
        return jwt.decode(token, self.keys.get_signing_key_from_jwt(token), algorithms=["RS256"], audience=self.audience,
                          issuer=self.issuer)

    def handler(self):
        double = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                path = self.path.partition("?")[0]
                try:
                    claims = double.claims(self.headers.get("Authorization"))
                except jwt.PyJWTError as reason:
                    double.calls.append((self.command, path, str(reason)))
                    return self.send(401, b"", {"WWW-Authenticate": double.challenge})
                double.calls.append((self.command, path, claims))
                status, text, headers = double.answers(self.command, path, body)
                self.send(status, text, headers)

            do_GET = do_PUT = do_POST = do_HEAD = answer

            def send(self, status, body, headers):
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    @contextlib.contextmanager
    def serving(self, bench, host):
        """The port on which it listens with a certificate for `host`. This process trusts that certificate."""
        certificate = Certificate(host, names=[host])
        folder = pathlib.Path(bench.folder)
        pem, trusted = folder / f"{host}.pem", folder / f"{host}-bundle.pem"
        pem.write_text(certificate.key_pem() + certificate.pem)
        trusted.write_text(pathlib.Path(bench.ca_file).read_text() + certificate.pem)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            with bench.environment(REQUESTS_CA_BUNDLE=str(trusted), SSL_CERT_FILE=str(trusted)):
                yield server.server_address[1]
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
