#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""A token endpoint with the service's host name, behind a proxy on this machine, for Benchmarks.

usage: Benchmarks/endpoint.py FOLDER HOST...

Creates certificates for the hosts in FOLDER (clients must trust `ca.pem`), prints the port of an HTTP proxy, and serves the hosts
to its clients. A refresh token `r7-…` belongs to account 7, and so does any password of `user-7@contoso.example`, in both versions of
native authentication. Each response has new tokens of the usual sizes. Only the client is measured, not this process.

The key set is `keys.json` in FOLDER, which the client writes; each request for it appends a byte to `key-requests`.

An application token starts with the number of requests for its tenant and scope: `t1-…` for the first. A token for
`https://aging.example` must be refreshed at once, and each later one takes two seconds. A token for `https://slow.example` takes a
second, and a request for `https://hanging.example` never gets a response.

A token on behalf of a user comes with a refresh token `s…`, which returns another one and names no user. The first token for
`https://short.example` counts as expired in the library when it arrives, and the next one takes five seconds.
"""
import base64
import email.utils
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

CLIENT = "00000000-0000-4000-8000-000000000001"
TENANT = "11111111-1111-1111-1111-111111111111"
folder, hosts = pathlib.Path(sys.argv[1]), sys.argv[2:]
requests, lock = {}, threading.Lock()


def certificate():
    folder.mkdir(exist_ok=True)

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)

    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
            "-subj", "/CN=Benchmark CA", "-keyout", "ca.key", "-out", "ca.pem",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={hosts[0]}",
            "-keyout", "leaf.key", "-out", "leaf.csr")
    names = ",".join(f"DNS:{host}" for host in hosts)
    (folder / "leaf.ext").write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n")
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "30", "-CAcreateserial",
            "-extfile", "leaf.ext", "-out", "leaf.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "leaf.pem", folder / "leaf.key")
    return context


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def token_response(host, form):
    user = form.get("refresh_token") or form.get("username") or form["code"]
    number = user[0].removeprefix("user-").lstrip("r").partition("-")[0].partition("@")[0]
    now, local = int(time.time()), f"22222222-2222-4222-8222-{int(number):012}"
    claims = {
        "aud": CLIENT, "iss": f"https://{host}/{TENANT}/v2.0", "iat": now, "nbf": now, "exp": now + 3600,
        "name": f"User {number}", "oid": local, "preferred_username": f"user-{number}@contoso.example",
        "rh": "0." + 298 * "h", "sub": ("s" + number).ljust(43, "s"), "tid": TENANT, "uti": 22 * "u", "ver": "2.0",
    }
    header, payload = encoded({"typ": "JWT", "alg": "RS256"}), encoded(claims)
    nonce = time.monotonic_ns()
    return {
        "token_type": "Bearer", "scope": form["scope"][0], "expires_in": 86400, "ext_expires_in": 86400,
        "access_token": f"t{number}-{nonce}-".ljust(1600, "t"), "refresh_token": f"r{number}-{nonce}-".ljust(1400, "r"),
        "id_token": f"{header}.{payload}.".ljust(1500, "c"), "client_info": encoded({"uid": local, "utid": TENANT}),
    }


def application_response(path, form):
    key = (path, form["scope"][0])
    with lock:
        requests[key] = count = requests.get(key, 0) + 1
    if "slow.example" in key[1]:
        time.sleep(1)
    if "hanging.example" in key[1]:
        time.sleep(3600)
    members = {"token_type": "Bearer", "expires_in": 86400, "ext_expires_in": 86400}
    if "aging.example" in key[1]:
        members["refresh_in"] = 1
        if count > 1:
            time.sleep(2)
    return {**members, "access_token": f"t{count}-{time.monotonic_ns()}-".ljust(1600, "t")}


def session_response(path, form):
    members = application_response(path, form)
    if "short.example" in form["scope"][0]:
        if form["grant_type"] == ["refresh_token"]:
            time.sleep(5)
        else:
            members |= {"expires_in": 290, "ext_expires_in": 290}
    return {**members, "refresh_token": f"s{time.monotonic_ns()}-".ljust(1400, "s")}


def hal(state, user, link, **members):
    """A response of native authentication V2. Its token names the user."""
    links = {link: {"href": f"/{TENANT}/{'oauth2/v2.0/authorize-challenge' if link == 'continue' else 'api/v2.0/' + link}"}}
    return {"state": state, "continuationToken": f"{user} ".ljust(600, "c"), "_links": links, **members}


def second_version(path, body):
    """The response to a step of V2 with a password; `None` for another request."""
    if path.endswith("/authorize-challenge"):
        form = urllib.parse.parse_qs(body.decode())
        if "continuation_token" in form:
            return {"code": form["continuation_token"][0].partition(" ")[0]}
        return {"error": "InsufficientAuthorization", "continuation_token": "e".ljust(600, "e"),
                "sign_in": f"/{TENANT}/api/v2.0/signin/start"}
    if path.endswith("/signin/start"):
        user = json.loads(body)["username"]
        return hal("interactionRequired", user, "verify", action="verify", id="1", type="password")
    if path.endswith("/api/v2.0/verify"):
        return hal("continue", json.loads(body)["continuationToken"].partition(" ")[0], "continue")
    return None


def response(host, path, body):
    if (step := second_version(path, body)) is not None:
        return step
    root = f"https://{host}/{TENANT}"
    if "openid-configuration" in path:
        return {
            "issuer": f"{root}/v2.0", "authorization_endpoint": f"{root}/oauth2/v2.0/authorize",
            "token_endpoint": f"{root}/oauth2/v2.0/token", "jwks_uri": f"{root}/keys",
        }
    if path.endswith("/keys"):
        with open(folder / "key-requests", "ab") as count:
            count.write(b".")
        return json.loads((folder / "keys.json").read_text())
    if "discovery/instance" in path:
        return {
            "tenant_discovery_endpoint": f"{root}/v2.0/.well-known/openid-configuration",
            "metadata": [{
                "preferred_network": host, "preferred_cache": "login.windows.net",
                "aliases": [host, "login.windows.net"],
            }],
        }
    if path.endswith("/initiate"):
        return {"continuation_token": "i".ljust(600, "i")}
    if path.endswith("/challenge"):
        return {"continuation_token": "c".ljust(600, "c"), "challenge_type": "password"}
    form = urllib.parse.parse_qs(body.decode())
    if form.get("requested_token_use") == ["on_behalf_of"] or form.get("refresh_token", [""])[0].startswith("s"):
        return session_response(path, form)
    if form.get("grant_type") == ["client_credentials"]:
        return application_response(path, form)
    if path.endswith("/echo"):
        form["scope"] = ["openid"]
    return token_response(host, form)


def head(stream):
    lines = []
    while (line := stream.readline()) not in (b"\r\n", b""):
        lines.append(line.decode().strip())
    return lines


def serve(client):
    plain = client.makefile("rb", buffering=0)
    if not head(plain):
        return
    client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    with context.wrap_socket(client, server_side=True) as secure:
        secure.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream = secure.makefile("rb")
        while lines := head(stream):
            values = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            host, path = values["host"].partition(":")[0], lines[0].split()[1]
            body = json.dumps(response(host, path, stream.read(int(values.get("content-length", 0))))).encode()
            date = email.utils.formatdate(usegmt=True).encode()
            secure.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: %b\r\nContent-Length: %d\r\n\r\n"
                % (date, len(body)) + body
            )


def guarded(client):
    try:
        serve(client)
    except OSError:
        pass  # The client closed the connection.


context = certificate()
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)


def accept():
    while True:
        threading.Thread(target=guarded, args=(listener.accept()[0],), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()  # Ends with its input.
