# Licensed under the MIT License. See LICENSE.
"""The requests of a sign-in, its handling of errors, and the traces that it leaves."""
import http.client
import json
import re
import socket
import urllib.parse
from functools import partial

import made
import service
from wire import page

OID, TENANT = "9f4880d8-80ba-4c40-97bc-f7a23c703084", "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def user_agent(world):
    world.login()
    world.msal("token", "--refresh")
    world.msal("graph", "/me")
    world.msal("doctor")
    version = world.msal("version", "-o", "raw").out.strip()
    ours = [request for request in world.service.requests if request.headers.get("user-agent") != "foreign-browser"]
    assert {service.role_of(request) for request in ours} >= {"metadata", "token", "graph", "keys"}
    for request in ours:
        assert request.headers.get("user-agent") == f"msal-swift/{version}", str(request)


def routing(world):
    world.service.redirect = {"client_info": service.client_info(OID, TENANT)}
    world.login("--login-hint", "someone@contoso.example")
    assert world.service.seen("authorize")[0].query["X-AnchorMailbox"] == "UPN:someone@contoso.example"
    assert world.service.seen("token")[0].headers["x-anchormailbox"] == f"Oid:{OID}@{TENANT}"
    world.msal("token", "--refresh")
    assert world.service.seen("token")[1].headers["x-anchormailbox"] == f"Oid:{OID}@{TENANT}"


def routing_without_info(world):
    world.login("--login-hint", "someone@contoso.example")
    assert world.service.seen("token")[0].headers["x-anchormailbox"] == "UPN:someone@contoso.example"


def no_routing(world):
    world.login()
    assert "X-AnchorMailbox" not in world.service.seen("authorize")[0].query
    assert "x-anchormailbox" not in world.service.seen("token")[0].headers


def parameters(world):
    world.login("--scope", "User.Read", "--prompt", "select_account")
    query, token = world.service.seen("authorize")[0].query, world.service.seen("token")[0]
    assert set(query["scope"].split()) == {"User.Read", "openid", "profile", "offline_access"}
    assert query["response_type"] == "code" and query["client_info"] == "1" and query["prompt"] == "select_account"
    assert query["code_challenge_method"] == "S256" and len(query["code_challenge"]) == 43 and len(query["nonce"]) >= 43
    assert query["response_mode"] == "form_post" and query["redirect_uri"].startswith("http://localhost:")
    assert not [name for name in query if name.startswith("x-client-") or name.startswith("x-app-")], query
    assert token.headers["x-client-sku"] == "MSAL.Swift"
    assert token.form["redirect_uri"] == query["redirect_uri"] and token.form["client_info"] == "1"
    assert token.headers["content-type"].startswith("application/x-www-form-urlencoded")
    assert token.headers["client-request-id"] == query["client-request-id"]
    assert token.headers["x-ms-lib-capability"] == "retry-after, h429" and "cookie" not in token.headers


def query_mode(world):
    world.service.metadata = {"response_modes_supported": ["query", "fragment"]}
    world.login()
    assert world.service.seen("authorize")[0].query.get("response_mode", "query") == "query"


def fixed_port(world):
    port = free_port()
    world.login("--port", str(port))
    assert world.service.seen("authorize")[0].query["redirect_uri"] == f"http://localhost:{port}"
    assert world.service.seen("token")[0].form["redirect_uri"] == f"http://localhost:{port}"


def fixed_redirect(world):
    uri = f"http://127.0.0.1:{free_port()}/back"
    world.login("--redirect-uri", uri)
    assert world.service.seen("authorize")[0].query["redirect_uri"] == uri
    assert world.service.seen("token")[0].form["redirect_uri"] == uri


def redirect_of_profile(world):
    port = free_port()
    folder = world.folder / ".config" / "msal"
    folder.mkdir(parents=True)
    profile = f"default_profile: a\nprofiles:\n  a:\n    redirect_uri: http://localhost:{port}/there\n"
    (folder / "config.yaml").write_text(profile)
    world.login()
    assert world.service.seen("authorize")[0].query["redirect_uri"] == f"http://localhost:{port}/there"


def letter_case(world):
    client = "EEEEEEEE-2222-3333-4444-555555555555"
    world.login(MSAL_CLIENT_ID=client)
    assert world.service.seen("authorize")[0].query["client_id"] == client
    assert world.service.seen("token")[0].form["client_id"] == client
    file = world.folder / "export.json"
    assert world.msal("cache", "export", str(file), MSAL_CLIENT_ID=client).status == 0
    tokens = json.loads(file.read_text())["RefreshToken"].values()
    assert [token["client_id"] for token in tokens] == [client], "an exported record has different capitalization"
    assert world.msal("token", MSAL_CLIENT_ID=client.lower()).status == 0, "a lookup is case-sensitive"


def unregistered(world):
    """Constructed: the page that says AADSTS50011; the service never redirects from it."""
    world.service.always("authorize", page(made.description(50011, "The redirect URI does not match."), 400))
    outcome = world.msal("login", "--timeout", "2")
    uri = world.service.seen("authorize")[0].query["redirect_uri"]
    assert outcome.status == 130 and "AADSTS50011" in outcome.errors
    assert uri.rpartition(":")[0] in outcome.errors.replace(uri, "").replace(urllib.parse.quote(uri, safe=""), "")


def remedy(number, name, words, expected, world):
    world.service.always("token", made.error(name, number, words))
    error = world.refused_login()
    assert str(number) in str(error) and error["remedy"], error
    assert expected in error["remedy"], f"the remedy is: {error['remedy']}"
    assert "Sign in again" not in error["remedy"]


def remedy_by_redirect(number, name, words, expected, world):
    world.service.always("authorize", lambda request: service.refused(request.query, name, f"AADSTS{number}: {words}"))
    error = world.refused_login()
    assert error["remedy"] and expected in error["remedy"], f"the remedy is: {error['remedy']}"
    assert "Sign in again" not in error["remedy"]


def logout(world):
    world.login()
    outcome = world.msal("logout", "--browser")
    assert outcome.status == 0 and world.names() == [] and len(world.service.seen("logout")) == 1


def logout_without_return(world):
    world.login()
    world.service.always("logout", page("You signed out of your account"))
    outcome = world.msal("logout", "--browser", "--timeout", "2")
    assert outcome.status == 0 and world.names() == []
    assert "browser" in outcome.errors.lower()


def logout_by_default(world):
    world.login()
    world.service.always("logout", page("You signed out of your account"))
    # Ten seconds, not five minutes.
    assert world.msal("logout", "--browser", timeout=25).status == 0


def secret_start(world):
    world.login()
    given = re.search(r"started with (\S+)", world.browser_log.read_text())[1]
    query = world.service.seen("authorize")[0].query
    for name in ("state", "nonce", "code_challenge"):
        assert query[name] not in given, f"{name} is among the browser's arguments"
    assert given.startswith("http://localhost:")


def visited(world, visit):
    """Signs in while another program on this machine connects to the listener first."""
    def authorize(request):
        uri = urllib.parse.urlsplit(request.query["redirect_uri"])
        visit(http.client.HTTPConnection(uri.hostname, uri.port, timeout=10), request.query)
        return world.service.default(request)

    world.service.always("authorize", authorize)
    world.login()


def wrong_states(world):
    def visit(connection, _):
        for number in range(25):
            form = urllib.parse.urlencode({"code": "stolen", "state": f"wrong-{number}"})
            connection.request("POST", "/", form, {"Content-Type": "application/x-www-form-urlencoded"})
            answer = connection.getresponse()
            assert answer.status == 400 and b"cancel" not in answer.read().lower()

    visited(world, visit)


def strangers(world):
    def visit(connection, query):
        requests = [("GET", "/x"), ("GET", "/favicon.ico"), ("GET", "/?error=access_denied"), ("DELETE", "/"),
                    ("GET", "/cancel"), ("POST", "/x"), ("OPTIONS", "/"),
                    ("GET", f"/?code=stolen&state={query['state'][:-2]}")]
        for method, target in requests:
            connection.request(method, target)
            answer = connection.getresponse()
            assert answer.status >= 400 and b"cancel" not in answer.read().lower(), f"{method} {target}: {answer.status}"
            connection.close()

    visited(world, visit)


def another_host_name(world):
    def visit(connection, query):
        form = urllib.parse.urlencode({"code": "stolen", "state": query["state"]})
        connection.request("POST", "/", form, {
            "Host": "attacker.example", "Content-Type": "application/x-www-form-urlencoded"})
        assert connection.getresponse().status == 400

    visited(world, visit)


def mixed_up(world):
    world.service.redirect = {"iss": "https://attacker.example/v2.0"}
    error = world.refused_login()
    assert error["internal_code"] == -42600 and not world.service.seen("token"), "the code was redeemed"


def endpoint_elsewhere(member, address, world):
    world.service.metadata = {member: address}
    world.refused_login("--timeout", "3")
    assert not world.service.seen("token") and not world.browser_log.exists()


CASES = {
    "a sign-in sends what the service documents": parameters,
    "a service without form_post responds in the query": query_mode,
    "every request names the library and its version": user_agent,
    "a login hint and the redirect's client_info route the requests": routing,
    "without client_info the login hint routes the redemption": routing_without_info,
    "without a known user, no request is routed": no_routing,
    "--port fixes the port of the redirect": fixed_port,
    "--redirect-uri is sent unchanged": fixed_redirect,
    "a profile fixes the redirect, too": redirect_of_profile,
    "a client ID keeps its capitalization, and lookups ignore case": letter_case,
    "any number of wrong states does not end the sign-in": wrong_states,
    "other programs at the listener cannot end the sign-in and get no useful response": strangers,
    "a page that resolves its own name to this machine is rejected": another_host_name,
    "a redirect of another issuer is rejected before the code is redeemed": mixed_up,
    "a sign-in page without https is not opened": partial(
        endpoint_elsewhere, "authorization_endpoint", "http://login.microsoftonline.com/authorize"),
    "a sign-in page that is a file is not opened": partial(
        endpoint_elsewhere, "authorization_endpoint", "file:///etc/passwd"),
    "a sign-in page that is a program is not opened": partial(
        endpoint_elsewhere, "authorization_endpoint", "javascript:alert(1)"),
    "a token endpoint without https is rejected": partial(
        endpoint_elsewhere, "token_endpoint", "http://login.microsoftonline.com/token"),
    "the browser's arguments contain no secret of the sign-in": secret_start,
    "AADSTS50011 is explained on the terminal, with the redirect URI to register": unregistered,
    "700016 suggests to check the client ID and the tenant": partial(
        remedy, 700016, "unauthorized_client", "Application 'x' was not found in the directory.", "--client-id"),
    "700016 in a redirect suggests the same": partial(
        remedy_by_redirect, 700016, "unauthorized_client", "Application was not found in the directory.", "--client-id"),
    "90010 suggests to check the authority": partial(
        remedy, 90010, "invalid_request", "Not supported for this API version.", "--authority"),
    "53003 refers to the administrator": partial(
        remedy, 53003, "invalid_grant", "Access has been blocked by policies.", "administrator"),
    "53003 in a redirect refers to the administrator": partial(
        remedy_by_redirect, 53003, "access_denied", "Access has been blocked by policies.", "administrator"),
    "logout --browser ends the session of the service": logout,
    "logout --browser succeeds if the service does not redirect back": logout_without_return,
    "logout --browser waits ten seconds for the redirect by default": logout_by_default,
}
