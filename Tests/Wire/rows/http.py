# Licensed under the MIT License. See LICENSE.
"""Errors, sign-out, and transport."""

import re
import ssl
import socket
import urllib.parse

from client import SEC, T, WEB, body, said
from comparison import ERRORS, OIDC, row


@row("h01", "errors", "the members of an error", ERRORS + " (sample)")
def _(wire):
    return [
        "correlation_id",
        "error",
        "error_codes",
        "error_description",
        "error_uri",
        "timestamp",
        "trace_id",
    ], sorted(body(wire.cc(client_secret="x")))


@row("h02", "errors", "timestamp as 2016-01-09 02:02:12Z", ERRORS)
def _(wire):
    return True, bool(
        re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", body(wire.cc(client_secret="x")).get("timestamp", ""))
    )


@row("h03", "sign-out", "end_session_endpoint by GET and by POST", OIDC)
def _(wire):
    return [200, 200], [
        wire.get(f"/{T}/oauth2/v2.0/logout").status_code,
        wire.post(f"/{T}/oauth2/v2.0/logout", {}).status_code,
    ]


@row("h04", "sign-out", "post_logout_redirect_uri only if registered", OIDC)
def _(wire):
    return ["http://localhost", None], [
        (wire.get(f"/{T}/oauth2/v2.0/logout?post_logout_redirect_uri=" + u).headers.get("location") or "").rstrip("/")
        or None
        for u in ("http://localhost", "http://evil.example")
    ]


@row("h05", "transport", "HTTP/1.0 with Connection: keep-alive: kept and announced, or closed", "RFC 9112, 9.3")
def _(wire):
    u = urllib.parse.urlsplit(wire.base)
    with ssl.create_default_context(cafile=wire.kit.ca_file).wrap_socket(
        socket.create_connection((u.hostname, u.port), timeout=5), server_hostname=u.hostname
    ) as s:
        s.sendall(
            f"GET /{T}/v2.0/.well-known/openid-configuration HTTP/1.0\r\nHost: {u.netloc}\r\nConnection: keep-alive\r\n\r\n".encode()
        )
        data, closed = b"", False
        s.settimeout(2)
        try:
            while True:
                part = s.recv(65536)
                if not part:
                    closed = True
                    break
                data += part
        except (TimeoutError, socket.timeout):
            pass
    head = data.split(b"\r\n\r\n")[0].decode().lower()
    announced = "connection: keep-alive" in head
    return (
        True,
        (announced and not closed or closed and not announced) or f"closed={closed}, says keep-alive={announced}",
    )


def exchange(wire, request, until=b"\r\n\r\n"):
    """Sends bytes, and returns what comes back up to a text."""
    url = urllib.parse.urlsplit(wire.base)
    context = ssl.create_default_context(cafile=wire.kit.ca_file)
    with context.wrap_socket(
        socket.create_connection((url.hostname, url.port), timeout=5), server_hostname=url.hostname
    ) as connection:
        connection.sendall(request.replace("HOST", url.netloc).encode())
        data = b""
        while until not in data:
            part = connection.recv(65536)
            if not part:
                break
            data += part
        return data.decode(errors="replace")


FORM = "grant_type=no_such_grant&client_id=" + WEB + "&client_secret=" + SEC


@row("h06", "transport", "Expect: 100-continue is answered before the body", "RFC 9110, 10.1.1")
def _(wire):
    head = (
        f"POST /{T}/oauth2/v2.0/token HTTP/1.1\r\nHost: HOST\r\nContent-Length: {len(FORM)}\r\nExpect: 100-continue\r\n"
    )
    sent = exchange(wire, head + "Content-Type: application/x-www-form-urlencoded\r\n\r\n")
    return "HTTP/1.1 100 Continue", sent.split("\r\n")[0]


@row("h07", "transport", "a form in chunks", "RFC 9112, 7.1")
def _(wire):
    half = len(FORM) // 2
    chunks = "".join(f"{len(part):x}\r\n{part}\r\n" for part in (FORM[:half], FORM[half:], ""))
    head = f"POST /{T}/oauth2/v2.0/token HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n"
    sent = exchange(wire, head + "Content-Type: application/x-www-form-urlencoded\r\n\r\n" + chunks, until=b"70003")
    return True, "AADSTS70003" in sent


@row("h08", "transport", "a form with a charset in its content type", "RFC 9110, 8.3")
def _(wire):
    types = ("application/x-www-form-urlencoded; charset=utf-8", "Application/X-WWW-Form-URLEncoded;charset=ISO-8859-1")
    sent = [wire.post(f"/{T}/oauth2/v2.0/token", FORM, headers={"Content-Type": kind}) for kind in types]
    return ["unsupported_grant_type AADSTS70003"] * 2, [said(response) for response in sent]
