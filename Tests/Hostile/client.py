# Licensed under the MIT License. See LICENSE.
"""A client that sends raw bytes, and reads the response with a time limit."""
import socket
import ssl
import time

PATIENCE = 10


class Hang(Exception):
    """Neither a response nor the end of the connection arrived."""


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name):
        return self.headers.get(name, "")


class Connection:
    """One TLS connection, or a plain one without a CA. It is reopened when the server has closed it."""

    patience = PATIENCE

    def __init__(self, port, ca_file, host="127.0.0.1"):
        self.address, self.context = (host, port), ca_file and ssl.create_default_context(cafile=ca_file)
        self.socket, self.rest = None, b""

    def open(self):
        raw = socket.create_connection(self.address, PATIENCE)
        self.socket, self.rest = self.context.wrap_socket(raw, server_hostname="localhost") if self.context else raw, b""
        return self

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def exchange(self, request, head=False):
        """The response, or None if the server closed the connection without one."""
        fresh = self.socket is None
        if fresh:
            self.open()
        try:
            self.send(request)
            response = self.read(head)
        except (ConnectionError, ssl.SSLError, BrokenPipeError):
            response = None
        if response is None:
            self.close()
            # The server may have closed a reused connection.
            return None if fresh else self.exchange(request, head)
        if response.header("connection").lower() == "close":
            self.close()
        return response

    def send(self, request):
        try:
            self.socket.sendall(request)
        except (ConnectionError, ssl.SSLError):
            pass  # The server may respond before it has read everything.

    def read(self, head=False):
        deadline = time.monotonic() + self.patience
        while b"\r\n\r\n" not in self.rest:
            if not self.more(deadline):
                return None
        start, self.rest = self.rest.split(b"\r\n\r\n", 1)
        lines = start.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        status, length = int(lines[0].split()[1]), int(headers.get("content-length", 0))
        if status == 100:  # The response follows.
            return self.read(head)
        if head or status in (204, 304):
            length = 0
        while len(self.rest) < length:
            if not self.more(deadline):
                return None
        body, self.rest = self.rest[:length], self.rest[length:]
        return Response(status, headers, body)

    def more(self, deadline):
        """Reads more. False at the end of the connection."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise Hang()
        self.socket.settimeout(left)
        try:
            part = self.socket.recv(65536)
        except TimeoutError:
            raise Hang()
        except (ConnectionError, ssl.SSLError):
            return False
        self.rest += part
        return bool(part)

    def is_closed_within(self, seconds):
        """Whether the server closes the connection in this time."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if not self.socket.recv(65536):
                    return True
            except TimeoutError:
                return False
            except (ConnectionError, ssl.SSLError, OSError):
                return True
        return False
