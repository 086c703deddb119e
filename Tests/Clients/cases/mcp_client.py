# Licensed under the MIT License. See LICENSE.
"""The clients of the packages `mcp` and `fastmcp` with Examples/ToolServer: they find the metadata, identify themselves, sign a user
in, call Microsoft Graph through a tool, request more scopes, refresh, and sign in again after the user's sessions were revoked;
through the authorization adapter, and directly at the authority."""
import base64
import contextlib
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import threading

import requests

from bench import OWN_ID, PASSWORD, TENANT, USER, await_answer, check, claims_of, free_port
from certificates import Certificate

HERE = pathlib.Path(__file__).resolve().parents[1]
SERVER_ID = "99999999-0000-4000-8000-0000000000b1"
# An API with the App ID URI that the portal suggests. It is also the registration of the adapter.
OTHER_ID = "99999999-0000-4000-8000-0000000000b2"
SECRET = "Emulator-secret-1"
REDIRECT = "http://localhost:9999/callback"
DOCUMENT_HOST = "client.example"


def run(bench):
    address = f"http://127.0.0.1:{free_port()}/mcp"
    with clients(bench) as programs:
        with directory(bench, address) as place:
            with tool_server(place, address):
                challenges(address)
                protocol(place, address)
                for kind in programs:
                    direct(place, address, programs, kind)
                no_registration(place)
            with tool_server(place, address, TOOLS_CLIENT_ID=OTHER_ID, TOOLS_APP_ID_URI=f"api://{OTHER_ID}"):
                other_resource(place, address, programs)
            with adapter(place, address):
                through_adapter(place, address, programs)
        demonstration(bench, programs)


@contextlib.contextmanager
def clients(bench):
    """The Python of each client. They need different versions of one package."""
    folders = {"fastmcp": "fastmcp-requirements.txt", "mcp1": "mcp1-requirements.txt"}
    yield {"mcp2": sys.executable, **{
        kind: str(bench.programs(kind, "--require-hashes", "-r", str(HERE / name)) / "python") for kind, name in folders.items()}}


@contextlib.contextmanager
def directory(bench, address):
    api = {"clientId": SERVER_ID, "identifierUris": [address], "displayName": "Notes",
           "scopes": ["Notes.Read", "Notes.Write"], "accessTokenAcceptedVersion": 2}
    other = {**api, "clientId": OTHER_ID, "identifierUris": [f"api://{OTHER_ID}"]}
    with bench.with_application([api, other], type="public", redirectUris=[REDIRECT]) as place:
        place.emulator.steer("POST", "/applications", {
            "clientId": OTHER_ID, "displayName": "Notes", "type": "api", "secrets": [SECRET],
            "redirectUris": [address.replace("/mcp", "/oauth/callback")],
            "grantedScopes": {"https://graph.microsoft.com": ["User.Read"]}})
        yield place


@contextlib.contextmanager
def tool_server(place, address, port=None, **variables):
    log = place.folder / f"tool-server-{port or 0}.log"
    with open(log, "ab") as output:
        process = subprocess.Popen(
            [str(place.build / "ToolServer")], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            env={**os.environ, "TOOLS_TENANT_ID": TENANT, "TOOLS_CLIENT_ID": SERVER_ID, "TOOLS_ADDRESS": address,
                 "TOOLS_AUTHORITY_HOST": place.base.removeprefix("https://"), "TOOLS_CA_FILE": place.ca_file,
                 "TOOLS_GRAPH_URL": f"{place.base}/v1.0", **({"TOOLS_PORT": str(port)} if port else {}), **variables})
        try:
            await_answer(f"http://127.0.0.1:{port}" if port else address.removesuffix("/mcp"), process, log)
            yield
        finally:
            process.terminate()
            process.wait(timeout=10)


def adapter_settings(place, key=None):
    """The variables that select the adapter, and the file with the authorities of the emulator and of the document's server."""
    authorities = place.folder / "authorities.pem"
    authorities.write_text(pathlib.Path(place.ca_file).read_text() + authority(place).pem)
    return {"TOOLS_CLIENT_ID": OTHER_ID, "TOOLS_ADAPTER_CLIENT_ID": OTHER_ID, "TOOLS_ADAPTER_CLIENT_SECRET": SECRET,
            "TOOLS_ADAPTER_REDIRECT_URIS": "http://localhost/callback https://client.example/callback",
            "TOOLS_ADAPTER_REGISTRATION": "true", "TOOLS_ADAPTER_DOCUMENT_HOST": f"{DOCUMENT_HOST}=127.0.0.1",
            "TOOLS_CA_FILE": str(authorities), "TOOLS_ADAPTER_SEALING_KEY": key or base64.b64encode(os.urandom(32)).decode()}


def authority(place):
    if not hasattr(place, "document_authority"):
        place.document_authority = Certificate("An authority of documents")
    return place.document_authority


def adapter(place, address):
    return tool_server(place, address, **adapter_settings(place))


@contextlib.contextmanager
def document(place, redirects=(REDIRECT,)):
    """The address of a client's document on a server with TLS."""
    port = free_port()
    url = f"https://{DOCUMENT_HOST}:{port}/client.json"
    body = json.dumps({"client_id": url, "client_name": "A client with a document", "redirect_uris": list(redirects)}).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    pem, _ = Certificate(DOCUMENT_HOST, authority(place), [DOCUMENT_HOST]).save(place.folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield url
    finally:
        server.shutdown()


class Session:
    """A client in a process of its own."""

    def __init__(self, place, address, programs, kind, **options):
        words = [f"{name}={value}" for name, value in options.items()]
        self.errors = open(place.folder / f"session-{kind}.log", "w+b")
        self.process = subprocess.Popen(
            [programs[kind], str(HERE / "apps" / "mcp_session.py"), kind, address, place.ca_file, USER, PASSWORD, *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            env={**os.environ, "BROWSER": str(place.browser()), "REQUESTS_CA_BUNDLE": place.ca_file})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait(timeout=10)

    def step(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.errors.seek(0)
            raise AssertionError(f"{line}: {self.errors.read().decode()[-3000:]}")
        return json.loads(answer)


def challenges(address):
    metadata = address.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
    scopes = f'scope="{address}/Notes.Read", resource_metadata="{metadata}"'
    for headers, challenge in (({}, f"Bearer {scopes}"),
                               ({"Authorization": "Bearer a.b.c"}, f'Bearer error="invalid_token", {scopes}')):
        answer = requests.post(address, "{}", headers=headers, timeout=10)
        check((answer.status_code, answer.headers["WWW-Authenticate"]) == (401, challenge),
              f"{'a bad' if headers else 'no'} token: 401 with the address of the metadata")
    own = address.removesuffix("/mcp")
    for origin, status in ((own, 401), ("https://evil.example", 403), ("null", 403), (own + "0", 403), (own + "/mcp", 403)):
        answer = requests.post(address, "{}", headers={"Origin": origin}, timeout=10)
        check(answer.status_code == status, f"a page of {origin}: {status}")
    document = requests.get(metadata, timeout=10).json()
    check(document["resource"] == address and f"{address}/Notes.Read" in document["scopes_supported"]
          and "offline_access" not in str(document), "the metadata contain the resource, and scopes in the service's format")
    for method in ("GET", "DELETE"):
        check(requests.request(method, address, timeout=10).status_code == 405, f"{method}: 405")


def protocol(place, address):
    """The rules of 2026-07-28, and of the versions before it."""
    token = place.emulator.steer("POST", "/tokens", {
        "user": USER, "application": OWN_ID, "api": address, "scopes": ["Notes.Read", "Notes.Write"]})["access_token"]
    prefix = "io.modelcontextprotocol"
    current = {f"{prefix}/protocolVersion": "2026-07-28", f"{prefix}/clientCapabilities": {}}

    def send(method, params=None, meta=current, headers=(), id=1, **members):
        name = (params or {}).get("name")
        fields = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, **({"Mcp-Name": name} if name else {}), **dict(headers)}
        body = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**(params or {}), **({"_meta": meta} if meta else {})}}
        body = {key: value for key, value in {**body, **members}.items() if value is not ...}
        return post(body, {key: value for key, value in fields.items() if value is not None})

    def post(body, headers):
        fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Mcp-Session-Id": "x",
                  "Last-Event-ID": "1", **headers}
        return requests.post(address, body if isinstance(body, str) else json.dumps(body), headers=fields, timeout=10)

    def refused(answer, status, code, what):
        found = (answer.status_code, answer.json().get("error", {}).get("code"))
        check(found == (status, code), f"{what}: {status}, {code}" if found == (status, code) else f"{what}: {found}")

    result = send("server/discover").json()["result"]
    check(result["supportedVersions"][0] == "2026-07-28" and result["resultType"] == "complete" and result["ttlMs"] >= 0
          and result["_meta"][f"{prefix}/serverInfo"]["name"] == "Notes", "server/discover describes the server")
    lists = [send("tools/list").json()["result"] for _ in range(2)]
    check(lists[0] == lists[1] and lists[0]["cacheScope"] == "public", "the tools are in a fixed order, and can be cached")
    result = send("tools/call", {"name": "read_notes"}).json()["result"]
    check(result["resultType"] == "complete" and "ttlMs" not in result and not result["isError"], "a tool is called")
    encoded = "=?base64?" + base64.b64encode(b"read_notes").decode() + "?="
    check(send("tools/call", {"name": "read_notes"}, headers={"Mcp-Name": encoded}).ok, "the name of a tool may be encoded")

    for what, changes in {
        "no version in the header": {"MCP-Protocol-Version": None}, "another version in the header": {"MCP-Protocol-Version": "2025-11-25"},
        "no method in the header": {"Mcp-Method": None}, "another method in the header": {"Mcp-Method": "tools/list"},
        "another letter case": {"Mcp-Method": "TOOLS/CALL"}, "no name in the header": {"Mcp-Name": None},
        "another name": {"Mcp-Name": "add_note"}, "a name that is not encoded well": {"Mcp-Name": "=?base64?!?="},
        "a name in another encoding": {"Mcp-Name": encoded.upper()}, "a name outside of ASCII": {"Mcp-Name": "read_notes\u00e9".encode("latin-1")},
    }.items():
        refused(send("tools/call", {"name": "read_notes"}, headers=changes), 400, -32020, what)
    refused(send("tools/list", meta=None), 400, -32602, "no _meta")
    refused(send("tools/list", meta={f"{prefix}/protocolVersion": "2026-07-28"}), 400, -32602, "no capabilities")
    unsupported = send("tools/list", meta={**current, f"{prefix}/protocolVersion": "1900-01-01"}, headers={"MCP-Protocol-Version": "1900-01-01"})
    refused(unsupported, 400, -32022, "a version that does not exist")
    check(unsupported.json()["error"]["data"] == {"supported": ["2026-07-28", "2025-11-25", "2025-06-18"], "requested": "1900-01-01"},
          "the error names the versions")
    refused(send("tools/list", meta=None, headers={"MCP-Protocol-Version": "2025-03-26"}), 400, -32022, "2025-03-26")
    refused(send("resources/list"), 404, -32601, "an unknown method")
    refused(send("ping"), 404, -32601, "ping")
    refused(send("initialize"), 404, -32601, "initialize")
    refused(send("tools/call", {"name": "x"}), 200, -32602, "an unknown tool")
    for id in (None, 1.5, {}, [], True):
        refused(send("tools/list", id=id), 400, -32600, f"the ID {id}")
    refused(post("{", {}), 400, -32700, "a body that is not JSON")
    refused(post([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], {}), 400, -32600, "a batch")
    answer = send("notifications/cancelled", id=...)
    check((answer.status_code, answer.content) == (202, b""), "a notification: 202 without a body")

    begun = post({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}, {})
    check(begun.json()["result"]["protocolVersion"] == "2025-06-18" and begun.json()["id"] == "a", "initialize: 2025-06-18")
    newer = post({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}, {})
    check(newer.json()["result"]["protocolVersion"] == "2025-11-25", "initialize with an old version: 2025-11-25")
    older = {"MCP-Protocol-Version": "2025-11-25"}
    check(post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, older).ok, "ping exists in older versions")
    check(post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, older).ok, "a session lists the tools")
    read = place.emulator.steer("POST", "/tokens", {
        "user": USER, "application": OWN_ID, "api": address, "scopes": ["Notes.Read"]})["access_token"]
    token = read
    both = send("tools/call", {"name": "take_notes"})
    check(both.status_code == 403 and f'scope="{address}/Notes.Read {address}/Notes.Write"' in both.headers["WWW-Authenticate"],
          "a challenge names all scopes of the operation at once")


def direct(place, address, programs, kind):
    """The App ID URI is the address, and the client is registered."""
    with Session(place, address, programs, kind, client=f"{OWN_ID},{place.authority}/v2.0") as session:
        listed = session.step("list")
        check(listed["result"] == ["read_notes", "add_note", "take_notes"] and len(listed["opened"]) == 1,
              f"{kind}, directly: it finds the authority in the metadata, and signs a user in with a registered client")
        first = listed["opened"][0]
        check(first["resource"] == address and f"{address}/Notes.Read" in first["scope"].split()
              and "Notes.Write" not in first["scope"], "it sends the resource, and the full scope of the challenge")
        claims = claims_of(listed["token"])
        check((claims["aud"], claims["scp"]) == (SERVER_ID, "Notes.Read"), "the token is for the server")
        added = session.step("call add_note")
        check(added["result"] == "Added." and len(added["opened"]) == 2, "another tool needs another scope, which it requests")
        if kind != "mcp1":
            check({"Notes.Read", "Notes.Write"} <= set(claims_of(added["token"])["scp"].split()), "it keeps the earlier scopes")
            check(session.step("call read_notes")["result"].endswith("Buy milk"), "the note has been added")


def no_registration(place):
    answer = requests.post(f"{place.authority}/oauth2/v2.0/register", json={"redirect_uris": [REDIRECT]},
                           verify=place.ca_file, timeout=10)
    check(answer.status_code == 404 and "Register the application beforehand" in answer.json()["error_description"],
          "the authority's error says what to do instead of a registration")


def other_resource(place, address, programs):
    with Session(place, address, programs, "mcp2", client=f"{OWN_ID},{place.authority}/v2.0") as session:
        try:
            session.step("list")
        except AssertionError as error:
            check("AADSTS9010010" in str(error), "an App ID URI that is not the address: AADSTS9010010")
            return
    raise AssertionError("the session began")


def demonstration(bench, programs):
    """`entra-emulator run` is all that the server needs. The address only avoids a port that is in use."""
    state, port = bench.folder / "state", free_port()
    address, log = f"http://localhost:{port}/mcp", bench.folder / "demonstration.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [str(bench.build / "entra-emulator"), "run", "--browser", "stand-in", "--port", "0", "--state", str(state), "--",
             str(bench.build / "ToolServer")], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            env={**os.environ, "TOOLS_ADDRESS": address})
        try:
            await_answer(address.removesuffix("/mcp"), process, log)
            place = type(bench)(bench.emulator, bench.folder, bench.build)
            place.ca_file = str(state / "ca.pem")
            with Session(place, address, programs, "mcp2") as session:
                check(session.step("call my_name")["result"] == "Megan Bowen", "entra-emulator run is all that the server needs")
        finally:
            process.terminate()
            process.wait(timeout=20)


def through_adapter(place, address, programs):
    with document(place) as url:
        for kind in programs:
            one_client(place, address, programs, kind, **({"document": url} if kind == "mcp2" else {}))


def one_client(place, address, programs, kind, **options):
    scope = f"api://{OTHER_ID}/Notes.Read"
    with Session(place, address, programs, kind, **options) as session:
        named = session.step("call my_name")
        check(named["result"] == "Megan Bowen" and len(named["opened"]) == 1,
              f"{kind}, through the adapter: it identifies itself, signs Megan in, and a tool calls Graph on her behalf")
        check(named["client"] == options.get("document", named["client"]) and named["opened"][0]["resource"] == address,
              "it identifies itself by its document" if options else "it has registered itself")
        check(claims_of(named["token"])["aud"] == OTHER_ID and scope in named["opened"][0]["scope"].split()
              and named["refresh"], "the token is Entra's, for the server, and it has a refresh token")
        session.step("expire")
        refreshed = session.step("call my_name")
        check(refreshed["token"] != named["token"] and len(refreshed["opened"]) == 1, "it refreshes without a sign-in")
        added = session.step("call add_note")
        check(added["result"] == "Added." and len(added["opened"]) == 2, "it requests another scope when a tool needs it")
        place.emulator.steer("POST", "/revoke", {"userPrincipalName": USER})
        session.step("expire")
        again = session.step("call my_name")
        check(again["result"] == "Megan Bowen" and len(again["opened"]) == 3, "after a revocation, she signs in again")
