# Licensed under the MIT License. See LICENSE.
"""The clients of mcp_client.py through the authorization adapter of two instances, which get each client's requests in turn."""
import contextlib
import http.client
import http.server
import itertools
import threading

from bench import check, free_port
from cases import mcp_client


def run(bench):
    port, ports = free_port(), [free_port() for _ in range(2)]
    address = f"http://127.0.0.1:{port}/mcp"
    with mcp_client.clients(bench) as programs, mcp_client.directory(bench, address) as place:
        settings = mcp_client.adapter_settings(place)
        with contextlib.ExitStack() as stack:
            for each in ports:
                stack.enter_context(mcp_client.tool_server(place, address, port=each, **settings))
            counts = stack.enter_context(in_turn(port, ports))
            mcp_client.through_adapter(place, address, programs)
            check(min(counts.values()) > 10, f"both instances were used: {sorted(counts.values())} requests")


@contextlib.contextmanager
def in_turn(port, ports):
    """A reverse proxy; yields the number of requests to each port."""
    turn, counts = itertools.cycle(ports), dict.fromkeys(ports, 0)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def relay(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            target = next(turn)
            counts[target] += 1
            connection = http.client.HTTPConnection("127.0.0.1", target, timeout=60)
            connection.request(self.command, self.path, body, dict(self.headers.items()))
            answer = connection.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            if answer.status != 204:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            connection.close()

        do_GET = do_POST = do_DELETE = do_OPTIONS = relay

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield counts
    finally:
        server.shutdown()
        server.server_close()
