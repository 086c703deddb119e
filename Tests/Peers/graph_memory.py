# Licensed under the MIT License. See LICENSE.
"""Memory use of `msal graph` in a release build: a thousand pages of 4 KB, and one response of 64 MB that is saved.
Microsoft Graph is a server in this program; the sign-in uses the emulator.

usage: graph_memory.py MSAL BUILD_FOLDER
"""
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import threading
import urllib.parse

from harness import CLIENT_ID, PASSWORD, TENANT, USER, browser_command, check, running_emulator, with_peak_memory

PAGES, PEOPLE = 1000, 10
FILE = 64_000_000
MOST = 64_000_000


class Graph(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        if address.path == "/v1.0/users":
            number = int(urllib.parse.parse_qs(address.query).get("$skiptoken", ["0"])[0])
            page = {"value": [{"id": f"{number}-{index}", "displayName": "x" * 370} for index in range(PEOPLE)]}
            if number < PAGES - 1:
                page["@odata.nextLink"] = f"{self.server.base}/v1.0/users?$skiptoken={number + 1}"
            self.begin("application/json", len(body := json.dumps(page).encode()))
            self.wfile.write(body)
        else:
            self.begin("application/octet-stream", FILE)
            piece = os.urandom(1_000_000)
            for _ in range(FILE // len(piece)):
                self.wfile.write(piece)

    def begin(self, kind, length):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *_):
        pass


def serve(folder):
    """The address of the server, and its certificate."""
    key, certificate = folder / "graph-key.pem", folder / "graph.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=graph", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Graph)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.base = f"https://localhost:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.base, certificate


def main():
    msal, build = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    with running_emulator(build) as emulator:
        folder = emulator.folder
        graph, certificate = serve(folder)
        trusted = folder / "trusted.pem"
        trusted.write_bytes(pathlib.Path(emulator.ca_file).read_bytes() + certificate.read_bytes())
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "MSAL_STORE_KEY": "key-file", "MSAL_CA_FILE": str(trusted),
            "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_SCOPES": "User.Read", "MSAL_AUTHORITY": f"{emulator.base}/{TENANT}",
            "BROWSER": str(browser_command(folder, "browser", build / "ScriptedBrowser")),
            "MSAL_AGENT_USER": USER, "MSAL_AGENT_PASSWORD": PASSWORD,
        }
        with_peak_memory(environment, msal, "login")
        _, memory = with_peak_memory(environment, msal, "graph", "/me", "-o", "raw")
        print(f"    {memory / 1e6:.1f} MB for one small response")
        environment["MSAL_GRAPH_URL"] = f"{graph}/"
        text, memory = with_peak_memory(environment, msal, "graph", "/users", "--paginate")
        people = json.loads(text)
        check(len(people) == PAGES * PEOPLE, f"{PAGES} pages become one array of {len(people)}")
        check(memory < MOST, f"in {memory / 1e6:.1f} MB of memory, less than {MOST / 1e6:.0f}")
        file = folder / "film.bin"
        _, memory = with_peak_memory(environment, msal, "graph", "/me/drive/root:/film.bin:/content", "--save", file)
        check(file.stat().st_size == FILE, f"a response of {FILE / 1e6:.0f} MB is saved")
        check(memory < MOST, f"in {memory / 1e6:.1f} MB of memory, less than {MOST / 1e6:.0f}")


main()
