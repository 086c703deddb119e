# Licensed under the MIT License. See LICENSE.
"""An unmodified MCP client, with a person at its browser. It runs the steps that arrive on standard input, and prints each result.

usage: mcp_session.py mcp2|mcp1|fastmcp ADDRESS CA_FILE USER PASSWORD [document=URL] [client=ID,ISSUER]

`call NAME` calls a tool, `list` lists the tools, `expire` lets the access token expire at the client.
"""
import asyncio
import contextlib
import json
import logging
import pathlib
import ssl
import sys
import urllib.parse
import webbrowser

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from person import Person  # noqa: E402

REDIRECT = "http://localhost:9999/callback"
kind, address, ca_file, user, password = sys.argv[1:6]
options = dict(word.partition("=")[::2] for word in sys.argv[6:])
trust = ssl.create_default_context(cafile=ca_file)
person = Person(ca_file, user, password)
opened, received = [], {}


def parameters(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


class Keeper:
    """The storage of `mcp`."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def browse(url):
    """The person signs in. The redirect to the client is not opened."""
    opened.append(parameters(url))
    received.clear()
    received.update(parameters((await asyncio.to_thread(person.open, url, REDIRECT)).url))
    assert "code" in received, received


def keeper(information):
    kept = Keeper()
    if "client" in options:
        identifier, _, issuer = options["client"].partition(",")
        values = {"client_id": identifier, "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"}
        kept.client = information(**values, **({"issuer": issuer} if "issuer" in information.model_fields else {}))
    return kept


@contextlib.asynccontextmanager
async def mcp2():
    import httpx2
    from mcp import Client
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

    async def result():
        return AuthorizationCodeResult(code=received["code"], state=received["state"], iss=received.get("iss"))

    metadata = OAuthClientMetadata(client_name="mcp", redirect_uris=[REDIRECT], token_endpoint_auth_method="none",
                                   grant_types=["authorization_code", "refresh_token"])
    provider = OAuthClientProvider(address, metadata, keeper(OAuthClientInformationFull), browse, result,
                                   client_metadata_url=options.get("document"))
    async with httpx2.AsyncClient(auth=provider, verify=trust) as http:
        async with Client(streamable_http_client(address, http_client=http)) as session:
            yield session, provider


@contextlib.asynccontextmanager
async def mcp1():
    import httpx
    from mcp import ClientSession
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

    async def result():
        return received["code"], received["state"]

    metadata = OAuthClientMetadata(client_name="mcp 1", redirect_uris=[REDIRECT], token_endpoint_auth_method="none",
                                   grant_types=["authorization_code", "refresh_token"])
    provider = OAuthClientProvider(address, metadata, keeper(OAuthClientInformationFull), browse, result,
                                   client_metadata_url=options.get("document"))
    async with httpx.AsyncClient(auth=provider, verify=trust, timeout=60) as http:
        async with streamable_http_client(address, http_client=http) as streams:
            async with ClientSession(*streams[:2]) as session:
                await session.initialize()
                yield session, provider


@contextlib.asynccontextmanager
async def fastmcp():
    from fastmcp import Client
    from fastmcp.client.auth import OAuth

    own = webbrowser.open

    def observed(url, *arguments):
        opened.append(parameters(url))
        return own(url, *arguments)

    webbrowser.open = observed
    identifier, _, issuer = options.get("client", "").partition(",")
    known = {"client_id": identifier, "issuer": issuer} if identifier else {}
    provider = OAuth(callback_port=9999, client_name="fastmcp", client_metadata_url=options.get("document"), **known)
    async with Client(address, auth=provider) as session:
        yield session, provider


def plain(value):
    """The text of a tool's result."""
    assert not (getattr(value, "is_error", False) or getattr(value, "isError", False)), value
    return value.content[0].text


async def main():
    logging.disable(logging.CRITICAL)
    async with {"mcp2": mcp2, "mcp1": mcp1, "fastmcp": fastmcp}[kind]() as (session, provider):
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            step, _, word = line.partition(" ")
            result = None
            match step:
                case "call":
                    result = plain(await session.call_tool(word, {"text": "Buy milk"} if word == "add_note" else {}))
                case "list":
                    listed = await session.list_tools()
                    result = [tool.name for tool in getattr(listed, "tools", listed)]
                case "expire":
                    provider.context.token_expiry_time = 1
            tokens, client = provider.context.current_tokens, provider.context.client_info
            print(json.dumps({"result": result, "opened": opened, "token": tokens and tokens.access_token,
                              "refresh": tokens and tokens.refresh_token, "client": client and client.client_id}), flush=True)


asyncio.run(main())
