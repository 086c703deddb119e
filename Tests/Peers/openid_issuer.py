# Licensed under the MIT License. See LICENSE.
"""An OpenID Connect issuer that shares nothing with this project: the provider of idpyoidc, a certified implementation, behind a
small HTTPS server. An app, two services, and a web application use it as their authority, and send it nothing that only Microsoft
knows.

usage: openid_issuer.py BUILD_FOLDER
"""
import functools
import http.server
import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptojwt.jwk.rsa import RSAKey
from idpyoidc.server import Server, client_authn
from idpyoidc.server.configure import OPConfiguration
from idpyoidc.server.oauth2.token_helper.client_credentials import ClientCredentials
from idpyoidc.server.oidc.session import Session
from idpyoidc.server.user_authn.authn_context import INTERNETPROTOCOLPASSWORD

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Foreign")]

from certificates import DAY, CertificateAuthority, builder, subject  # noqa: E402
from harness import browser_command, check, free_port  # noqa: E402

PATH, SECRET = "/realms/staff", "issuer-secret-0123456789-0123456789"
SCOPES = ["openid", "profile", "offline_access", "orders.read", "stock.read"]
# RFC 6749, RFC 7521, RFC 7636, OpenID Connect Core, Multiple Response Types, RP-Initiated Logout.
STANDARD = {
    "client_assertion", "client_assertion_type", "client_id", "client_secret", "code", "code_challenge", "code_challenge_method",
    "code_verifier", "grant_type", "id_token_hint", "nonce", "post_logout_redirect_uri", "prompt", "redirect_uri", "refresh_token",
    "response_mode", "response_type", "scope", "state"}
HEADERS = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}


class Credentials(ClientCredentials):
    """The library's own method sends the class of the token as its type."""

    def process_request(self, *arguments, **options):
        return {**super().process_request(*arguments, **options), "token_type": "Bearer"}


class EndSession(Session):
    """Finds the user by the cookie of the session. The library's own method fails if the request names a client."""

    def client_authentication(self, *_, **__):
        return {}


def configuration(issuer):
    """The settings of the provider. Its only user, Diana, has a session already, so it shows no page."""
    part = "idpyoidc.server.{}".format
    jwt = {"class": part("token.jwt_token.JWTToken"), "kwargs": {"lifetime": 3600}}
    return {
        "issuer": issuer, "httpc_params": {"verify": True},
        "preference": {"subject_types_supported": ["public"], "scopes_supported": SCOPES},
        "key_conf": {"key_defs": [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}], "uri_path": "jwks"},
        "token_handler_args": {
            "key_conf": {"key_defs": [{"type": "oct", "bytes": 24, "use": ["enc"], "kid": "code"}]},
            "code": {"kwargs": {"lifetime": 600}}, "token": jwt, "refresh": jwt, "id_token": {
                "class": part("token.id_token.IDToken"), "kwargs": {"base_claims": {"name": None, "preferred_username": None}}}},
        "endpoint": {
            "provider_config": {"path": ".well-known/openid-configuration", "class": part("oidc.provider_config.ProviderConfiguration")},
            "authorization": {
                "path": "authorization", "class": part("oidc.authorization.Authorization"),
                "kwargs": {"response_types_supported": ["code"], "response_modes_supported": ["query", "form_post"]}},
            "token": {"path": "token", "class": part("oidc.token.Token"), "kwargs": {
                "client_authn_method": ["client_secret_post", "private_key_jwt", "none"],
                "grant_types_helpers": {
                    "authorization_code": {"class": part("oidc.token_helper.access_token.AccessTokenHelper")},
                    "refresh_token": {"class": part("oidc.token_helper.refresh_token.RefreshTokenHelper")},
                    "client_credentials": {"class": Credentials}}}},
            "session": {"path": "session", "class": EndSession, "kwargs": {
                "logout_verify_url": f"{issuer}/verify", "post_logout_uri_path": "ended", "signing_alg": "RS256"}}},
        "authentication": {"user": {
            "acr": INTERNETPROTOCOLPASSWORD, "class": part("user_authn.user.NoAuthn"), "kwargs": {"user": "diana"}}},
        "userinfo": {"class": part("user_info.UserInfo"), "kwargs": {"db": {
            "diana": {"name": "Diana Krall", "preferred_username": "diana"}}}},
        "cookie_handler": {"class": part("cookie_handler.CookieHandler"), "kwargs": {
            "keys": {"key_defs": [{"type": "OCT", "use": ["enc"], "kid": "enc"}, {"type": "OCT", "use": ["sig"], "kid": "sig"}]},
            "name": {"session": "session", "register": "register", "session_management": "management"}}},
        "add_on": {"pkce": {"function": part("oauth2.add_on.pkce.add_support"), "kwargs": {"essential": True}}}}


def client(method, redirects, grants, scopes):
    return {"client_secret": SECRET, "token_endpoint_auth_method": method, "redirect_uris": [(uri, {}) for uri in redirects],
            "post_logout_redirect_uri": [(uri, {}) for uri in redirects], "response_types": ["code"], "application_type": "native",
            "grant_types_supported": grants, "allowed_scopes": scopes}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.serve(urllib.parse.urlsplit(self.path).query)

    def do_POST(self):
        self.serve(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def serve(self, text):
        path = urllib.parse.urlsplit(self.path).path
        fields = dict(urllib.parse.parse_qsl(text))
        self.server.requests.append((path.removeprefix(PATH), fields, {name.lower() for name in self.headers}))
        if path == f"{PATH}/jwks":
            return self.reply(200, self.server.provider.keyjar.export_jwks_as_json(), [("Content-Type", "application/json")])
        if path == f"{PATH}/verify":
            return self.end_session(fields)
        endpoints = {f"{PATH}/{endpoint.endpoint_path}": endpoint for endpoint in self.server.provider.endpoint.values()}
        # The metadata of another issuer are the same, at another address.
        endpoint = endpoints.get(path.replace("/realms/guests", PATH))
        if not endpoint:
            return self.reply(404, "", [])
        try:
            status, body, headers = self.response(endpoint, fields)
        except Exception as error:  # The provider reports faults of a request by exceptions of many types.
            status, body, headers = 400, json.dumps({"error": "invalid_request", "error_description": repr(error)}), []
        self.reply(status, body, headers)

    def response(self, endpoint, fields):
        """The provider's response as status, body, and headers."""
        info = {"headers": {name.lower(): value for name, value in self.headers.items()}, "url": self.server.base + self.path,
                "cookie": [{"name": name, "value": value} for name, value in re.findall(r"(\w+)=([^;]+)", self.headers.get("Cookie", ""))]}
        request = endpoint.parse_request(fields, http_info=info) if fields else {}
        if "error" in request:
            return 400, json.dumps(request.to_dict()), [("Content-Type", "application/json")]
        result = endpoint.process_request(request, http_info=info)
        if "redirect_location" in result:
            return 303, "", [("Location", result["redirect_location"])]
        if "error" in result:
            return 400, json.dumps(dict(result)), [("Content-Type", "application/json")]
        response = endpoint.do_response(request=request, **result)
        headers = [("Set-Cookie", f"{cookie['name']}={cookie['value']}; Path=/; Secure") for cookie in result.get("cookie", [])]
        if response.get("response_placement", endpoint.response_placement) == "url":
            return 303, "", [*headers, ("Location", response["response"])]
        return 200, response["response"], [*headers, *response["http_headers"]]

    def end_session(self, fields):
        """What a user confirms on a page of the provider."""
        session = self.server.provider.endpoint["session"]
        confirmed = session.unpack_signed_jwt(fields["sjwt"])
        session.do_verified_logout(confirmed["sid"])
        self.reply(303, "", [("Location", confirmed["redirect_uri"])])

    def reply(self, status, body, headers):
        data = body.encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


# The library subtracts the tolerance for clocks where it should be added, and rejects each assertion that begins now.
client_authn.JWT = functools.partial(client_authn.JWT, skew=0)


def key(file):
    """Writes a private key with a certificate, and returns the public key as a JWK."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    certificate = builder(subject("audit"), subject("audit"), private, -DAY, DAY).sign(private, hashes.SHA256())
    pem = serialization.Encoding.PEM
    file.write_bytes(certificate.public_bytes(pem) + private.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return RSAKey(use="sig").load_key(private.public_key()).serialize()


def serve(folder):
    authority = CertificateAuthority(folder, "authority")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = authority.context(["localhost"]).wrap_socket(server.socket, server_side=True)
    server.base, server.requests = f"https://localhost:{server.server_port}", []
    server.issuer = server.base + PATH
    # The provider compares the port, too.
    server.redirect = f"http://localhost:{free_port()}"
    server.provider = Server(OPConfiguration(configuration(server.issuer)))
    server.provider.context.cdb.update({
        "notes": client("none", [server.redirect], ["authorization_code", "refresh_token"], SCOPES[:4]),
        "shop": client("client_secret_post", ["https://shop.contoso.example/signin"], ["authorization_code", "refresh_token"], SCOPES[:4]),
        "stock": client("client_secret_post", [], ["client_credentials"], SCOPES[4:]),
        "audit": client("private_key_jwt", [], ["client_credentials"], SCOPES[4:])})
    server.provider.keyjar.import_jwks({"keys": [key(folder / "audit.pem")]}, "audit")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, str(authority.file)


def browse(url, ca_file, cookie_file):
    """A browser: follows redirects, submits the form of a page without a script, and keeps cookies."""
    cookies = pathlib.Path(cookie_file)
    session = requests.Session()
    session.verify, session.trust_env = ca_file, False  # The machine may have a bundle or a proxy in its variables.
    session.cookies.update(json.loads(cookies.read_text()) if cookies.exists() else {})
    reply = session.get(url, timeout=20)
    form = re.search(r'<form method="post" action="([^"]+)">', reply.text)
    if form and reply.url.startswith("https:"):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', reply.text))
        reply = session.post(form[1], data=fields, timeout=20)
    cookies.write_text(json.dumps(session.cookies.get_dict()))
    print(reply.status_code, reply.url.partition("?")[0], reply.text[:200])


def environment(folder, server, ca_file):
    browser = browser_command(folder, "browser", sys.executable, __file__, "--browse", ca_file, folder / "cookies")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MSAL_")}
    return {**kept, "BROWSER": str(browser), "MSAL_STORE_DIR": str(folder / "store"), "MSAL_STORE_KEY": "key-file",
            "CLIENT_SECRET": SECRET, "CERTIFICATE": str(folder / "audit.pem"), "REDIRECT_URI": server.redirect, "NO_PROXY": "localhost"}


def run(build, folder, server, ca_file, program, issuer):
    return subprocess.run([build / "IssuerClient", program, issuer, ca_file], env=environment(folder, server, ca_file), text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def sent(server):
    """The requests since the last call; nothing in them may be Microsoft's."""
    found, server.requests[:] = list(server.requests), []
    names = {name for path, fields, _ in found if path != "/verify" for name in fields} - STANDARD
    check(not names, " ".join(["only parameters of the standards are sent", *names]))
    headers = set().union(*(headers for path, _, headers in found if path not in ("/authorization", "/session", "/verify"))) - HEADERS
    check(not headers, " ".join(["only headers of HTTP are sent", *headers]))
    return found


def app(build, folder, server, ca_file):
    done = run(build, folder, server, ca_file, "app", server.issuer)
    log = folder / "browser.log"
    story = f"{done.stdout}{done.stderr}{log.read_text() if log.exists() else 'no browser was started'}"
    good = done.stdout.splitlines() == [
        "diana true true", "1 Diana Krall", "cache true", "refresh true true", "signed out: ended", "0"]
    check(good, "an app signs in, renews its token, and signs out" if good else story)
    found = sent(server)
    grants = [fields["grant_type"] for path, fields, _ in found if path == "/token"]
    check(grants == ["authorization_code", "refresh_token"], f"it redeems a code and a refresh token: {grants}")
    check(sum(path.startswith("/.well-known") for path, _, _ in found) == 1, "the metadata are read once")


def service(build, folder, server, ca_file):
    done = run(build, folder, server, ca_file, "service", server.issuer)
    good = done.stdout.splitlines() == ['service ["stock.read"]', 'cache ["stock.read"]']
    check(good, "a service gets its own token, and then the cached one" if good else f"{done.stdout}{done.stderr}")
    check([fields for path, fields, _ in sent(server) if path == "/token"] == [
        {"grant_type": "client_credentials", "client_id": "stock", "client_secret": SECRET, "scope": "stock.read"}],
          "it sends one request")
    done = run(build, folder, server, ca_file, "certificate", server.issuer)
    good = done.stdout.splitlines() == ['service ["stock.read"]', 'cache ["stock.read"]']
    check(good, "so does a service with a certificate" if good else f"{done.stdout}{done.stderr}")
    sent(server)


def web_application(build, folder, server, ca_file):
    with subprocess.Popen([build / "IssuerClient", "web", server.issuer, ca_file], env=environment(folder, server, ca_file), text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        page = program.stdout.readline().strip()
        reply = requests.get(page, verify=ca_file, allow_redirects=False, timeout=20)
        query = urllib.parse.urlsplit(reply.headers.get("Location", "")).query
        output, errors = program.communicate(query + "\n", timeout=60)
    good = output.splitlines() == ["Diana Krall", "service true true"]
    check(good, "a web application signs a user in, and renews the token" if good else f"{output}{errors}{reply.text}")
    sent(server)


def refusals(build, folder, server, ca_file):
    other = server.base + "/realms/guests"
    for issuer, kind, words in (
            (server.issuer + "/", "-42010", f'name the issuer "{server.issuer}"'), (other, "-42010", "exact URL"),
            (server.base + "/nothing", "-42010", "no metadata"), (server.issuer.replace("https", "http"), "-42008", "https://")):
        done = run(build, folder, server, ca_file, "app", issuer)
        check(done.returncode == 1 and kind in done.stderr and words in done.stderr, f"{issuer}: {done.stderr.strip()}")
        done = run(build, folder, server, ca_file, "service", issuer)
        check(done.returncode == 1 and words in done.stderr and not done.stdout, f"the same for a service: {done.stderr.strip()}")
    check(not any(path == "/token" for path, _, _ in sent(server)), "no secret is sent to an issuer with another name")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    logging.getLogger("idpyoidc").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="issuer-") as folder:
        folder = pathlib.Path(folder)
        server, ca_file = serve(folder)
        for part in app, service, web_application, refusals:
            part(build, folder, server, ca_file)
        server.shutdown()
    print("a foreign OpenID Connect issuer is an authority")


if sys.argv[1:2] == ["--browse"]:
    browse(sys.argv[4], *sys.argv[2:4])
else:
    main()
