#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""A proxy of a server that becomes a black hole on demand.

usage: black_hole.py SOCKET SERVER

Both arguments are paths of Unix sockets. After `swallow` on standard input, it accepts connections and bytes, and returns nothing.
After `forward` it forwards new connections to the server again. It closes existing ones, because a response would no longer match
its query. It prints a line when it listens and after each command, and exits at the end of its input.
"""
import os
import selectors
import socket
import sys


class BlackHole:
    def __init__(self, own, server):
        self.server, self.swallows, self.others = server, False, {}
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(own)
        self.listener.listen(128)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ, self.accept)
        self.selector.register(0, selectors.EVENT_READ, self.obey)

    def run(self):
        print("listening", flush=True)
        while True:
            for key, _ in self.selector.select():
                # Handling an earlier event may have closed it.
                if key.fileobj in (0, self.listener) or key.fileobj in self.others:
                    key.data(key.fileobj)

    def accept(self, listener):
        client, _ = listener.accept()
        self.keep(client, None)
        if not self.swallows:
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.server)
            except OSError:
                server.close()
                self.cut(client)
                return
            self.keep(server, client)
            self.others[client] = server

    def keep(self, one, other):
        self.others[one] = other
        self.selector.register(one, selectors.EVENT_READ, self.forward)

    def forward(self, source):
        try:
            data = source.recv(65536)
            if data and not self.swallows:
                self.others[source].sendall(data)
        except OSError:
            data = b""
        if not data:
            self.cut(source)

    def cut(self, one):
        for side in (one, self.others.get(one)):
            if side is not None:
                self.others.pop(side, None)
                self.selector.unregister(side)
                side.close()

    def obey(self, _):
        words = os.read(0, 4096).decode().split()
        if not words:
            raise SystemExit
        for word in words:
            self.swallows = word == "swallow"
            if not self.swallows:
                for one in list(self.others):
                    if one in self.others:
                        self.cut(one)
            print("done", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    BlackHole(*sys.argv[1:]).run()
