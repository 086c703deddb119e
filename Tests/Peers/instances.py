# Licensed under the MIT License. See LICENSE.
"""Three instances of the example web application over one store, behind a proxy that changes the instance with every request.
Simulated browsers sign in only once, while instances and the store are killed at random moments and start again.

usage: instances.py BUILD_FOLDER WEB_APP [--store valkey|postgres] [--minutes 2 | --hours 24] [--browsers 12] [--rate 4] [--seed 1]

WEB_APP is the example, built with SHARED_CACHE_DRIVER=valkey or =postgres. The store is redis-server, or the program that
MSAL_VALKEY_SERVER names, or PostgreSQL, whose programs are in the folder MSAL_POSTGRES_PROGRAMS. It writes each change to its disk
before it responds, so that what it has confirmed exists after it is killed. A session is lost if its browser is asked to sign in
again. The first instance is never killed: its memory must not grow, and neither must the store. At the end, a dump of the store must
contain nothing about the users, and its names must have nothing in common with those under another secret.
"""
import argparse
import base64
import collections
import html.parser
import http.client
import http.server
import os
import pathlib
import random
import signal
import re
import shutil
import socket
import ssl
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse

from harness import PASSWORD, TENANT, check, free_port, running_emulator

SERVICE = "00000000-0000-4000-8000-000000000010"
# An access token with this lifetime is used for one minute: it counts as expired five minutes before it expires.
TOKEN_LIFE = 360
COUNT = 3


class ValkeyStore:
    """redis-server on a socket in a folder."""

    def __init__(self, folder):
        self.folder, self.kills = folder, 0
        self.socket = folder / "socket"
        self.address = f"valkey://{self.socket}"
        self.start()

    def start(self):
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [os.environ.get("MSAL_VALKEY_SERVER") or "redis-server", "--port", "0", "--unixsocket", "socket", "--save", "",
             "--appendonly", "yes", "--appendfsync", "always", "--rdbcompression", "no"],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def ask(self, *words):
        return subprocess.check_output(["redis-cli", "-s", str(self.socket), *words], text=True, timeout=10)

    def size(self):
        """The number of its keys and its memory use in bytes."""
        memory = next(line for line in self.ask("INFO", "memory").splitlines() if line.startswith("used_memory:"))
        return int(self.ask("DBSIZE")), int(memory.partition(":")[2])

    def partitions(self):
        """The hash tags of its keys."""
        return set(re.findall(r"\{(.+?)\}", self.ask("KEYS", "*")))

    def dump(self):
        """All keys, and the serialized value of each."""
        keys = self.ask("KEYS", "*").splitlines()
        dumps = [subprocess.check_output(["redis-cli", "-s", str(self.socket), "DUMP", key], timeout=10) for key in keys]
        return b"\n".join([key.encode() for key in keys] + dumps)


class PostgresStore:
    """PostgreSQL on a socket in a folder. It refuses to run as root, so root runs it as the user that the distribution has created for it."""

    programs = pathlib.Path(os.environ.get("MSAL_POSTGRES_PROGRAMS") or "/usr/lib/postgresql/15/bin")

    def __init__(self, folder):
        self.folder, self.kills = folder, 0
        self.address = f"postgres://{folder}"
        self.owner = []
        if os.getuid() == 0:
            subprocess.check_call(["chown", "postgres", str(folder)])
            self.owner = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        subprocess.check_call(
            [*self.owner, self.programs / "initdb", "--pgdata", folder / "data", "--username", "postgres", "--auth", "trust", "--no-sync",
             "--encoding", "UTF8", "--locale", "C"], stdout=subprocess.DEVNULL)
        self.start()

    def start(self):
        """Returns when the server accepts connections. It refuses to start while processes of a killed server exist."""
        deadline = time.monotonic() + 60
        log = self.folder / "log"
        while True:
            with open(log, "wb") as output:
                self.process = subprocess.Popen(
                    [*self.owner, self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c", "listen_addresses="],
                    stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            while self.process.poll() is None:
                if b"ready to accept" in log.read_bytes():
                    return
                time.sleep(0.05)
            check_quietly(time.monotonic() < deadline, f"PostgreSQL does not start:\n{log.read_text()}")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def ask(self, statement):
        return subprocess.check_output(
            ["psql", "-h", self.folder, "-U", "postgres", "-d", "postgres", "-Atqc", statement], text=True, timeout=10)

    def size(self):
        """The number of rows that have not expired, and the bytes of the table without dead rows that are not reused. A server
        counts its dead rows, and vacuums when there are enough. A killed server forgets the number, and starts again at zero."""
        self.ask("VACUUM msal_token")
        return (int(self.ask("SELECT count(*) FROM msal_token WHERE expires_at > clock_timestamp()")),
                int(self.ask("SELECT pg_total_relation_size('msal_token')")))

    def partitions(self):
        return set(self.ask("SELECT DISTINCT partition FROM msal_token").split())

    def dump(self):
        """The whole database, and the values once more as raw bytes."""
        text = subprocess.check_output([self.programs / "pg_dump", "-h", self.folder, "-U", "postgres", "postgres"], timeout=60)
        values = self.ask("SELECT encode(value, 'hex') FROM msal_token").split()
        return b"\n".join([text, *(bytes.fromhex(value) for value in values)])


STORES = {"valkey": ValkeyStore, "postgres": PostgresStore}


class Instance:
    """The example as a separate program."""

    def __init__(self, program, folder, environment):
        self.program, self.port, self.kills = program, free_port(), 0
        self.log = folder / f"instance-{self.port}.log"
        # A crash report takes minutes on a busy machine, in which the process is alive but does not respond.
        self.environment = {**environment, "PORT": str(self.port), "SWIFT_BACKTRACE": "enable=no"}
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([str(self.program)], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT, env=self.environment)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def size(self):
        """Its memory use in kilobytes and the number of its open files."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(memory.split()[1]), len(os.listdir(f"/proc/{self.process.pid}/fd"))


class Proxy(http.server.ThreadingHTTPServer):
    """Passes each request to the next instance. It skips an instance that accepts no connections, as any load balancer does."""

    daemon_threads = True

    def __init__(self, instances):
        super().__init__(("127.0.0.1", 0), Forwarding)
        self.instances, self.turn, self.lock = instances, 0, threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def next(self):
        with self.lock:
            self.turn += 1
            return self.instances[self.turn % len(self.instances)]


class Forwarding(http.server.BaseHTTPRequestHandler):
    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        for _ in range(COUNT):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.server.next().port, timeout=60)
                connection.connect()
                break
            except ConnectionRefusedError:
                continue
        else:
            return self.send_error(503)
        try:
            connection.request(self.command, self.path, body, dict(self.headers))
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            # The instance was killed while it was processing the request.
            return self.send_error(502)
        finally:
            connection.close()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection", "transfer-encoding", "date", "server"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = forward

    def log_message(self, *_):
        pass


class Form(html.parser.HTMLParser):
    """The first form of a page: its action, and its fields."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields, self.buttons = None, {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes.get("action", "")
        elif tag == "input" and attributes.get("name") and attributes.get("type") not in ("submit", "checkbox"):
            self.fields.setdefault(attributes["name"], attributes.get("value", ""))
        elif (tag == "button" or attributes.get("type") == "submit") and attributes.get("name"):
            self.buttons.append((attributes["name"], attributes.get("value", "")))


class Browser:
    """A headless browser. It keeps cookies for each host, follows redirects, and fills in the forms of the sign-in."""

    def __init__(self, base, proxy_port, ca_file, user):
        self.base, self.proxy_port, self.user = base, proxy_port, user
        self.context = ssl.create_default_context(cafile=ca_file)
        self.cookies = collections.defaultdict(dict)

    def request(self, url, form=None):
        """One request, and its redirects."""
        for _ in range(20):
            parts = urllib.parse.urlsplit(url)
            if url.startswith(self.base):
                # TLS ends at the proxy, which this browser reaches without TLS.
                connection = http.client.HTTPConnection("127.0.0.1", self.proxy_port, timeout=90)
            else:
                connection = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=90, context=self.context)
            cookies = self.cookies[parts.netloc]
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "Host": parts.netloc,
                       "Accept": "text/html"}
            body = None
            if form is not None:
                body = urllib.parse.urlencode(form)
                headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{parts.netloc}"}
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET" if form is None else "POST", path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            for line in answer.headers.get_all("Set-Cookie") or []:
                name, _, value = line.partition(";")[0].partition("=")
                cookies[name] = value
            connection.close()
            if answer.status not in (301, 302, 303):
                return answer.status, url, text
            url, form = urllib.parse.urljoin(url, answer.headers["Location"]), None
        raise SystemExit(f"FAILED: {url} redirects endlessly")

    def sign_in(self):
        answers = {"loginfmt": self.user, "passwd": PASSWORD}
        status, url, text = self.request(f"{self.base}/signin")
        for _ in range(10):
            if url.startswith(self.base) and "Hello, " in text:
                return
            form = Form(text)
            check_quietly(status == 200 and form.action is not None, f"{self.user} cannot sign in: {status} {url}\n{text}")
            fields = {name: answers.get(name, value) for name, value in form.fields.items()}
            if form.buttons:
                fields.setdefault(*form.buttons[0])
            status, url, text = self.request(urllib.parse.urljoin(url, form.action), fields)
        raise SystemExit(f"FAILED: {self.user} is not signed in after ten pages:\n{text}")

    def visit(self):
        """`home`, `lost` or `away`: the user's page, one that asks for a sign-in, or a request to repeat."""
        try:
            status, _, text = self.request(f"{self.base}/")
        except (OSError, http.client.HTTPException):
            return "away"
        if "Hello, " in text:
            return "home"
        return "away" if status >= 500 else "lost"


def check_quietly(condition, message):
    if not condition:
        raise SystemExit(f"FAILED: {message}")


class Run:
    def __init__(self, arguments, emulator):
        self.random, self.arguments = random.Random(arguments.seed), arguments
        self.emulator = emulator
        self.stores = []
        self.store = self.new_store()
        base = f"https://127.0.0.1:{free_port()}"
        emulator.steer("PATCH", f"/applications/{SERVICE}", {
            "redirectUris": [f"{base}/signin-oidc", f"{base}/signout-callback-oidc"]})
        self.base = base
        self.environment = {
            **os.environ, "EMULATOR": emulator.base, "BASE_URL": base, "MSAL_CA_FILE": emulator.ca_file,
            "SHARED_CACHE": self.store.address, "SHARED_CACHE_SECRET": self.secret()}
        self.instances = [self.instance() for _ in range(COUNT)]
        proxy = Proxy(self.instances)
        self.browsers, self.known = [], [TENANT, SERVICE, "User.Read", "contoso", "eyJhb", "eyJ0e"]
        for number in range(arguments.browsers):
            name = f"user-{number}@contoso.example"
            user = emulator.steer(
                "POST", "/users", {"userPrincipalName": name, "displayName": f"User {number}", "password": PASSWORD})
            self.known += [name, f"User {number}", user["id"]]
            self.browsers.append(Browser(base, proxy.server_address[1], emulator.ca_file, name))
        self.visits, self.lost, self.sizes, self.down, self.crashes = collections.Counter(), [], [], [], []

    def new_store(self):
        # Other users may enter it, because the servers of some engines run as a separate user.
        folder = pathlib.Path(tempfile.mkdtemp(prefix="store-"))
        folder.chmod(0o755)
        self.stores.append(STORES[self.arguments.store](folder))
        return self.stores[-1]

    def secret(self):
        return base64.b64encode(self.random.randbytes(32)).decode()

    def instance(self, **changes):
        return Instance(self.arguments.web_app, self.emulator.folder, {**self.environment, **changes})

    def await_all(self, instances=None):
        for instance in instances or self.instances:
            deadline = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", instance.port), 5).close()
                    break
                except OSError:
                    check_quietly(instance.process.poll() is None and time.monotonic() < deadline,
                                  f"an instance does not respond:\n{instance.log.read_text()}")
                    time.sleep(0.1)

    def go(self):
        begin = time.monotonic()
        end = begin + self.arguments.seconds
        self.begun, next_kill, next_size = begin, begin + 15, begin
        while (now := time.monotonic()) < end:
            while self.down and self.down[0][0] <= now:
                self.down.pop(0)[1].start()
            for instance in self.instances:
                if instance.process.poll() is not None and instance not in [victim for _, victim in self.down]:
                    self.crashes.append(instance.process.returncode)
                    print(f"CRASH at {now - begin:.0f} s: {instance.process.returncode}", flush=True)
                    instance.start()
            if now >= next_kill and not self.down:
                victim = self.random.choice([*self.instances[1:], self.store])
                victim.kill()
                self.down.append((now + self.random.uniform(0, 5), victim))
                next_kill = now + self.random.uniform(5, 40)
            if now >= next_size and not self.down:
                self.measure(now - begin)
                next_size = now + 60
            browser = self.random.choice(self.browsers)
            result = browser.visit()
            self.visits[result] += 1
            if result == "lost":
                self.lost.append((round(now - begin), browser.user))
                print(f"LOST at {now - begin:.0f} s: {browser.user}", flush=True)
            time.sleep(self.random.expovariate(self.arguments.rate))
        for _, victim in self.down:
            victim.start()
        self.down = []

    def start_without_store(self):
        """An instance that starts while the store is down is ready when the store is."""
        self.store.kill()
        instance = self.instance()
        self.instances.append(instance)
        self.store.start()
        self.await_all([instance])
        check(instance.process.poll() is None, "an instance that starts while the store is away waits for it")

    def measure(self, second):
        try:
            keys, store_bytes = self.store.size()
        except subprocess.SubprocessError:
            return  # It is still reading its file.
        memory, files = self.instances[0].size()
        self.sizes.append((second, memory, files, keys, store_bytes))
        print(f"{second / 60:6.1f} min: {dict(self.visits)}, kills: instances {sum(i.kills for i in self.instances)}, store "
              f"{self.store.kills}; first instance {memory} KB, {files} files; store {keys} keys, {store_bytes} bytes",
              flush=True)

    def await_home(self):
        """All browsers see their page again when nothing is killed any more."""
        for browser in self.browsers:
            deadline = time.monotonic() + 60
            while (result := browser.visit()) == "away":
                check_quietly(time.monotonic() < deadline, f"{browser.user} cannot see the page for a minute after the last kill")
                time.sleep(0.2)
            if result == "lost":
                self.lost.append(("the end", browser.user))

    def judge(self):
        kills = sum(instance.kills for instance in self.instances)
        check(not self.lost, f"0 of {len(self.browsers)} sessions are lost in {self.arguments.seconds / 60:.1f} minutes with "
              f"{sum(self.visits.values())} requests, {kills} kills of instances and {self.store.kills} of the store"
              + (f"; lost: {self.lost}" if self.lost else ""))
        check(not self.crashes, f"no instance crashes {self.crashes or ''}")
        share = self.visits["home"] / sum(self.visits.values())
        check(share > 0.5, f"{share:.1%} of the requests show the user's page, and the others ask to retry")
        if len(self.sizes) >= 20:
            # The first fifth is a warm-up.
            third = len(self.sizes) // 5
            for column, name, most in ((1, "memory of the first instance", 1.1), (2, "files of the first instance", 1.1),
                                       (3, "keys of the store", 1.0), (4, "memory of the store", 1.1)):
                early = statistics.median(row[column] for row in self.sizes[third:2 * third])
                late = statistics.median(row[column] for row in self.sizes[-third:])
                check(late <= early * most, f"no growth: {name} {early:.0f} in the second fifth, {late:.0f} in the last one")

    def judge_names(self):
        """A dump reveals nothing, and names under another secret cannot be matched."""
        dump = self.store.dump().lower()
        spellings = {text: [text.lower().encode(), text.lower().encode().hex().encode()] for text in self.known}
        found = [text for text, forms in spellings.items() if any(form in dump for form in forms)]
        check(len(dump) > 1000 * len(self.browsers) and not found,
              f"none of {len(self.known)} texts about tenant, client, users, scopes and tokens is in {len(dump)} bytes of a dump"
              + (f"; found: {found}" if found else ""))
        names, count = self.store.partitions(), 1
        for secret, is_same in ((self.environment["SHARED_CACHE_SECRET"], True), (self.secret(), False)):
            store = self.new_store()
            instance = self.instance(SHARED_CACHE=store.address, SHARED_CACHE_SECRET=secret)
            self.instances.append(instance)
            self.await_all([instance])
            first = self.browsers[0]
            Browser(self.base, Proxy([instance]).server_address[1], self.emulator.ca_file, first.user).sign_in()
            deadline = time.monotonic() + 20
            # The tokens are written after the response.
            while len(others := store.partitions()) < count or is_same and not names & others:
                check_quietly(time.monotonic() < deadline, f"the second store's names do not match those of the first: {others}")
                time.sleep(0.1)
            count = len(others)
            check(bool(names & others) == is_same,
                  f"of {count} names in another store {len(names & others)} are in the first one, under "
                  + ("the same secret" if is_same else "another secret"))

    def stop(self):
        processes = [instance.process for instance in self.instances] + [store.process for store in self.stores]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
        for store in self.stores:
            shutil.rmtree(store.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n")[0])
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("web_app", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--store", choices=STORES, default="valkey")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--hours", type=float, default=0)
    parser.add_argument("--browsers", type=int, default=12)
    parser.add_argument("--rate", type=float, default=4, help="requests a second")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.seconds = arguments.hours * 3600 or arguments.minutes * 60
    with running_emulator(arguments.build, options=["--token-lifetime", TOKEN_LIFE]) as emulator:
        run = Run(arguments, emulator)
        try:
            run.await_all()
            for browser in run.browsers:
                browser.sign_in()
            print(f"{len(run.browsers)} browsers have signed in", flush=True)
            run.go()
            run.await_all()
            run.start_without_store()
            run.await_home()
            run.judge()
            run.judge_names()
        finally:
            run.stop()


if __name__ == "__main__":
    main()
