# Licensed under the MIT License. See LICENSE.
"""Runs Examples/OrdersGRPC with an emulator, and calls it with PyPI's grpcio and valid and invalid tokens, and with its client.

usage: grpc_orders.py BUILD_FOLDER FOLDER_OF_THE_EXAMPLE
"""
import base64
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import grpc

from harness import PASSWORD, TENANT, USER, Emulator, check, free_port

ORDERS, OTHER, REPORT, APP = (f"99999999-0000-4000-8000-0000000000e{number}" for number in range(4))
API = f"api://{ORDERS}"
SECRET = "Emulator-secret-1"
DIRECTORY = {
    "tenants": [{"id": TENANT, "domain": "contoso.example", "displayName": "Contoso"}],
    "users": [{"userPrincipalName": USER, "displayName": "Megan Bowen", "password": PASSWORD}],
    "applications": [
        {"clientId": APP, "displayName": "App", "type": "public", "redirectUris": ["http://localhost"]},
        {"clientId": REPORT, "displayName": "Report", "type": "api", "secrets": [SECRET],
         "grantedRoles": {API: ["Orders.Read.All"]}},
        {"clientId": OTHER, "displayName": "Other", "type": "api", "secrets": [SECRET]},
    ],
    "apis": [
        {"clientId": ORDERS, "displayName": "Orders", "identifierUris": [API], "scopes": ["Orders.Read", "Orders.Write"],
         "appRoles": ["Orders.Read.All"], "accessTokenAcceptedVersion": 2, "optionalClaims": ["idtyp"]},
        {"clientId": OTHER, "displayName": "Other", "identifierUris": [f"api://{OTHER}"], "scopes": ["Orders.Read"],
         "accessTokenAcceptedVersion": 2},
    ],
}
UNAUTHENTICATED, DENIED = grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED


class Client:
    """The methods, with messages in JSON. Each call passes the value of `authorization`."""

    def __init__(self, port):
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        coders = {"request_serializer": lambda value: json.dumps(value).encode(), "response_deserializer": json.loads}
        self.streamed = self.channel.unary_stream("/contoso.Orders/List", **coders)
        self.single = self.channel.unary_unary("/contoso.Orders/Add", **coders)
        self.unknown = self.channel.unary_unary("/contoso.Orders/Forget", **coders)

    def orders(self, *values):
        return list(self.streamed({}, metadata=[("authorization", value) for value in values], timeout=20))

    def add(self, amount, *values):
        return self.single({"amount": amount}, metadata=[("authorization", value) for value in values], timeout=20)


def refusal(call):
    """The status, the challenges and the text of a failed call."""
    try:
        call()
    except grpc.RpcError as error:
        challenges = [value for name, value in error.trailing_metadata() or () if name == "www-authenticate"]
        return error.code(), challenges, error.details()
    raise SystemExit("FAILED: the call succeeded")


@contextlib.contextmanager
def service(programs, emulator, port):
    log = emulator.folder / "OrdersGRPC.log"
    with open(log, "wb") as output:
        process = subprocess.Popen([str(programs / "OrdersGRPC")], stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, env=environment(emulator, port))
    try:
        client = Client(port)
        grpc.channel_ready_future(client.channel).result(timeout=30)
        yield client
    except BaseException:
        print(log.read_text(errors="replace")[-3000:])
        raise
    finally:
        process.terminate()
        process.wait(timeout=10)
    text = log.read_text(errors="replace")
    found = [word for word in ("eyJ", SECRET, USER, "Megan") if word in text]
    check(not found, f"the service's log has no token, no secret and no name {found or ''}".strip())


def environment(emulator, port, **variables):
    return {**os.environ, "ORDERS_TENANT_ID": TENANT, "ORDERS_CLIENT_ID": ORDERS, "ORDERS_PORT": str(port),
            "ORDERS_AUTHORITY_HOST": emulator.base.removeprefix("https://"), "ORDERS_CA_FILE": emulator.ca_file, **variables}


def good(client, bearer):
    reader, writer = bearer("Orders.Read"), bearer("Orders.Write")
    check(client.orders(reader) == [], "a user with the scope reads no orders yet")
    added = [client.add(amount, writer) for amount in (3, 4)]
    check(client.orders(reader) == added and added[0]["amount"] == 3,
          "orders are added by a user with the other scope, and streamed to the same user")
    check(client.orders(bearer(application=REPORT)) == added, "an application with the role reads all orders")


def bad(client, bearer):
    reader, writer = bearer("Orders.Read"), bearer("Orders.Write")
    plain = (UNAUTHENTICATED, ["Bearer"], "The call needs a valid access token.")
    for name, values in (("no token", ()), ("another scheme", ("Basic YTpi",))):
        check(refusal(lambda: client.orders(*values)) == plain, f"{name}: UNAUTHENTICATED, with the bare challenge")
    invalid = (UNAUTHENTICATED, ['Bearer error="invalid_token"'], plain[2])
    for name, value in (
            ("no JWT", "Bearer a.b.c"), ("another signature", reader[:-8] + "AAAAAAAA"),
            ("a token for another API", bearer("Orders.Read", api=f"api://{OTHER}")),
            ("an expired token", bearer("Orders.Read", expires=-3600))):
        check(refusal(lambda: client.orders(value)) == invalid, f"{name}: UNAUTHENTICATED with invalid_token, and the same text")
    twice = refusal(lambda: client.orders(reader, reader))
    check(twice == (UNAUTHENTICATED, ['Bearer error="invalid_request"'], plain[2]), "two tokens: invalid_request")
    denied = (DENIED, ['Bearer error="insufficient_scope"'], "The caller lacks permission.")
    check(refusal(lambda: client.add(1, reader)) == denied, "without the scope: PERMISSION_DENIED with insufficient_scope")
    check(refusal(lambda: client.add(1, bearer(application=REPORT))) == (DENIED, [], denied[2]),
          "an application where a user is required: PERMISSION_DENIED")
    check(refusal(lambda: client.orders(bearer(application=OTHER)))[0] == DENIED, "an application without a role: PERMISSION_DENIED")
    code, challenges, _ = refusal(lambda: client.add(2000, bearer("Orders.Write", set={"xms_cc": ["cp1"]})))
    claims = json.loads(base64.b64decode(challenges[0].partition('claims="')[2].rstrip('"')))
    check(code == UNAUTHENTICATED and claims["access_token"]["acrs"]["value"] == "c1",
          "a large order: UNAUTHENTICATED, with the claims for the client")
    check(refusal(lambda: client.add(2000, writer))[:2] == (DENIED, []), "a client without challenges: PERMISSION_DENIED")
    check(client.add(2000, bearer("Orders.Write", set={"acrs": ["c1"]}))["amount"] == 2000, "with the authentication context it succeeds")
    check(refusal(lambda: client.unknown({}, timeout=20))[0] == grpc.StatusCode.UNIMPLEMENTED, "other methods do not exist")


def own_client(programs, emulator, port):
    def run(secret):
        variables = {"REPORT_TENANT_ID": TENANT, "REPORT_CLIENT_ID": REPORT, "REPORT_CLIENT_SECRET": secret}
        return subprocess.run([str(programs / "OrdersReport")], env=environment(emulator, port, **variables), timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    done = run(SECRET)
    check((done.returncode, done.stdout) == (0, "3 orders of 2007 together\n"),
          f"the client's interceptor adds the application's token {done.stderr}".strip())
    failed = run("another")
    check(failed.returncode == 1 and "AADSTS7000215" in failed.stderr and "eyJ" not in failed.stderr,
          f"without a token the call fails with the service's error {'' if failed.returncode else failed.stdout}".strip())


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    build, programs = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "directory.json").write_text(json.dumps(DIRECTORY))
        emulator = Emulator(build, folder, options=["--seed", folder / "directory.json"])
        try:
            emulator.wait()

            def bearer(scope=None, application=APP, **body):
                about = {"user": USER, "scopes": [scope]} if scope else {}
                token = emulator.steer("POST", "/tokens", {"api": API, "application": application, **about, **body})
                return f"Bearer {token['access_token']}"

            port = free_port()
            with service(programs, emulator, port) as client:
                good(client, bearer)
                bad(client, bearer)
                own_client(programs, emulator, port)
                # The tokens and the keys are in memory.
                reader = bearer("Orders.Read")
                client.orders(reader)
                emulator.stop()
                check(len(client.orders(reader)) == 3, "while the authority is down, calls succeed")
        finally:
            emulator.stop()


main()
