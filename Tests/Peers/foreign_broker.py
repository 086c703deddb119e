# Licensed under the MIT License. See LICENSE.
"""An independent identity broker on a session bus, written from docs/reference/Broker.md in plain Python. It uses neither this
project's D-Bus client nor the emulator's double.

usage: foreign_broker.py ADDRESS [DIALECT [FAULT]]

It prints `ready` when it owns its name, then a line for each call: the method and the form of its request. DIALECT is early,
current or himmelblau. FAULT is an error with tokens: one of FAULTS, the number of a status, `count`: the statuses in their order,
one for each call, `hang`: no response at all, `prompt`: Himmelblau has to prompt the user, or `words`: Himmelblau fails with an
unknown error text.
"""
import base64
import json
import os
import socket
import struct
import sys
import time

# Another name and another user are for a program that poses as a service of this user.
NAME = os.environ.get("FOREIGN_NAME", "com.microsoft.identity.broker1")
PATH = "/com/microsoft/identity/broker1"
INTERFACE = "com.microsoft.identity.Broker1"
UID, TENANT = "aaaaaaaa-0000-0000-0000-000000000001", "bbbbbbbb-0000-0000-0000-000000000002"
USER = "megan@contoso.example"
TOKEN = "secret-token-of-the-foreign-broker"
COOKIE = "secret-cookie-of-the-foreign-broker"
VERSIONS = {"early": "2.0.1", "current": "2.5.2", "himmelblau": "himmelblau 4.0.0"}
FAULTS = {
    "empty": "", "html": "<html><body>no</body></html>", "list": "[]", "half": '{"brokerTokenResponse": {"accessTo',
    "deep": '{"a":' * 1000 + "1" + "}" * 1000, "escape": json.dumps({"brokerTokenResponse": {"error": {
        "status": 0, "context": "\x1b[31mred\x07\n\u202eEtirw"}}}),
}


def segment(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def pad(data, width):
    return data + b"\0" * (-len(data) % width)


def text(value):
    raw = value.encode()
    return struct.pack("<I", len(raw)) + raw + b"\0"


def message(kind, serial, fields, body=b""):
    """`fields` are (code, signature, value). A little-endian message (D-Bus Specification, "Message Protocol")."""
    array = b""
    for code, signature, value in fields:
        array = pad(array, 8) + bytes([code, 1, ord(signature), 0])
        if signature == "g":
            array += bytes([len(value)]) + value.encode() + b"\0"
        elif signature == "u":
            array = pad(array, 4) + struct.pack("<I", value)
        else:
            array = pad(array, 4) + text(value)
    head = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(body), serial, len(array)) + array
    return pad(head, 8) + body


class Bus:
    def __init__(self, address):
        path = address.split("unix:", 1)[1].split("path=", 1)[1].split(",", 1)[0]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\nBEGIN\r\n")
        assert self.socket.recv(4096).startswith(b"OK"), "the bus refused the connection"
        self.serial, self.buffer = 0, b""
        self.ask("Hello")
        self.ask("RequestName", "su", text(NAME) + b"\0" * (-(len(NAME) + 5) % 4) + struct.pack("<I", 4))

    def send(self, kind, fields, body=b""):
        self.serial += 1
        self.socket.sendall(message(kind, self.serial, fields, body))

    def ask(self, member, signature="", body=b""):
        bus = "org.freedesktop.DBus"
        fields = [(1, "o", "/org/freedesktop/DBus"), (2, "s", bus), (3, "s", member), (6, "s", bus)]
        self.send(1, fields + ([(8, "g", signature)] if signature else []), body)
        while self.receive()["kind"] == 4:  # Signals, such as NameAcquired.
            pass

    def read(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(65536)
            if not more:
                raise SystemExit(0)
            self.buffer += more
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def receive(self):
        start = self.read(16)
        order = "<" if start[:1] == b"l" else ">"
        length, serial, count = struct.unpack(order + "III", start[4:16])
        array = self.read(count + -count % 8)
        body = self.read(length)
        found, at = {"kind": start[1], "serial": serial, "body": body, "order": order}, 0
        while at < count:
            at += -at % 8
            code, signature = array[at], chr(array[at + 2])
            at += 4
            if signature == "g":
                found[code] = array[at + 1:at + 1 + array[at]].decode()
                at += array[at] + 2
                continue
            at += -at % 4
            value = struct.unpack(order + "I", array[at:at + 4])[0]
            at += 4
            if signature in "so":
                found[code] = array[at:at + value].decode()
                at += value + 1
        return found

    def respond(self, call, response):
        self.send(2, [(5, "u", call["serial"]), (6, "s", call[7]), (8, "g", "s")], text(response))

    def refuse(self, call, name, words=""):
        fields = [(4, "s", f"org.freedesktop.DBus.Error.{name}"), (5, "u", call["serial"]), (6, "s", call[7]), (8, "g", "s")]
        self.send(3, fields, text(words))


def strings(call):
    at, found = 0, []
    while at < len(call["body"]):
        at += -at % 4
        count = struct.unpack(call["order"] + "I", call["body"][at:at + 4])[0]
        found.append(call["body"][at + 4:at + 4 + count].decode())
        at += count + 5
    return found


class Broker:
    def __init__(self, dialect, fault):
        self.dialect, self.fault, self.count, self.was_asked = dialect, fault, 0, False

    def account(self):
        given = "Megan Bowen" if self.dialect == "himmelblau" else "Megan"
        account = {"environment": "login.windows.net", "givenName": given, "homeAccountId": f"{UID}.{TENANT}",
                   "localAccountId": UID, "name": "Megan Bowen", "passwordExpiry": 0, "realm": TENANT, "username": USER}
        if self.dialect != "himmelblau":
            account["clientInfo"] = segment({"uid": UID, "utid": TENANT})
        return account

    def error(self, status, context):
        if self.dialect == "himmelblau":
            return {"context": context, "status": 0, "subStatus": 0}
        old = {"raw_error_code": "invalid_grant", "oauth2_sub_error_code": "basic_action"}
        return {"status": status, "subStatus": 0, "errorCode": 0, "tag": 595719680, "context": context,
                "diagnostics": old if self.dialect == "early" else None}

    def token(self, request):
        if self.fault == "prompt" and not self.was_asked:
            return {"brokerTokenResponse": {"error": self.error(2, "Failed to authenticate user")}}
        if self.fault == "count":
            self.count += 1
            return {"brokerTokenResponse": {"error": self.error(self.count - 1, "As the test says.")}}
        if self.fault == "words":
            return {"brokerTokenResponse": {"error": self.error(2, "Something that nobody has seen yet")}}
        if self.fault and self.fault.isdigit():
            return {"brokerTokenResponse": {"error": self.error(int(self.fault), "As the test says.")}}
        parameters = request["authParameters"]
        now = int(time.time())
        account = parameters.get("account") or request.get("account")
        if account and account["homeAccountId"] != f"{UID}.{TENANT}":
            return {"brokerTokenResponse": {"error": self.error(19, "Invalid request for user!")}}
        claims = {"aud": parameters["clientId"], "oid": UID, "tid": TENANT, "preferred_username": USER, "name": "Megan",
                  "exp": now + 3600, "iat": now, "iss": f"https://login.microsoftonline.com/{TENANT}/v2.0", "sub": "s"}
        scopes = parameters["requestedScopes"] + ["openid", "profile"]
        himmelblau = self.dialect == "himmelblau"
        response = {
            "accessToken": f"{TOKEN}-{now}-{os.urandom(4).hex()}", "accessTokenType": 0, "account": self.account(),
            "idToken": f"{segment({'alg': 'RS256', 'typ': 'JWT'})}.{segment(claims)}.c2ln",
            "clientInfo": segment({"uid": UID, "utid": TENANT}), "expiresOn": (now + 3600) * 1000,
            "extendedExpiresOn": (now + 7200) * (1 if himmelblau else 1000),
            "grantedScopes": " ".join(scopes)}
        if self.dialect != "early":
            del response["account"]
        return {"brokerTokenResponse": response, "telemetry": {"broker_version": VERSIONS[self.dialect]}}

    def cookie(self, request):
        assert request["ssoUrl"], "a cookie needs an address"
        cookie = {"cookieName": "x-ms-RefreshTokenCredential", "cookieContent": COOKIE}
        return {"cookieItems": [cookie]} if self.dialect == "current" else {"account": request["account"], **cookie}

    def response(self, method, request):
        """The response's text; `None` for a method that this broker does not have."""
        if method in ("acquireTokenSilently", "acquireTokenInteractively"):
            return FAULTS[self.fault] if self.fault in FAULTS else json.dumps(self.token(request))
        if method == "getLinuxBrokerVersion":
            assert request["msalCppVersion"], "a version is mandatory"
            return json.dumps({"linuxBrokerVersion": VERSIONS[self.dialect]})
        if method == "getAccounts":
            assert request["clientId"] and request["redirectUri"], "client ID and redirect URI are mandatory"
            return json.dumps({"accounts": [self.account()]})
        if method == "acquirePrtSsoCookie":
            return json.dumps(self.cookie(request))
        if method == "removeAccount":
            return json.dumps({"error": self.error(0, "Not implemented")} if self.dialect == "himmelblau" else {})
        if method == "generateSignedHttpRequest" and self.dialect == "himmelblau":
            return json.dumps({"error": self.error(0, "Not implemented")})
        return None


def main():
    address, dialect, fault = (sys.argv[1:] + ["current", ""])[:3] if len(sys.argv) < 4 else sys.argv[1:4]
    if "FOREIGN_USER" in os.environ:
        os.setuid(int(os.environ["FOREIGN_USER"]))
    bus, broker = Bus(address), Broker(dialect, fault)
    print("ready", flush=True)
    while True:
        call = bus.receive()
        if call["kind"] != 1:
            continue
        print(call[3], flush=True)
        if (call.get(2), call[3]) == ("org.freedesktop.DBus.Peer", "Ping"):
            bus.send(2, [(5, "u", call["serial"]), (6, "s", call[7])])
            continue
        if (call.get(1), call.get(2)) != (PATH, INTERFACE) or call.get(8) != "sss":
            bus.refuse(call, "UnknownMethod")
            continue
        version, correlation, request = strings(call)
        assert version == "0.0" and correlation == correlation.lower(), "the first two arguments"
        if fault == "hang":
            continue
        if call[3] == "acquireTokenInteractively" and dialect == "himmelblau":
            if not json.loads(request)["authParameters"].get("account"):
                bus.refuse(call, "Failed", "Missing account username in request")
                continue
            broker.was_asked = True
        response = broker.response(call[3], json.loads(request))
        if response is None:
            bus.refuse(call, "Failed", "Not implemented")
        else:
            bus.respond(call, response)


if __name__ == "__main__":
    main()
