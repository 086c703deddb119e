#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Attacks the emulator with malformed and hostile requests to every address, and with clients that never finish.

usage: hostile.py BUILD [--seconds N] [--seed TEXT]

No response may be a 5xx or missing, and each error must give a reason: an AADSTS body for programs, a page without the
attacker's markup for people. No redirect may lead to an address that is not registered. Afterwards the process must be alive,
with no more descriptors and memory than before, and exit although clients stay connected. A failure includes the number of the
request; the same seed generates the same requests.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))
import harness  # noqa: E402
import endpoints  # noqa: E402
import malice  # noqa: E402
from client import PATIENCE, Connection, Hang  # noqa: E402

THREADS = 4
# The time limits of ConnectionTimeouts, plus what TLS and a busy machine need to close a connection.
FIRST_HEAD, BODY, NEXT_HEAD, SLACK = 20, 30, 120, 10
# How long `POST /expect` of the control API waits if the body specifies no time.
EXPECT = 10
GROWTH = 32 << 20
failures = []


def fail(text):
    failures.append(text)
    if len(failures) <= 20:
        print("FAILED", text, flush=True)


def managed_port(emulator):
    """The plain port of managed identities; the next one has TLS."""
    return int(emulator.process.args[emulator.process.args.index("--managed-identity-port") + 1])


def two_ports():
    """A free port whose successor is free."""
    while True:
        port = harness.free_port()
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port + 1))
                return port
            except (OSError, OverflowError):
                continue


def hostile_options(folder):
    """Everything that can be enabled."""
    return ["--issuers", "--managed-identity", "--managed-identity-port", two_ports(), "--arc-keys", pathlib.Path(folder) / "arc"]


class Target:
    """The process under attack."""

    def __init__(self, emulator):
        self.emulator, self.id = emulator, emulator.process.pid
        self.host = f"localhost:{emulator.port}"
        self.control = int(emulator.control.rsplit(":", 1)[1])
        self.managed = managed_port(emulator)

    def connection(self, port=None):
        return Connection(port or self.emulator.port, self.emulator.ca_file)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.id}/fd"))

    def memory(self):
        status = pathlib.Path(f"/proc/{self.id}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) << 10

    def processor(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.id}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def name_of(response):
    """The category in a summary: the status, or that the parser rejected the request."""
    if response is None:
        return "none"
    return str(response.status) + ("" if response.body or response.status != 400 else " by the parser")


def check(response, request, what, isHead):
    """The problem with a response; None if there is none."""
    if response is None:
        return "the connection was closed without a response"
    if response.status >= 500:
        return f"status {response.status}: {response.body[:300]}"
    location = response.header("location")
    if location and (parts := urllib.parse.urlsplit(location)).netloc:
        if parts.scheme in ("http", "https") and parts.hostname not in ("localhost", "127.0.0.1"):
            return f"it redirects to {location[:200]}"
    if location.startswith("//") or "y" in response.headers or "x=y" in response.header("set-cookie"):
        return f"the request injected a header field: {response.headers}"
    if b"Emulator-secret-1" in response.body:
        return "the body contains a secret"
    kind = response.header("content-type")
    if kind.startswith("text/html"):
        if malice.MARK.encode() in response.body or b"<svg onload" in response.body:
            return "the page contains the attacker's markup"
        return None
    if response.status < 400 or isHead:
        return None
    if response.status == 400 and response.header("connection") == "close" and not response.body:
        return None  # The parser rejected it: it is not HTTP, or has an unregistered method.
    try:
        body = json.loads(response.body)
    except ValueError:
        return f"status {response.status} with a body that is neither JSON nor a page: {response.body[:200]}"
    if what == "managed":
        return None if body.get("error") or body.get("message") else f"no error in {body}"
    if b"/issuers/" in request[:60].lower() and body.get("message"):
        return None
    if what == "control":
        return None if body.get("error") else f"no error in {body}"
    if isinstance(body.get("error"), dict):
        return None if body["error"].get("code") else f"no code in {body}"
    if response.header("www-authenticate").startswith(("Bearer realm=\"todos\"", "PoP realm=\"todos\"")) or b"/api" in request[:60].lower():
        return None if body.get("error") else f"no error in {body}"
    if body.get("error") == "InsufficientAuthorization" and body.get("continuation_token"):
        return None  # The next step of native authentication V2, not an error.
    if not (body.get("error") and body.get("error_codes") and str(body.get("error_description")).startswith("AADSTS")):
        return f"status {response.status} without an AADSTS body: {response.body[:300]}"
    return None


def attack_platform(target, seconds, seed):
    """Sends hostile requests for a time; returns their number by status."""
    paths, counts, lock, end = endpoints.platform(), collections.Counter(), threading.Lock(), time.monotonic() + seconds

    def work(number):
        connection, index = target.connection(), number
        while time.monotonic() < end and len(failures) < 20:
            rng = random.Random(f"{seed} {index}")
            path = paths[(index // THREADS) % len(paths)]
            request, isHead = malice.request(path, rng, target.host)
            try:
                response = connection.exchange(request, isHead)
                problem = check(response, request, "platform", isHead)
            except Hang:
                connection.close()
                response, problem = None, "neither response nor end"
            except Exception as error:  # The server has ended, or does not write HTTP.
                response, problem = None, repr(error)
            with lock:
                counts[name_of(response)] += 1
            if problem:
                fail(f"request {index} to {path}: {problem}\n    {request[:400]!r}")
            index += THREADS
        connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return counts


def attack_control(target, rounds, seed):
    token, connection, counts = target.emulator.control_token(), target.connection(target.control), collections.Counter()
    connection.patience = EXPECT + PATIENCE
    host = f"localhost:{target.control}"
    for index in range(rounds):
        rng = random.Random(f"{seed} control {index}")
        for method, path in endpoints.control():
            if path in ("/reset", "/keys") and index % 20:
                continue
            authorization = rng.choice([f"Bearer {token}"] * 6 + [f"bearer {token}", "Bearer x", f"Bearer {token}x", None])
            if method == "GET" or rng.random() < .1:
                path += "?" + malice.encoded({"after": "0", "limit": "5", "status": "200", "pathSuffix": "/x"}, rng).decode("latin-1")
                path = "".join(each if " " < each < "\x7f" else "%00" for each in path)
            body = malice.bodies(rng)
            head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
            head += f"Authorization: {authorization}\r\n" if authorization else "Content-Type: application/x-www-form-urlencoded\r\n"
            request = head.encode() + b"\r\n" + body
            try:
                response = connection.exchange(request)
                problem = check(response, request, "control", False)
            except (Hang, ValueError) as error:
                connection.close()
                response, problem = None, f"neither response nor end: {error!r}"
            counts[name_of(response)] += 1
            if problem:
                fail(f"control request {index} {method} {path}: {problem}\n    {request[:400]!r}")
    connection.close()
    target.emulator.reset()
    return counts


def attack_managed(target, rounds, seed):
    """The ports of managed identities: plain HTTP, and TLS on the next port."""
    counts = collections.Counter()
    for port, ca_file in [(target.managed, None), (target.managed + 1, target.emulator.ca_file)]:
        connection = Connection(port, ca_file)
        for index in range(rounds):
            for path in endpoints.managed():
                rng = random.Random(f"{seed} managed {port - target.managed} {index} {path}")
                request, isHead = malice.request(path, rng, f"localhost:{port}")
                if rng.random() < .7:
                    request = request.replace(b"\r\nHost:", b"\r\nMetadata: true\r\nHost:", 1)
                try:
                    response = connection.exchange(request, isHead)
                    problem = check(response, request, "managed", isHead)
                except (Hang, ValueError) as error:
                    connection.close()
                    response, problem = None, f"neither response nor end: {error!r}"
                counts[name_of(response)] += 1
                if problem:
                    fail(f"request {index} to {path} at port {port}: {problem}\n    {request[:400]!r}")
        connection.close()
    return counts


def attack_protocol(target):
    """Anything that is not HTTP gets a 4xx or the end of the connection."""
    for port in (target.emulator.port, target.control, target.managed):
        for name, bytes_ in malice.RAW_REQUESTS.items():
            connection = Connection(port, None if port == target.managed else target.emulator.ca_file).open()
            connection.send(bytes_.replace(b"{host}", f"localhost:{port}".encode()))
            try:
                response = connection.read()
                if response and response.status >= 500:
                    fail(f"{name}: status {response.status}")
            except Hang:
                fail(f"{name}: neither response nor end")
            connection.close()
        if port == target.managed:
            continue
        plain = socket.create_connection(("127.0.0.1", port), 10)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        plain.settimeout(10)
        try:
            while plain.recv(4096):
                pass
        except (ConnectionError, TimeoutError) as error:
            if isinstance(error, TimeoutError):
                fail("a client without TLS gets neither a response nor the end of the connection")
        plain.close()


def unfinished(target, idle):
    """Clients that stop in the middle: name, connection, and the seconds after which the server must close it."""
    host = target.host.encode()
    token = b"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 100\r\n\r\n"
    yield "no handshake", Plain(target.emulator.port), FIRST_HEAD
    yield "half a handshake", Plain(target.emulator.port, b"\x16\x03\x01\x02\x00\x01\x00"), FIRST_HEAD
    yield "no request", target.connection().open(), FIRST_HEAD
    for name, part, seconds in [("half a head", b"GET / HTTP/1.1\r\nHo", FIRST_HEAD), ("half a line", b"GET /\r\n", FIRST_HEAD), ("half a body", token + b"grant", BODY)]:
        connection = target.connection().open()
        connection.send(part)
        yield name, connection, seconds
    connection = target.connection().open()
    connection.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1_200_000 + b"\r\n\r\n")
    yield "nothing after a head that is too large", connection, 3
    if idle:
        connection = target.connection().open()
        connection.exchange(b"GET /health HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
        yield "no further request", connection, NEXT_HEAD


class Plain(Connection):
    """A TCP connection without TLS."""

    def __init__(self, port, part=b""):
        self.socket, self.rest = socket.create_connection(("127.0.0.1", port), 10), b""
        self.socket.sendall(part)


def settled(read, expected, seconds=10):
    """Waits until a number is as expected; returns the last one."""
    deadline = time.monotonic() + seconds
    while (value := read()) > expected and time.monotonic() < deadline:
        time.sleep(0.05)
    return value


def warm_up(target, seed):
    """Fills what is bounded, such as the journal, so that any later growth is unbounded growth.

    The control API waits once, because the process keeps one descriptor for all its timers.
    """
    connection, body = target.connection(), b"&".join(b"p%d=" % number + b"v" * 700 for number in range(85))
    head = f"POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: {target.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    for _ in range(300):
        connection.exchange(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    connection.close()
    connection, wait = target.connection(target.control), b'{"correlationId": "nobody", "seconds": 1}'
    head = f"POST /expect HTTP/1.1\r\nHost: localhost:{target.control}\r\nAuthorization: Bearer {target.emulator.control_token()}\r\n"
    connection.exchange(f"{head}Content-Length: {len(wait)}\r\n\r\n".encode() + wait)
    connection.close()
    attack_platform(target, 4, f"{seed} warm")


def end(target):
    """SIGTERM ends the process although clients stay connected. Returns the seconds, which are two at most on an idle machine."""
    stay = [connection for _, connection, _ in unfinished(target, idle=True)]
    begin = time.monotonic()
    target.emulator.process.terminate()
    try:
        status = target.emulator.process.wait(timeout=20)
        if status != 0:
            fail(f"SIGTERM ended it with status {status}")
    except subprocess.TimeoutExpired:
        fail("SIGTERM did not end it")
    for connection in stay:
        connection.close()
    return time.monotonic() - begin


def crowd(build):
    """More clients than descriptors: the others wait, the processor is idle, and afterwards the server works."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, limits[1]))
    with tempfile.TemporaryDirectory() as folder:
        try:
            wrapper = pathlib.Path(folder) / "entra-emulator"
            wrapper.write_text(f'#!/bin/sh\nulimit -Hn 64\nexec "{build / "entra-emulator"}" "$@"\n')
            wrapper.chmod(0o700)
            emulator = harness.Emulator(pathlib.Path(folder), folder, options=hostile_options(folder))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        try:
            emulator.wait()
            target = Target(emulator)
            clients = [socket.create_connection(("127.0.0.1", emulator.port), 10) for _ in range(100)]
            time.sleep(0.5)
            before = target.processor()
            time.sleep(1)
            used = target.processor() - before
            if used > 0.3:
                fail(f"without descriptors it used the processor for {used:.2f} s in a second")
            for client in clients:
                client.close()
            response = target.connection().exchange(f"GET /health HTTP/1.1\r\nHost: {target.host}\r\n\r\n".encode())
            if response is None or response.status != 200:
                fail("it does not respond after it had run out of descriptors")
        finally:
            emulator.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--seconds", type=int, default=18, help="how long the addresses are attacked")
    parser.add_argument("--seed", default=None, help="repeats the requests of an earlier run")
    arguments = parser.parse_args()
    seed, begin = arguments.seed or str(random.SystemRandom().randrange(10**9)), time.monotonic()
    print(f"seed {seed}, {len(endpoints.platform())} addresses, {len(endpoints.managed())} of managed identities and {len(endpoints.control())} of the control API", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        emulator = harness.Emulator(arguments.build, folder, options=hostile_options(folder))
        try:
            emulator.wait()
            target = Target(emulator)
            warm_up(target, seed)
            descriptors, memory = settled(target.descriptors, 0, 2), target.memory()
            opened = time.monotonic()
            waiting = list(unfinished(target, idle=arguments.seconds > NEXT_HEAD))
            counts = attack_platform(target, arguments.seconds, seed)
            control = attack_control(target, 8 if arguments.seconds < 60 else 200, seed)
            managed = attack_managed(target, 10 if arguments.seconds < 60 else 200, seed)
            attack_protocol(target)
            crowd(arguments.build)
            for name, connection, seconds in waiting:
                if not connection.is_closed_within(max(0.1, opened + seconds + SLACK - time.monotonic())):
                    fail(f"a client with {name} is still connected after {seconds + SLACK} s")
                connection.close()
            if emulator.process.poll() is not None:
                fail(f"the process ended with status {emulator.process.returncode}\n{emulator.output()}")
            else:
                left, grown = settled(target.descriptors, descriptors), target.memory() - memory
                if left > descriptors:
                    fail(f"it has {left} descriptors, and had {descriptors}")
                if grown > GROWTH:
                    fail(f"it grew by {grown >> 20} MiB from {memory >> 20} MiB")
                print(f"{sum(counts.values())} requests {dict(sorted(counts.items()))}, control {dict(sorted(control.items()))}, managed identities {dict(sorted(managed.items()))}, "
                      f"descriptors {descriptors} -> {left}, memory {memory >> 20} MiB {grown / 2**20:+.1f}")
                print(f"SIGTERM: {end(target):.1f} s")
        finally:
            emulator.stop()
    print(f"{len(failures)} failures, {time.monotonic() - begin:.0f} s")
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
