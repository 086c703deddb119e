#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""A socket that leads to a server, and becomes a black hole when it is told to.

usage: black_hole.py SOCKET SERVER

Both are paths of Unix sockets. After `swallow` on the standard input it still takes connections and bytes, and nothing comes back.
After `forward` it leads to the server again. It cuts the connections of the time before: what it has swallowed never comes, so that
an answer would meet another question. It prints a line when it listens and after each command, and ends with its input.
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
                # An earlier one of these may have closed it.
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
