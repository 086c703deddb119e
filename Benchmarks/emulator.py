#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Measures a release build of the emulator over its sockets.

usage: Benchmarks/emulator.py EMULATOR SIGNER [--most N]

SIGNER is the program Benchmarks: `Benchmarks signing` prints the RSA-2048 signatures per second of the emulator's crypto library
on one core. Each line of the output is a JSON object: a row with its value, unit, and target, or the title of a group. Where a
row compares the emulator with one core, the emulator runs on the first core and this program on the others.
"""
import base64
import contextlib
import hashlib
import json
import os
import pathlib
import re
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

TENANT = "11111111-1111-1111-1111-111111111111"
CLIENT = "00000000-0000-4000-8000-000000000001"
REDIRECT = "http://localhost:5000"
USER, PASSWORD = "user-0@contoso.example", "Pa55-word!"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
GRAPH = "https://graph.microsoft.com"
FULL, BARE = "User.Read openid profile offline_access", "User.Read"
CORES = sorted(os.sched_getaffinity(0))


def say(**row):
    print(json.dumps(row), flush=True)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Emulator:
    """A process of the emulator."""

    def __init__(self, program, folder, seed=None, core=None):
        with socket.socket() as probe, socket.socket() as other:
            for free in (probe, other):
                free.bind(("127.0.0.1", 0))
            self.port, self.control = (free.getsockname()[1] for free in (probe, other))
        self.folder = folder
        self.log = folder / "emulator.log"
        words = [program, "--port", str(self.port), "--control-port", str(self.control), "--state", str(folder / "state")]
        words += ["--seed", str(seed)] if seed else []
        words = ["taskset", "-c", str(core), *words] if core is not None else words
        self.began = time.perf_counter()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def __enter__(self):
        deadline = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError):
                with contextlib.closing(Connection(self)) as connection:
                    assert connection.send(self.request("GET", f"/{TENANT}/v2.0/.well-known/openid-configuration")).status == 200
                self.seconds = time.perf_counter() - self.began
                return self
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the emulator does not respond:\n{self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.001)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def memory(self):
        """Resident bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def processor(self):
        """The processor time of all its threads so far, in seconds."""
        total = 0
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # A thread may end.
                total += int((thread / "schedstat").read_text().split()[0])
        return total / 1e9

    def request(self, method, path, form=None, **headers):
        body = urllib.parse.urlencode(form).encode() if form is not None else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if form is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def steering(self, method, path, body=None):
        """A request to the control API."""
        token = (self.folder / "state" / "control-token").read_text().strip()
        text = json.dumps(body).encode() if body is not None else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.control}", f"Authorization: Bearer {token}",
                 "Content-Type: application/json", f"Content-Length: {len(text)}"]
        return "\r\n".join([*lines, "", ""]).encode() + text

    def refresh(self, token, scope):
        form = {"grant_type": "refresh_token", "client_id": CLIENT, "refresh_token": token, "scope": scope}
        return self.request("POST", f"/{TENANT}/oauth2/v2.0/token", form)

    def me(self, token):
        return self.request("GET", "/v1.0/me", Authorization=f"Bearer {token}")

    def sign_in(self, user=USER):
        """Signs a user in through the pages, and returns the tokens."""
        connection, cookies = Connection(self), {}
        challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
        query = urllib.parse.urlencode({
            "client_id": CLIENT, "response_type": "code", "redirect_uri": REDIRECT, "scope": FULL,
            "code_challenge": challenge, "code_challenge_method": "S256",
        })
        replies = {
            "Sign in": {"login": user, "action": "next"}, "Enter password": {"passwd": PASSWORD, "action": "signin"},
            "Stay signed in?": {"action": "no"}, "Permissions requested": {"action": "accept"},
        }

        def visit(method, path, form=None):
            jar = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())} if cookies else {}
            response = connection.send(self.request(method, path, form, **jar))
            cookies.update(re.findall(r"set-cookie: ([^=]+)=([^;]*)", response.head, re.I))
            return response

        response = visit("GET", f"/{TENANT}/oauth2/v2.0/authorize?{query}")
        while response.status == 200:
            page = response.body.decode()
            form = dict(re.findall('<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
            heading = re.search("<h1>(.*?)</h1>", page)[1]
            response = visit("POST", re.search('action="([^"]+)"', page)[1], {**form, **replies[heading]})
        code = urllib.parse.unquote(re.search(r"[?&]code=([^&\s]+)", response.head)[1])
        form = {"grant_type": "authorization_code", "client_id": CLIENT, "code": code, "redirect_uri": REDIRECT,
                "code_verifier": VERIFIER}
        return json.loads(connection.send(self.request("POST", f"/{TENANT}/oauth2/v2.0/token", form)).body)


class Response:
    def __init__(self, head, body):
        self.status, self.head, self.body = int(head[9:12]), head, body


class Connection:
    """A persistent TLS connection. An HTTP library would take longer than the emulator."""

    def __init__(self, emulator, port=None):
        context = ssl.create_default_context(cafile=emulator.folder / "state" / "ca.pem")
        plain = socket.create_connection(("127.0.0.1", port or emulator.port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(plain, server_hostname="localhost")

    def send(self, request):
        self.socket.sendall(request)
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.receive()
        head = data[:end].decode()
        length = int(re.search(r"content-length: (\d+)", head, re.I)[1])
        while len(data) < end + 4 + length:
            data += self.receive()
        return Response(head, data[end + 4:])

    def receive(self):
        data = self.socket.recv(65_536)
        if not data:
            raise OSError("the emulator closed the connection")
        return data

    def close(self):
        self.socket.close()


def load(emulator, requests, connections, count=None, seconds=None, rate=None, port=None):
    """Sends requests in turn over several connections, and returns the time of each in seconds.

    Without a rate, each connection sends the next request after the last response. With a rate, each request has a scheduled time,
    from which it is measured, even if earlier responses are late, so that a slow emulator does not reduce the load.
    """
    times, faults, number, begin = [], [], iter(range(count or sys.maxsize)), time.perf_counter() + 0.05
    lock = threading.Lock()

    def run():
        connection = Connection(emulator, port)
        while True:
            with lock:
                index = next(number, None)
            due = begin + index / rate if rate and index is not None else time.perf_counter()
            if index is None or seconds and due > begin + seconds:
                return
            if (wait := due - time.perf_counter()) > 0:
                time.sleep(wait)
            response = connection.send(requests[index % len(requests)])
            times.append(time.perf_counter() - due)
            if response.status not in (200, 201):
                faults.append(response.body)
                return

    threads = [threading.Thread(target=run) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise SystemExit(f"a request failed: {faults[0][:300]}")
    return times


def seed(folder, users):
    """Writes a directory file with `users` users."""
    path = folder / f"users-{users}.json"
    people = [
        {"tenant": "contoso.example", "userPrincipalName": f"user-{number}@contoso.example",
         "displayName": f"User {number}", "id": f"aaaaaaaa-0000-4000-9000-{number:012}"}
        for number in range(users)
    ]
    path.write_text(json.dumps({
        "tenants": [{"id": TENANT, "domain": "contoso.example", "displayName": "Contoso"}],
        "defaultPassword": PASSWORD, "users": people,
        "applications": [{"clientId": CLIENT, "displayName": "Benchmark", "redirectUris": ["http://localhost"]}],
    }))
    return path


class Benchmark:
    def __init__(self, program, signer, most):
        self.program, self.signer, self.most = program, signer, most

    def run(self, folder):
        self.folder = folder
        self.starts()
        self.signatures()
        self.directory()
        self.users()
        self.growth()

    def emulator(self, users=None, core=None):
        return Emulator(self.program, self.folder, users, core)

    def starts(self):
        say(title="Emulator: start")
        seconds, sizes = [], []
        for _ in range(11):
            with self.emulator() as emulator:
                seconds.append(emulator.seconds)
                sizes.append(emulator.memory())
        sign_ins = []
        for _ in range(11):
            # The default directory lacks the client and the user, so these starts have a directory file.
            with self.emulator(seed(self.folder, 10)) as emulator:
                begin = time.perf_counter()
                emulator.sign_in()
                sign_ins.append(time.perf_counter() - begin)
        say(row="very first start, from exec to the first response", value=1e6 * seconds[0], unit="microseconds")
        say(row="start, from exec to the first response", value=1e6 * statistics.median(seconds[1:]),
            unit="microseconds", target=40_000)
        say(row="first sign-in after the start", value=1e6 * statistics.median(sign_ins), unit="microseconds")
        say(row="memory after the first response", value=statistics.median(sizes), unit="bytes", target=45 * 1024 * 1024)
        many = seed(self.folder, min(10_000, self.most))
        with self.emulator(many) as emulator:
            importing = emulator.seconds - statistics.median(seconds[1:])
            say(row="import of users", accounts=min(10_000, self.most), value=1e6 * importing, unit="microseconds",
                target=2_000_000)

    def signing_rate(self):
        words = ["taskset", "-c", str(CORES[0]), self.signer, "signing"]
        return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    def signatures(self):
        """Rows relative to the cost of a signature. They take turns with it, so that machine load affects all equally."""
        say(title="Emulator: tokens")
        os.sched_setaffinity(0, CORES[1:] or CORES)
        with self.emulator(seed(self.folder, 10), core=CORES[0]) as emulator:
            tokens = emulator.sign_in()
            one = emulator.refresh(tokens["refresh_token"], BARE)
            two = emulator.refresh(tokens["refresh_token"], FULL)
            load(emulator, [one], 4, count=500)
            minted = emulator.steering("POST", "/tokens", {"user": USER, "application": CLIENT, "api": GRAPH})
            rates, shares, ratios, crowded, doubles, mints = [], [], [], [], [], []
            for _ in range(5):
                rate = self.signing_rate()
                before, begin = emulator.processor(), time.perf_counter()
                times = load(emulator, [one], 4, seconds=2)
                rates.append(len(times) / (time.perf_counter() - begin))
                shares.append(len(times) / (emulator.processor() - before) / rate)
                ratios.append(rates[-1] / rate)
                begin = time.perf_counter()
                doubles.append(len(load(emulator, [two], 4, seconds=2)) / (time.perf_counter() - begin) / rate)
                begin = time.perf_counter()
                count = len(load(emulator, [minted], 4, seconds=2, port=emulator.control))
                mints.append(count / (time.perf_counter() - begin) / rate)
                crowd = load(emulator, [two], 16, seconds=2)
                crowded.append(percentile(crowd, 0.99) / (16 * 2 / rate))
            say(row="refreshes per second with one signature, one core", value=statistics.median(rates), unit="ratio")
            say(row="refreshes with one signature, relative to the crypto library's rate", value=statistics.median(ratios), unit="ratio",
                limit=f"{rate:.0f} signatures/s", target=0.56, floor=True)
            say(row="refreshes with two signatures, relative to the crypto library's rate", value=statistics.median(doubles), unit="ratio",
                target=0.33, floor=True)
            say(row="POST /tokens, relative to the crypto library's rate", value=statistics.median(mints), unit="ratio", target=0.5,
                floor=True)
            say(row="refreshes with one signature, relative to the crypto library's rate, by CPU time", value=statistics.median(shares), unit="ratio")
            say(row="16 connections: 99th percentile, relative to 16 x 2 signatures", value=statistics.median(crowded),
                unit="ratio", target=3)
        os.sched_setaffinity(0, CORES)
        with self.emulator(seed(self.folder, 10)) as emulator:
            tokens = emulator.sign_in()
            one = emulator.refresh(tokens["refresh_token"], FULL)
            load(emulator, [one], 4, count=200)
            times = load(emulator, [one], 8, seconds=15, rate=200)
            say(row="200 refreshes per second: median", value=1e6 * statistics.median(times),
                unit="microseconds")
            say(row="200 refreshes per second: 99th percentile", value=1e6 * percentile(times, 0.99), unit="microseconds", target=5000)

    def directory(self):
        """What tests do with the emulator: sign-ins, policies, groups, snapshots, and lists of Microsoft Graph."""
        say(title="Emulator: policies and directory")
        with self.emulator(seed(self.folder, 10)) as emulator:
            rates = [self.sign_ins(emulator, count=100) for _ in range(5)]
            say(row="sign-ins per second through the pages", value=statistics.median(rates), unit="ratio", target=100, floor=True)
            times = [self.steer(emulator, "POST", "/groups", {"displayName": f"Group {number}", "tenant": TENANT})
                     for number in range(200)]
            say(row="POST /groups", value=1e6 * statistics.median(times), unit="microseconds", target=2_000)
        self.policies()
        for accounts, target in ((None, 5_000), (min(10_000, self.most), 100_000)):
            with self.emulator(seed(self.folder, accounts) if accounts else None) as emulator:
                taken = [self.steer(emulator, "POST", "/snapshots/a", {}) + self.steer(emulator, "PUT", "/snapshots/a", {})
                         for _ in range(5)]
                say(row="snapshot and restore", accounts=accounts, value=1e6 * statistics.median(taken), unit="microseconds",
                    target=target)
                if accounts:
                    token = self.minted(emulator)
                    path = "/v1.0/users?$filter=startsWith(displayName,'User%2099')"
                    request = emulator.request("GET", path, Authorization=f"Bearer {token}")
                    load(emulator, [request], 1, count=20)
                    say(row="/users?$filter=startsWith(…)", accounts=accounts, unit="microseconds", target=10_000,
                        value=1e6 * statistics.median(load(emulator, [request], 1, count=100)))

    def policies(self):
        """Two emulators take turns, one of them with 50 policies, so that machine load affects both equally."""
        with self.emulator(seed(self.folder, 10)) as without, self.emulator(seed(self.folder, 10)) as ruled:
            for number in range(50):
                policy = {"name": f"Policy {number}", "apps": [GRAPH], "users": [USER], "grant": ["mfa"], "mode": "reportOnly"}
                self.steer(ruled, "POST", "/policies", policy)
            turns = [(emulator, [emulator.refresh(emulator.sign_in()["refresh_token"], BARE)]) for emulator in (without, ruled)]
            for emulator, request in turns:
                load(emulator, request, 2, count=500)
            costs = [[self.cost(emulator, request) for emulator, request in turns] for _ in range(15)]
            less, more = (min(column) for column in zip(*costs))
            say(row="50 policies, addition to a refresh", value=1e6 * max(0, more - less),
                unit="microseconds", target=50)

    def steer(self, emulator, method, path, body):
        """Sends a request to the control API over a connection that was used before. Returns its time in seconds."""
        with contextlib.closing(Connection(emulator, emulator.control)) as connection:
            connection.send(emulator.steering("GET", "/clock"))
            begin = time.perf_counter()
            response = connection.send(emulator.steering(method, path, body))
            seconds = time.perf_counter() - begin
        if response.status >= 300:
            raise SystemExit(f"{method} {path} failed: {response.status} {response.body[:300]}")
        return seconds

    def minted(self, emulator):
        with contextlib.closing(Connection(emulator, emulator.control)) as connection:
            body = {"user": USER, "application": CLIENT, "api": GRAPH, "scopes": ["User.Read.All"]}
            return json.loads(connection.send(emulator.steering("POST", "/tokens", body)).body)["access_token"]

    def sign_ins(self, emulator, count):
        """Sign-ins per second of four concurrent users, each with a separate browser session."""
        numbers, begin = iter(range(count)), time.perf_counter()
        lock = threading.Lock()

        def run():
            while True:
                with lock:
                    if next(numbers, None) is None:
                        return
                emulator.sign_in()

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return count / (time.perf_counter() - begin)

    def cost(self, emulator, requests):
        """The processor time of a request."""
        before = emulator.processor()
        load(emulator, requests, 2, count=400)
        return (emulator.processor() - before) / 400

    def users(self):
        say(title="Emulator: number of users, processor time of a request")
        costs = {}
        sizes = [10, min(100_000, self.most)]
        with contextlib.ExitStack() as stack:
            running = {}
            for size in sizes:
                emulator = stack.enter_context(self.emulator(seed(self.folder, size)))
                tokens = emulator.sign_in(f"user-{size - 1}@contoso.example")
                running[size] = (emulator, {
                    "/me": emulator.me(tokens["access_token"]),
                    "a refresh": emulator.refresh(tokens["refresh_token"], BARE),
                })
            for name in ("/me", "a refresh"):
                for size, (emulator, requests) in running.items():
                    load(emulator, [requests[name]], 2, count=500)
                for _ in range(7):
                    for size, (emulator, requests) in running.items():
                        costs.setdefault((name, size), []).append(self.cost(emulator, [requests[name]]))
                few, many = (min(costs[name, size]) for size in sizes)
                say(row=name, accounts=sizes[0], value=1e6 * few, unit="microseconds")
                say(row=name, accounts=sizes[1], value=1e6 * many, unit="microseconds")
                say(row=f"{name}, relative to ten users", accounts=sizes[1], value=many / few, unit="ratio",
                    target=1.2)

    def growth(self):
        """The first requests fill the journal and the store up to their limits. Later requests must not add memory."""
        say(title="Emulator: memory")
        first, rest = min(50_000, self.most), self.most
        with self.emulator(seed(self.folder, 10)) as emulator:
            tokens, start = emulator.sign_in(), emulator.memory()
            load(emulator, [emulator.refresh(tokens["refresh_token"], BARE)], 4, count=first)
            say(row=f"growth over the first {first} tokens", value=max(0, emulator.memory() - start), unit="bytes",
                target=40 * 1024 * 1024)
            requests = [
                emulator.refresh(tokens["refresh_token"], FULL), emulator.me(tokens["access_token"]),
                emulator.request("GET", f"/{TENANT}/discovery/v2.0/keys"),
                emulator.refresh(tokens["refresh_token"], BARE),
            ]
            load(emulator, requests, 4, count=first)
            before = emulator.memory()
            load(emulator, requests, 4, count=rest)
            after = emulator.memory()
            say(row=f"after {first} requests", value=before, unit="bytes")
            say(row=f"growth over {rest} more", value=max(0, after - before), unit="bytes", target=before / 50)


def main(arguments):
    most = 100_000
    if "--most" in arguments:
        index = arguments.index("--most")
        most = int(arguments[index + 1])
        del arguments[index:index + 2]
    with tempfile.TemporaryDirectory() as folder:
        Benchmark(arguments[0], arguments[1], most).run(pathlib.Path(folder))


main(sys.argv[1:])
