#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Attacks the authorization adapter of Examples/ToolServer: hostile requests to each of its addresses, client documents that are
huge, slow, redirect, or lead to private addresses, and many registrations.

usage: adapter.py BUILD [--seconds N] [--registrations N] [--seed TEXT]

No response may be missing, be a 5xx other than an OAuth error, contain a token, or redirect to an address that is not allowed.
Afterwards the process must be alive, with no more memory than before. The same seed generates the same requests.
"""
import argparse
import base64
import collections
import contextlib
import http.server
import json
import os
import pathlib
import random
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "Peers"), str(ROOT / "Clients")]
import harness  # noqa: E402
import malice  # noqa: E402
from certificates import Certificate  # noqa: E402
from client import Connection, Hang  # noqa: E402

API, SECRET = "00000000-0000-4000-8000-0000000000a1", "Emulator-secret-1"
HOST, REDIRECT = "client.example", "https://client.example/callback"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
GROWTH = 32 << 20
failures = []


def fail(text):
    failures.append(text)
    if len(failures) <= 20:
        print("FAILED", text, flush=True)


class Documents(http.server.BaseHTTPRequestHandler):
    """A server of client documents. The path says what is wrong with a document."""

    paths = []

    def do_GET(self):
        Documents.paths.append(self.path)
        url = f"https://{self.headers['Host']}{self.path}"
        members = {"client_id": url, "client_name": "A client", "redirect_uris": [REDIRECT, "http://localhost/callback"]}
        match self.path:
            case "/other.json": members["client_id"] = url + "x"
            case "/huge.json": members["x"] = "x" * 20_000
            case "/key.json": members["token_endpoint_auth_method"] = "private_key_jwt"
        body = json.dumps(members).encode()
        self.send_response(302 if self.path == "/redirect.json" else 200)
        self.send_header("Location", url.replace("redirect", "good"))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(10**12 if self.path == "/endless.json" else len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            if self.path == "/slow.json":
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.2)
            self.wfile.write(body * (10_000 if self.path == "/endless.json" else 1))

    def log_message(self, *_):
        pass


def documents(folder, authority):
    pem, _ = Certificate(HOST, authority, [HOST, "localhost", "127.0.0.1", "::1"]).save(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            pass

    server = Server(("127.0.0.1", 0), Documents)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Target:
    """ToolServer with the adapter."""

    def __init__(self, build, folder, emulator, authority):
        self.port = harness.free_port()
        self.base, self.address = f"http://localhost:{self.port}", f"http://localhost:{self.port}/mcp"
        ca = pathlib.Path(folder) / "authorities.pem"
        ca.write_text(pathlib.Path(emulator.ca_file).read_text() + authority.pem)
        self.log = open(pathlib.Path(folder) / "tool-server.log", "w+b")
        self.process = subprocess.Popen([str(build / "ToolServer")], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env={
            **os.environ, "TOOLS_TENANT_ID": harness.TENANT, "TOOLS_CLIENT_ID": API, "TOOLS_ADDRESS": self.address,
            "TOOLS_AUTHORITY_HOST": f"localhost:{emulator.port}", "TOOLS_CA_FILE": str(ca), "TOOLS_ADAPTER_CLIENT_ID": API,
            "TOOLS_ADAPTER_CLIENT_SECRET": SECRET, "TOOLS_ADAPTER_REGISTRATION": "true",
            "TOOLS_ADAPTER_REDIRECT_URIS": f"{REDIRECT} http://localhost/callback",
            "TOOLS_ADAPTER_DOCUMENT_HOST": f"{HOST}=127.0.0.1",
            "TOOLS_ADAPTER_SEALING_KEY": base64.b64encode(bytes(range(32))).decode()})
        self.scope = f"api://{API}/Notes.Read"

    def connection(self):
        return Connection(self.port, None)

    def wait(self):
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            assert self.process.poll() is None and time.monotonic() < deadline, "ToolServer does not start"
            time.sleep(0.05)

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) << 10

    def request(self, method, path, values=None, body=None, kind="application/x-www-form-urlencoded", headers=()):
        text = urllib.parse.urlencode(values or {}).encode()
        if method == "GET" and text:
            path += "?" + text.decode()
        content = body if body is not None else text if method == "POST" else b""
        head = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}", f"Content-Type: {kind}",
                f"Content-Length: {len(content)}", *headers]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + content

    def authorization(self, client, **changes):
        return {"response_type": "code", "client_id": client, "redirect_uri": REDIRECT, "scope": self.scope, "state": "s",
                "code_challenge": CHALLENGE, "code_challenge_method": "S256", "resource": self.address, **changes}


def check(response, what):
    """Reports a response that gives away something, or that is not one."""
    if response is None:
        return fail(f"{what}: no response")
    if response.status >= 500 and json_of(response).get("error") not in ("server_error", "temporarily_unavailable"):
        fail(f"{what}: status {response.status} {response.body[:200]}")
    if b"access_token" in response.body or b"refresh_token\":" in response.body or SECRET.encode() in response.body:
        fail(f"{what}: a token or a secret: {response.body[:200]}")
    if b"<script" in response.body or b"<svg" in response.body:
        fail(f"{what}: the attacker's markup")
    location = response.header("location")
    if location and not location.startswith((REDIRECT + "?", "http://localhost:", "http://localhost/callback?", "https://localhost:")):
        fail(f"{what}: a redirect to {location[:200]}")
    if location and "code=" in location.partition("?")[2]:
        fail(f"{what}: a code")


def json_of(response):
    try:
        return json.loads(response.body)
    except ValueError:
        return {}


def attack_documents(target, port):
    """Documents that are refused. Private addresses are never contacted."""
    connection = target.connection()
    connection.patience = 20
    expected = {"good": 200, "other": 400, "huge": 400, "endless": 400, "slow": 400, "redirect": 400, "key": 400}
    for name, status in expected.items():
        client = f"https://{HOST}:{port}/{name}.json"
        begun = time.monotonic()
        response = connection.exchange(target.request("GET", "/oauth/authorize", target.authorization(client)))
        check(response, f"the document {name}")
        if response is None or response.status != status or time.monotonic() - begun > 15:
            fail(f"the document {name}: {response and response.status} after {time.monotonic() - begun:.0f} s")
    seen = len(Documents.paths)
    for host in ("localhost", "127.0.0.1", "127.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "localhost.", "0.0.0.0"):
        client = f"https://{host}:{port}/good.json"
        response = connection.exchange(target.request("GET", "/oauth/authorize", target.authorization(client)))
        check(response, f"a document at {host}")
        if response is None or response.status != 400:
            fail(f"a document at {host}: {response and response.status}")
    if len(Documents.paths) != seen:
        fail(f"a private address was contacted: {Documents.paths[seen:]}")
    connection.close()


def attack_registration(target, count):
    """Many registrations cost no memory."""
    body = json.dumps({"client_name": "x" * 80, "redirect_uris": [REDIRECT] * 5}).encode()
    request = target.request("POST", "/oauth/register", body=body, kind="application/json")
    connection, memory = target.connection(), None
    for index in range(count):
        response = connection.exchange(request)
        if response is None or response.status != 201:
            return fail(f"registration {index}: {response and response.status}")
        if index == min(1_000, count // 2):
            memory = target.memory()
    connection.close()
    if target.memory() - memory > GROWTH:
        fail(f"{count} registrations: it grew by {(target.memory() - memory) >> 20} MiB")


def attack_addresses(target, port, seconds, seed):
    counts, end, index = collections.Counter(), time.monotonic() + seconds, 0
    connection = target.connection()
    paths = ["/oauth/authorize", "/oauth/callback", "/oauth/token", "/oauth/register", "/mcp",
             "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"]
    while time.monotonic() < end and len(failures) < 20:
        rng = random.Random(f"{seed} {index}")
        path = rng.choice(paths)
        client = f"https://{HOST}:{port}/good.json"
        values = {**target.authorization(client), "code": "x", "code_verifier": "v" * 43, "refresh_token": "x", "form": "x",
                  "action": "accept", "grant_type": rng.choice([*malice.GRANTS, "authorization_code"])}
        method = rng.choice(["GET", "POST", "PUT", "OPTIONS", "DELETE", "HEAD"])
        if rng.random() < .7:
            method = "POST" if path in ("/oauth/token", "/oauth/register", "/mcp") or rng.random() < .2 else "GET"
        parameters = malice.encoded(values, rng)
        body = rng.choice([parameters, parameters, json.dumps(values).encode(), rng.choice(malice.RAW), malice.bodies(rng)])
        target_path = path + ("?" + "".join(each if " " < each < "\x7f" else "%00" for each in parameters.decode("latin-1")) if rng.random() < .5 else "")
        headers = [f"{name}: {rng.choice(choices)}".encode("utf-8", "ignore").decode("latin-1")
                   for name, choices in rng.sample(malice.HEADERS, rng.choice([0, 0, 1, 3])) if name not in ("Content-Type", "Expect", "Upgrade")]
        kind = rng.choice(["application/x-www-form-urlencoded", "application/json", "text/plain"])
        try:
            text = target.request(method, target_path, body=body if method in ("POST", "PUT") else b"", kind=kind, headers=headers)
            response = connection.exchange(text, method == "HEAD")
            check(response, f"request {index} to {path}")
        except (Hang, ValueError) as error:
            connection.close()
            response = None
            fail(f"request {index} to {path}: {error!r}")
        counts[response and response.status] += 1
        index += 1
    connection.close()
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--registrations", type=int, default=5_000)
    parser.add_argument("--seed", default=None)
    arguments = parser.parse_args()
    seed, begin = arguments.seed or str(random.SystemRandom().randrange(10**9)), time.monotonic()
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        emulator = harness.Emulator(arguments.build, folder)
        try:
            emulator.wait()
            authority = Certificate("An authority of documents")
            port = documents(folder, authority)
            target = Target(arguments.build, folder, emulator, authority)
            try:
                target.wait()
                attack_documents(target, port)
                attack_registration(target, arguments.registrations)
                memory = target.memory()
                counts = attack_addresses(target, port, arguments.seconds, seed)
                if target.process.poll() is not None:
                    target.log.seek(0)
                    fail(f"the process ended: {target.log.read()[-2000:]}")
                elif target.memory() - memory > GROWTH:
                    fail(f"it grew by {(target.memory() - memory) >> 20} MiB")
                print(f"{arguments.registrations} registrations, {sum(counts.values())} requests {dict(sorted(counts.items(), key=str))}")
            finally:
                target.process.terminate()
                target.process.wait(timeout=10)
        finally:
            emulator.stop()
    print(f"{len(failures)} failures, {time.monotonic() - begin:.0f} s")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
