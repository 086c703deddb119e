# Licensed under the MIT License. See LICENSE.
"""Hostile requests: a valid one for each address, and ways to damage it."""
import base64
import json
import re

import endpoints

MARK = "<script>alert('mark')</script>"
CLIENT, REDIRECT = "00000000-0000-4000-8000-000000000001", "http://localhost:5000"
SERVICE = "00000000-0000-4000-8000-000000000010"
API = "api://00000000-0000-4000-8000-0000000000a1/ToDoList.Read"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jwt(header, claims, signature=b"no signature"):
    parts = [json.dumps(part).encode() if not isinstance(part, bytes) else part for part in (header, claims)]
    return ".".join(base64url(part) for part in parts) + "." + base64url(signature)


CLAIMS = {"aud": "00000003-0000-0000-c000-000000000000", "iss": "https://localhost/v2.0", "sub": SERVICE, "exp": 2**40}
JWTS = [
    jwt({"alg": "none"}, CLAIMS, b""), jwt({"alg": "HS256", "kid": "x"}, CLAIMS), jwt({"alg": "RS256"}, {"exp": -2**63}),
    jwt({"alg": "RS256", "kid": "../../etc/passwd"}, CLAIMS), jwt({"alg": ["RS256"]}, CLAIMS), jwt(b"[" * 5000, b"{}"),
    jwt({"alg": "RS256"}, b'{"a":' * 3000 + b"1" + b"}" * 3000), jwt({"alg": "RS256", "x5c": ["AAAA"] * 50}, CLAIMS),
    jwt({"alg": "RS256", "jku": "http://127.0.0.1:1/", "jwk": {"kty": "oct", "k": ""}}, CLAIMS), jwt(b"\xff\xfe", b"\x00"),
    jwt({"alg": "RS256"}, {**CLAIMS, "exp": 1e400, "nbf": "never", "iat": None}), "..", "a.b", "a.b.c.d.e", ".", "e30.e30.",
    jwt({"alg": "RS256", "b64": False, "crit": ["b64"]}, CLAIMS), "A" * 9000 + "." + "B" * 9000 + ".C",
]
TEXTS = [
    "", " ", "\0", "a\0b", MARK, "\"'><svg onload=alert(1)>", "' OR 1=1 --", "../../../../etc/passwd", "%", "{{7*7}}", "\r\nSet-Cookie: x=y",
    "\u202e\u2066", "\U0001f4a3" * 50, "é" * 300, "A" * 300, "B" * 20_000, "-1", "0", "99999999999999999999999999", "1e309",
    "NaN", "null", "true", "[]", "{}", "[" * 2_000, '{"a":' * 1_000, '{"access_token":{"xms_cc":{"values":[' + '"cp1",' * 500,
    "javascript:alert(1)", "//evil.example", "https://evil.example/", "http://localhost:5000@evil.example", "http://[::1", "http://localhost:99999",
    "\\\\evil.example", "urn:ietf:wg:oauth:2.0:oob", "data:text/html,x", "https://localhost\\@evil.example", "http://localhost:5000/%0d%0aX:y",
    "openid " * 500, ".default", "https://graph.microsoft.com/.default User.Read api://x/y", "plain", "S256", "a" * 43, "~" * 128, "\ud7ff",
] + JWTS
# Bytes that no encoder produces.
RAW = [b"%", b"%zz", b"%f", b"%ff%fe", b"%00", b"\xff\xfe", b"a%c0%af", b"=", b"&&&&", b"a=b=c=d", b"%ed%a0%80", b"+" * 500, b"a" * 60_000]

GRANTS = {
    "authorization_code": dict(code="1.x", redirect_uri=REDIRECT, code_verifier="a" * 43),
    "refresh_token": dict(refresh_token="1.x"),
    "device_code": dict(device_code="x"), "urn:ietf:params:oauth:grant-type:device_code": dict(device_code="x"),
    "client_credentials": dict(client_secret="Emulator-secret-1", client_id=SERVICE, scope="https://graph.microsoft.com/.default"),
    "urn:ietf:params:oauth:grant-type:jwt-bearer": dict(
        assertion=JWTS[1], requested_token_use="on_behalf_of", client_id=SERVICE, client_secret="Emulator-secret-1"),
    "password": dict(username="megan@contoso.example", password="wrong", client_id=CLIENT),
    "continuation_token": dict(continuation_token="x", username="code@fabrikam.example"), "oob": dict(continuation_token="x", oob="1"),
    "mfa_oob": dict(continuation_token="x", oob="1"), "nonsense": {},
}
ASSERTION = {"client_assertion": JWTS[1], "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}


def good(path, rng):
    """Parameters that the address supports."""
    values = {"client_id": CLIENT, "scope": "User.Read openid offline_access"}
    if path.endswith("token"):
        grant = rng.choice(list(GRANTS))
        values |= {"grant_type": grant, **GRANTS[grant]}
        if rng.random() < .2:
            values |= ASSERTION
        if rng.random() < .2:
            values |= {"resource": rng.choice([CLIENT, "https://graph.microsoft.com", "api://x"]), "scope": f"{CLIENT}/.default"}
        if rng.random() < .2:
            values |= {"token_type": "pop", "req_cnf": base64url(b'{"kid":"x"}'), "claims": "{}"}
    elif path.endswith(("authorize", "adminconsent")):
        values |= {"response_type": "code", "redirect_uri": REDIRECT, "state": "s", "nonce": "n", "code_challenge": "a" * 43,
                   "code_challenge_method": "S256", "prompt": rng.choice(["", "none", "login", "create", "consent"]), "claims": "{}",
                   "response_mode": rng.choice(["", "query", "fragment", "form_post"]), "login_hint": "megan@contoso.example"}
        if rng.random() < .2:
            values |= {"resource": "https://graph.microsoft.com", "scope": f"User.Read {API} openid", "code_challenge_method": "plain"}
        if rng.random() < .1:
            values |= {"response_type": "id_token", "redirect_uri": ""}
    elif path.endswith("logout"):
        values |= {"post_logout_redirect_uri": REDIRECT, "id_token_hint": JWTS[0], "logout_hint": "x", "state": "s"}
    elif path.endswith("signin"):
        values |= {"flow": "x", "csrf": "x", "login": "megan@contoso.example", "passwd": "wrong", "action": "next"}
    elif path in endpoints.managed():
        values = {"api-version": rng.choice(["2018-02-01", "2019-08-01", "2020-06-01", "2019-07-01-preview"]), "resource": "https://vault.azure.net",
                  "client_id": SERVICE, "mi_res_id": "/subscriptions/x", "object_id": "x", "bypass_cache": "true"}
    elif path.startswith("/issuers"):
        values = {"audience": "api://AzureADTokenExchange", "serviceConnectionId": "x", "api-version": "7.1"}
    elif path == "/devicelogin":
        values = {"otc": "ABCDEFGHI"}
    elif path.endswith("instance"):
        values = {"api-version": "1.1", "authorization_endpoint": "https://login.microsoftonline.com/common/oauth2/v2.0/authorize"}
    elif path == "/error":
        values = {"code": "50011"}
    else:
        values |= {"username": "mfa@fabrikam.example", "challenge_type": "password oob redirect", "continuation_token": "x",
                   "password": "Pa55-word!", "new_password": "Pa55-word!2", "oob": "1", "id": "1", "attributes": "{}",
                   "capabilities": "mfa_required registration_required", "challenge_channel": "email", "challenge_target": "a@b.example"}
    return values


def quoted(value):
    kept = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return b"".join(bytes([byte]) if byte in kept else b"%%%02X" % byte for byte in value.encode("utf-8", "surrogatepass"))


def encoded(values, rng):
    """The parameters of a query or a form, with up to three of them damaged."""
    pairs = [(name.encode(), quoted(value)) for name, value in values.items()]
    for _ in range(rng.randrange(4)):
        index = rng.randrange(len(pairs) + 1)
        match rng.randrange(6):
            case 0: pairs.insert(index, pairs[index % len(pairs)] if pairs else (b"a", b"b"))
            case 1 if pairs: pairs.pop(index % len(pairs))
            case 2: pairs.insert(index, (quoted(rng.choice(TEXTS)), b"x"))
            case 3 if pairs: pairs[index % len(pairs)] = (pairs[index % len(pairs)][0], rng.choice(RAW))
            case _ if pairs: pairs[index % len(pairs)] = (pairs[index % len(pairs)][0], quoted(rng.choice(TEXTS)))
    return b"&".join(name + b"=" + value for name, value in pairs)


METHODS = ["GET"] * 14 + ["POST"] * 24 + ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "BREW"]
# The addresses for GET; the others are for POST, and some support both.
READ = re.compile(r"^/(health|error|assets.*|v1\.0.*|tenants|subscriptions|metadata.*|nothing)?$|keys|jwks|configuration|instance|realm|consent|authorize")
HEADERS = [
    ("Authorization", ["Bearer", "Bearer ", "Basic", "Basic " + "A" * 5000, "Basic Og==", "Basic \xff", "PoP x.y.z", "Negotiate x", "Basic OjpB"]
     + ["Bearer " + token for token in JWTS] + ["PoP " + token for token in JWTS]),
    ("Cookie", ["=", ";;;;", "a" * 8000, "__Host-entra-emulator-session=x; " * 100, "ESTSAUTH=\"x", "a=b;" * 1000]),
    ("Origin", ["null", "https://evil.example", "x y", "\x01", "https://app.contoso.example", "https://app.contoso.example:443/x"]), ("Accept", ["text/html", "*/*;q=" + "9" * 500, ""]),
    ("client-request-id", ["x", MARK, "0" * 5000, "11111111-1111-1111-1111-111111111111"]), ("return-client-request-id", ["true", "TRUE;x"]),
    ("Content-Type", ["application/json", "multipart/form-data; boundary=", "application/x-www-form-urlencoded; charset=utf-7", "", "text/plain", "/"]),
    ("Expect", ["100-continue", "everything"]), ("Range", ["bytes=0-0,1-1," * 100]), ("X-Forwarded-Host", ["evil.example"]),
    ("X-HTTP-Method-Override", ["DELETE"]), ("Accept-Language", ["x-" * 2000]), ("Upgrade", ["h2c"]), ("If-None-Match", ["*"]),
    ("x-client-SKU", [MARK]), ("Metadata", ["true", "True", "1"]), ("X-IDENTITY-HEADER", ["x", ""]), ("Secret", ["x"]), ("Forwarded", ["host=evil.example"]),
]
PATHS = ["{}/", "/{}", "{}/..", "{}%2f", "{}%00", "{};a=b", "{}//x", "%2e%2e{}", "{}?", "{}%ff", "/./.{}", "{}/%2e%2e/%2e%2e", "{}\\x", "{}" + "/a" * 3000]


def request(path, rng, host, authorization=None, body=None):
    """A hostile request to an address: the bytes, and whether the method is HEAD."""
    method = rng.choice(METHODS)
    if rng.random() < .7:
        method = "GET" if READ.search(path) else "POST"
    path = path.replace("{name}", "megan%40contoso.example")
    tenant = rng.choice(endpoints.TENANTS if rng.random() < .8 else ["nobody.example", "%00", "..", "a" * 3000, "%3Cscript%3E"])
    target = path.replace("{tenant}", tenant).encode()
    if rng.random() < .05:
        target = rng.choice(PATHS).format(target.decode()).encode()
    if rng.random() < .1:
        target = target.swapcase()
    values = good(path, rng)
    payload = b""
    if method in ("POST", "PUT", "PATCH") or rng.random() < .05:
        payload = encoded(values, rng) if body is None else body
        if rng.random() < .05:
            payload = rng.choice([json.dumps(values).encode(), b"\x00" * 100, b"[" * 3000, b"--x\r\n\r\n", b"<a/>", rng.randbytes(200)])
    if method not in ("POST", "PUT", "PATCH") or rng.random() < .1:
        target += b"?" + encoded(values, rng)
    headers = [("Host", host)]
    if payload:
        headers.append(("Content-Type", "application/x-www-form-urlencoded"))
    for name, choices in rng.sample(HEADERS, rng.choice([0, 0, 1, 2, 4])):
        headers = [each for each in headers if each[0] != name] + [(name, rng.choice(choices))]
    if authorization:
        headers = [each for each in headers if each[0] != "Authorization"] + [("Authorization", authorization)]
    target = b"".join(bytes([byte]) if 0x20 < byte < 0x7F else b"%%%02x" % byte for byte in target)
    headers.append(("Content-Length", str(len(payload))))
    head = "\r\n".join(f"{name}: {value}" for name, value in headers).encode("utf-8")
    return method.encode() + b" " + target + b" HTTP/1.1\r\n" + head + b"\r\n\r\n" + payload, method == "HEAD"


def bodies(rng):
    """A JSON body for the control API, valid or not."""
    values = {
        "userPrincipalName": f"u{rng.randrange(50)}@contoso.example", "password": "Gr8-secret!", "pathSuffix": "/nothing-there", "status": 200,
        "count": 1, "advance": rng.choice([1, 0, -1, 10**18, 2**63]), "fault": "expired", "endpoint": "/x", "responses": ["UserNotFound"],
        "correlationId": "x", "tenant": "contoso.example", "customer": {}, "delayMilliseconds": 0,
        "domain": "x.example", "kind": "workforce", "displayName": "x", "clientId": "x", "type": "web", "redirectUris": ["http://localhost/"],
        "secrets": ["x"], "scopes": [{}], "identifierUris": ["api://x"], "members": ["megan@contoso.example"], "certificates": ["AAAA"],
    }
    chosen = {name: values[name] for name in rng.sample(sorted(values), rng.randrange(1, 4))}
    for name in list(chosen):
        if rng.random() < .4:
            chosen[name] = rng.choice([None, [], {}, -1, 1.5, 10**30, "", MARK, "A" * 5000, True, [[[]]], {"a": {"b": {}}}])
    text = json.dumps(chosen).encode()
    if rng.random() < .3:
        index = rng.randrange(len(text))
        text = text[:index] + rng.choice([b"", b"\x00", b"\xff", b"[" * 2000, b"{", b'"', b"1e999", b"\\ud800", b"9" * 400]) + text[index + 1:]
    return text


# Not HTTP, or HTTP that can be read in two ways. {host} is the emulator's.
RAW_REQUESTS = {
    "garbage": b"\x00\x01\x02garbage\r\n\r\n", "an HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a head of 200 KB": b"GET / HTTP/1.1\r\nHost: {host}\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
    "a target of 200 KB": b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "5,000 fields": b"GET / HTTP/1.1\r\nHost: {host}\r\n" + b"a: b\r\n" * 5_000 + b"\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n", "two hosts": b"GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n",
    "a host with a path": b"GET / HTTP/1.1\r\nHost: {host}/x\r\n\r\n", "a host with a user": b"GET / HTTP/1.1\r\nHost: a@{host}\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
    "a negative length": b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n",
    "a huge length": b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9999999999999999\r\n\r\n" + b"a" * 70_000,
    "a length of 30 digits": b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n",
    "length and chunks": b"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an invalid chunk": b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "an endless chunk": b"POST / HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    "a folded field": b"GET / HTTP/1.1\r\nHost: {host}\r\nA: b\r\n c\r\nContent-Length : 3\r\n\r\n",
    "a field without a name": b"GET / HTTP/1.1\r\nHost: {host}\r\n: b\r\n\r\n", "a bare CR": b"GET / HTTP/1.1\rHost: {host}\r\r",
    "a body of 1 MB": b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\n" + b"a" * 1_000_000,
    "a target without a slash": b"GET x HTTP/1.1\r\nHost: {host}\r\n\r\n", "a target of another site": b"GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "an asterisk": b"OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n", "a tunnel": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: {host}\r\n\r\n", "an upgrade": b"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "a NUL in a field": b"GET / HTTP/1.1\r\nHost: {host}\r\nA: b\x00c\r\n\r\n",
}
