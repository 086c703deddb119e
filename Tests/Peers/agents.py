# Licensed under the MIT License. See LICENSE.
"""Agent identities at a token endpoint that shares nothing with this project: a small server that accepts what MSAL Python sends for
each leg. `msal token --agent` must get the same tokens from it, with the same parameters.

usage: agents.py BUILD_FOLDER
"""
import base64
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Clients")]

from certificates import Certificate  # noqa: E402
from harness import check  # noqa: E402

TENANT = "73ab4876-7734-47c1-87fd-e805ec99108d"
BLUEPRINT, SECRET = "00000000-0000-4000-8000-0000000000b1", "Blueprint-secret-1"
AGENT, OTHER = "00000000-0000-4000-8000-0000000000c1", "00000000-0000-4000-8000-0000000000c2"
USER, USER_ID = "assistant@contoso.example", "aaaaaaaa-0000-4000-8000-0000000000d1"
EXCHANGE, GRAPH = "api://AzureADTokenExchange/.default", "https://graph.microsoft.com/.default"
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        base = self.server.base
        self.reply(200, {"issuer": f"{base}/{TENANT}/v2.0", "token_endpoint": f"{base}/{TENANT}/oauth2/v2.0/token",
                         "authorization_endpoint": f"{base}/{TENANT}/oauth2/v2.0/authorize"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = dict(urllib.parse.parse_qsl(body, strict_parsing=True))
        self.server.requests.append((form, self.headers.get("X-AnchorMailbox")))
        error = problem(form)
        if error or not self.path.startswith(f"/{TENANT}/oauth2/v2.0/token"):
            return self.reply(400, {"error": "invalid_request", "error_description": f"AADSTS90013: {error}", "error_codes": [90013]})
        client, is_exchange = form["client_id"], form["scope"] == EXCHANGE
        reply = {"token_type": "Bearer", "expires_in": 3600, "access_token": f"own.{client}"}
        if is_exchange:
            reply["access_token"] = f"T1.{form['fmi_path']}" if client == BLUEPRINT else f"T2.{client}"
        if form["grant_type"] == "user_fic":
            now = int(time.time())
            claims = {"iss": f"{self.server.base}/{TENANT}/v2.0", "aud": client, "sub": "pairwise", "oid": USER_ID, "tid": TENANT,
                      "preferred_username": USER, "iat": now, "nbf": now, "exp": now + 3600}
            reply |= {"access_token": f"user.{client}.{USER_ID}", "refresh_token": "rt", "scope": GRAPH,
                      "id_token": ".".join([encoded({"alg": "RS256", "typ": "JWT", "kid": "k"}), encoded(claims), "c2ln"]),
                      "client_info": encoded({"uid": USER_ID, "utid": TENANT})}
        self.reply(200, reply)

    def reply(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def problem(form):
    """Why the request is not one that MSAL Python would send; `None` if it is."""
    client = form.get("client_id")
    if client == BLUEPRINT:
        good = form.get("client_secret") == SECRET and form.get("fmi_path") in (AGENT, OTHER) and form.get("scope") == EXCHANGE
        return None if good and form.get("grant_type") == "client_credentials" else "not a blueprint's request for an agent"
    if form.get("client_assertion") != f"T1.{client}" or form.get("client_assertion_type") != ASSERTION_TYPE:
        return "not the agent's assertion"
    if "fmi_path" in form or "client_secret" in form:
        return "an agent has neither path nor secret"
    if form.get("grant_type") == "client_credentials":
        return None
    if form.get("grant_type") != "user_fic":
        return "another grant"
    if form.get("user_federated_identity_credential") != f"T2.{client}":
        return "not the agent's proof"
    if client != AGENT or ("user_id" in form) == ("username" in form):
        return "no user of the agent"
    if form.get("user_id", USER_ID) != USER_ID or form.get("username", USER) != USER:
        return "another user"
    return None if {"openid", "profile", "offline_access"} < set(form["scope"].split()) else "the OpenID scopes are missing"


def serve(folder):
    certificate = Certificate("localhost", names=["localhost"])
    pem, ca_file = folder / "server.pem", folder / "ca.pem"
    pem.write_text(certificate.pem + certificate.key_pem())
    ca_file.write_text(certificate.pem)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.base, server.requests = f"https://localhost:{server.server_port}", []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, str(ca_file)


def python(server, ca_file, user):
    """MSAL Python's tokens: that of the agent, or that of its user account."""
    import msal

    def application(client, credential):
        return msal.ConfidentialClientApplication(
            client, authority=f"{server.base}/{TENANT}", client_credential=credential, verify=ca_file, instance_discovery=False)

    blueprint = application(BLUEPRINT, SECRET)
    agent = application(AGENT, {
        "client_assertion": lambda: blueprint.acquire_token_for_client([EXCHANGE], fmi_path=AGENT)["access_token"]})
    if not user:
        return agent.acquire_token_for_client([GRAPH])["access_token"]
    proof = agent.acquire_token_for_client([EXCHANGE])["access_token"]
    name = "user_object_id" if user == USER_ID else "username"
    return agent.acquire_token_by_user_federated_identity_credential([GRAPH], proof, **{name: user})["access_token"]


def swift(build, server, ca_file, user, agent=AGENT):
    """The output of `msal token --agent`."""
    arguments = [build / "msal", "token", "--client", BLUEPRINT, "--tenant", TENANT, "--authority", server.base, "--ca-file", ca_file,
                 "--client-secret-env", "APP_SECRET", "--agent", agent, "--scope", GRAPH, "--output", "raw"]
    return subprocess.run(arguments + (["--user", user] if user else []), env={**os.environ, "APP_SECRET": SECRET},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def forms(server):
    """The requests since the last call, with scopes as sets. MSAL Python asks for `client_info` even if there is no user."""
    found = [({name: frozenset(value.split()) if name == "scope" else value for name, value in form.items()
               if name != "client_info" or form["grant_type"] != "client_credentials"}, mailbox and mailbox.lower())
             for form, mailbox in server.requests]
    server.requests.clear()
    return found


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="agents-") as folder:
        server, ca_file = serve(pathlib.Path(folder))
        # `requests` prefers this variable, if the machine sets it, to the authority of the session.
        os.environ["REQUESTS_CA_BUNDLE"] = ca_file
        for user, name in ((None, "the agent"), (USER, "its user account by name"), (USER_ID, "its user account by object ID")):
            expected = python(server, ca_file, user)
            wanted = forms(server)
            done = swift(build, server, ca_file, user)
            check(done.stdout.strip() == expected, f"msal gets the token of {name} {done.stderr}".strip())
            check(forms(server) == wanted, f"it sends the parameters of MSAL Python for {name}")
        for arguments in ({"user": "nobody@contoso.example"}, {"user": USER, "agent": OTHER}):
            done = swift(build, server, ca_file, **arguments)
            check(done.returncode != 0 and not done.stdout, f"a refusal is an error without a token: {arguments}")
            check("user account" in done.stderr, "the error names the leg")
        server.shutdown()
    print("agents pass at a foreign server")


main()
