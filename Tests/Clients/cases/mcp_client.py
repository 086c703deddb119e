# Licensed under the MIT License. See LICENSE.
"""The client of the package `mcp` with Examples/ToolServer: it finds the metadata, signs a user in, and requests more scopes when a
tool needs them."""
import asyncio
import contextlib
import logging
import os
import ssl
import subprocess
import urllib.parse

import httpx2
import requests
from mcp import Client
from mcp.client.auth import OAuthClientProvider, OAuthRegistrationError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

from bench import OWN_ID, TENANT, await_answer, check, claims_of, free_port

SERVER_ID = "99999999-0000-4000-8000-0000000000b1"
# An API with the App ID URI that the portal suggests.
OTHER_ID = "99999999-0000-4000-8000-0000000000b2"
REDIRECT = "http://localhost:9999/callback"


def run(bench):
    address = f"http://127.0.0.1:{free_port()}/mcp"
    api = {"clientId": SERVER_ID, "identifierUris": [address], "displayName": "Notes",
           "scopes": ["Notes.Read", "Notes.Write"], "accessTokenAcceptedVersion": 2}
    other = {**api, "clientId": OTHER_ID, "identifierUris": [f"api://{OTHER_ID}"]}
    # These failures are expected.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    with bench.with_application([api, other], type="public", redirectUris=[REDIRECT]) as place:
        with tool_server(place, address):
            challenges(address)
            asyncio.run(tools(place, address))
            asyncio.run(no_registration(place, address))
        with tool_server(place, address, TOOLS_CLIENT_ID=OTHER_ID, TOOLS_APP_ID_URI=f"api://{OTHER_ID}"):
            asyncio.run(other_resource(place, address))


@contextlib.contextmanager
def tool_server(place, address, **variables):
    log = place.folder / "tool-server.log"
    with open(log, "ab") as output:
        process = subprocess.Popen(
            [str(place.build / "ToolServer")], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            env={**os.environ, "TOOLS_TENANT_ID": TENANT, "TOOLS_CLIENT_ID": SERVER_ID, "TOOLS_ADDRESS": address,
                 "TOOLS_AUTHORITY_HOST": place.base.removeprefix("https://"), "TOOLS_CA_FILE": place.ca_file, **variables})
        try:
            await_answer(address.removesuffix("/mcp"), process, log)
            yield
        finally:
            process.terminate()
            process.wait(timeout=10)


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
    check(document["resource"] == address and f"{address}/Notes.Read" in document["scopes_supported"],
          "the metadata contain the resource, and scopes in the service's format")


class Keeper:
    """The client's storage."""

    def __init__(self, client):
        self.tokens, self.client = None, client

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


class SignIns:
    """A person at a browser for the client, and the requests to it."""

    def __init__(self, place):
        self.person, self.asked = place.person(), []

    async def open(self, url):
        self.asked.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query)))
        answer = await asyncio.to_thread(self.person.open, url, REDIRECT)
        self.answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.url).query))
        assert "code" in self.answer, self.answer

    async def result(self):
        return AuthorizationCodeResult(code=self.answer["code"], state=self.answer["state"])


@contextlib.asynccontextmanager
async def client(place, address, sign_ins, scope=None, registered=True):
    metadata = OAuthClientMetadata(client_name="A client", redirect_uris=[REDIRECT], scope=scope,
                                   token_endpoint_auth_method="none")
    known = OAuthClientInformationFull(client_id=OWN_ID, redirect_uris=[REDIRECT], token_endpoint_auth_method="none",
                                       issuer=f"{place.authority}/v2.0")
    keeper = Keeper(known if registered else None)
    provider = OAuthClientProvider(address, metadata, keeper, sign_ins.open, sign_ins.result)
    trust = ssl.create_default_context(cafile=place.ca_file)
    async with httpx2.AsyncClient(auth=provider, verify=trust) as http:
        async with Client(streamable_http_client(address, http_client=http)) as session:
            yield session, keeper


async def tools(place, address):
    sign_ins = SignIns(place)
    async with client(place, address, sign_ins) as (session, keeper):
        names = [tool.name for tool in (await session.list_tools()).tools]
        check(names == ["read_notes", "add_note"] and len(sign_ins.asked) == 1,
              "mcp finds the authority in the metadata, and signs a user in with a registered client")
        first = sign_ins.asked[0]
        check(first["resource"] == address and f"{address}/Notes.Read" in first["scope"].split()
              and "Notes.Write" not in first["scope"], "it sends the resource, and the full scope of the challenge")
        claims = claims_of(keeper.tokens.access_token)
        check((claims["aud"], claims["scp"]) == (SERVER_ID, "Notes.Read"), "the token is for the server")
        check(not (await session.call_tool("read_notes", {})).is_error and len(sign_ins.asked) == 1, "it calls a tool")

        refused = requests.post(address, timeout=10, headers={"Authorization": f"Bearer {keeper.tokens.access_token}"}, json={
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add_note", "arguments": {"text": "x"}}})
        challenge = refused.headers["WWW-Authenticate"]
        check(refused.status_code == 403 and 'error="insufficient_scope"' in challenge
              and f'scope="{address}/Notes.Write"' in challenge and "resource_metadata=" in challenge,
              "another tool needs another scope: 403, and the challenge names it")
        added = await session.call_tool("add_note", {"text": "Buy milk"})
        check(not added.is_error and len(sign_ins.asked) == 2, "mcp requests it, and calls again")
        check({"Notes.Read", "Notes.Write"} <= set(claims_of(keeper.tokens.access_token)["scp"].split()),
              "the next token has both scopes")
        read = await session.call_tool("read_notes", {})
        check(read.content[0].text == "Buy milk" and len(sign_ins.asked) == 2, "the note has been added")


async def no_registration(place, address):
    failure = await failure_of(place, address, SignIns(place), registered=False)
    check(isinstance(failure, OAuthRegistrationError), "a client without a registration cannot register")
    answer = requests.post(f"{place.authority}/oauth2/v2.0/register", json={"redirect_uris": [REDIRECT]},
                           verify=place.ca_file, timeout=10)
    check(answer.status_code == 404 and "Register the application beforehand" in answer.json()["error_description"],
          "the authority's error says what to do instead")


async def other_resource(place, address):
    sign_ins = SignIns(place)
    await failure_of(place, address, sign_ins)
    check(sign_ins.answer.get("error") == "invalid_target" and "AADSTS9010010" in sign_ins.answer["error_description"],
          "an App ID URI that is not the address: AADSTS9010010")


async def failure_of(place, address, sign_ins, **options):
    """The innermost error of a session that does not begin."""
    try:
        async with client(place, address, sign_ins, **options) as (session, _):
            await session.list_tools()
    except BaseException as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return error
    raise AssertionError("the session began")
