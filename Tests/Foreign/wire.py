# Licensed under the MIT License. See LICENSE.
"""An HTTPS server that sends exactly what it is told, byte by byte if needed."""
import base64
import dataclasses
import json
import socket
import ssl
import threading
import time
import urllib.parse


@dataclasses.dataclass
class Request:
    """A client's request. Header names are in lowercase; of repeated parameters the last one counts."""

    method: str
    host: str
    target: str
    headers: dict
    body: bytes

    @property
    def path(self):
        return urllib.parse.urlsplit(self.target).path

    @property
    def query(self):
        return parameters(urllib.parse.urlsplit(self.target).query)

    @property
    def form(self):
        return parameters(self.body.decode())

    def __str__(self):
        body = f" [{self.body.decode(errors='replace')}]" if self.body else ""
        return f"{self.method} https://{self.host}{self.target}{body}"


def parameters(text):
    return dict(urllib.parse.parse_qsl(text, keep_blank_values=True))


@dataclasses.dataclass
class Answer:
    """A server's response. `status` is written literally, so it may be invalid; `before` is sent first and separately, like early
    hints; `head` replaces status line and headers; the connection is cut after `cut` bytes if that is a number, and is closed
    properly if the response `closes` it."""

    status: object = 200
    body: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)
    before: bytes = b""
    head: bytes = None
    cut: int = None
    closes: bool = False

    def bytes(self):
        headers = {"Content-Length": len(self.body), "Cache-Control": "no-store", **self.headers}
        lines = [f"HTTP/1.1 {self.status} Foreign", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        whole = (self.head if self.head is not None else "\r\n".join(lines).encode()) + self.body
        return whole if self.cut is None else whole[:self.cut]


def as_json(value, status=200, **more):
    more["headers"] = {"Content-Type": "application/json; charset=utf-8", **more.get("headers", {})}
    return Answer(status, json.dumps(value).encode(), **more)


def basic(request):
    """The user name and the password of a request."""
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    return tuple(base64.b64decode(text).decode().split(":", 1)) if scheme.lower() == "basic" else None


def page(text, status=200):
    html = f"<!DOCTYPE html><html><head><title>{text}</title></head><body><p>{text}</p></body></html>"
    return Answer(status, html.encode(), {"Content-Type": "text/html; charset=utf-8"})


def redirect(url, status=302):
    return Answer(status, b"", {"Location": url})


class Server:
    """Serves all hosts on one port. `respond` returns an `Answer` to a `Request`; `contexts` determines the certificate of a host,
    `default` that of all others. Connections stay open until the client closes them."""

    def __init__(self, default, port=443):
        self.default, self.respond, self.contexts = default, None, {}
        self.listener = socket.create_server(("127.0.0.1", port), backlog=64)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.settimeout(60)
        # The contexts are chosen by name, before the handshake continues.
        self.default.sni_callback = lambda secure, name, _: self.choose(secure, name)
        try:
            with self.default.wrap_socket(connection, server_side=True) as secure:
                stream = secure.makefile("rb")
                while (request := read(stream)) is not None:
                    answer = self.respond(request)
                    if answer.before:
                        secure.sendall(answer.before)
                        time.sleep(0.05)  # So that the client reads it separately.
                    secure.sendall(answer.bytes())
                    if answer.closes:
                        secure.unwrap()
                    if answer.closes or answer.cut is not None:
                        return
        except (OSError, ssl.SSLError, ValueError):
            connection.close()  # The client rejected the certificate; the case checks that.

    def choose(self, secure, name):
        # An IP address has no server name, so only the default certificate can be shown.
        secure.context = self.contexts.get(name, self.default)


def read(stream):
    """The next request of a connection; `None` at its end."""
    line = stream.readline().decode("latin-1").split()
    if len(line) != 3:
        return None
    headers = {}
    while (text := stream.readline().decode("latin-1").rstrip("\r\n")):
        name, _, value = text.partition(":")
        # A repeated header is a list (RFC 9110 §5.3).
        headers[name.lower()] = ", ".join([*filter(None, [headers.get(name.lower())]), value.strip()])
    chunked = headers.get("transfer-encoding", "").lower() == "chunked"
    body = b"".join(chunks(stream)) if chunked else stream.read(int(headers.get("content-length", 0)))
    return Request(line[0], headers.get("host", ""), line[1], headers, body)


def chunks(stream):
    """The chunks of a body of unknown length (RFC 9112 §7.1)."""
    while length := int(stream.readline().partition(b";")[0], 16):
        yield stream.read(length)
        stream.readline()
    while stream.readline().strip():
        pass  # Trailer fields are ignored.
