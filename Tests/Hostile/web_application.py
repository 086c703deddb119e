#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Attacks a web application that uses MSALWebSignIn: forged, replayed, foreign, and oversized cookies, responses of other
browsers, codes that are used twice, return addresses on other hosts, forms of other sites, and malformed requests. Two instances
share a store, which is lost at the end. Tests/MSALServerTests/WebSessions has the attacks that need another clock or a faulty store.

usage: web_application.py BUILD [--requests N] [--seed TEXT]

No response may be a 500 or missing, none may open a session, and no redirect may lead to another host than the service. Pages
never contain the attacker's markup. The same seed generates the same requests.
"""
import argparse
import base64
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))
import instances  # noqa: E402
import malice  # noqa: E402
from client import Connection  # noqa: E402
from harness import check, running_emulator  # noqa: E402

SERVICE = "00000000-0000-4000-8000-000000000010"
USER = "megan@contoso.example"
HOST = "app.contoso.example"
BASE = f"https://{HOST}"
RETURNS = ["https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
           "/\r\n/evil.example", "https:evil.example", "javascript:alert(1)", " //evil.example", "/%2f/evil.example\\", "evil.example",
           "/\u2028/evil.example", "http://app.contoso.example@evil.example", "/" + "a" * 5000, "\x00//evil.example"]
failures = []


def fail(text):
    failures.append(text)
    if len(failures) <= 20:
        print("FAILED", text, flush=True)


class Browser(instances.Browser):
    """Signs in once, so that the attacks have something to steal. Its cookies are not secured by TLS here."""

    def steal(self):
        return dict(self.cookies[HOST])


def request(method, path, cookie=None, body=b"", headers=()):
    lines = [f"{method} {path} HTTP/1.1".encode(), f"Host: {HOST}".encode(), f"Content-Length: {len(body)}".encode(), *headers]
    if cookie is not None:
        lines.append(b"Cookie: " + cookie.encode("utf-8", "replace"))
    if body:
        lines.append(b"Content-Type: application/x-www-form-urlencoded")
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


class Attack:
    def __init__(self, ports, service, rng):
        self.connections = [Connection(port, None) for port in ports]
        self.service, self.rng, self.count = service, rng, 0

    def send(self, what, method, path, opens=False, **parts):
        self.count += 1
        connection = self.rng.choice(self.connections)
        response = connection.exchange(request(method, path, **parts), head=method == "HEAD")
        if response is None or response.status in (500, 501):
            fail(f"{what}: {response and response.status} for {method} {path[:100]}")
            return response
        location = response.header("location")
        if location and not (location.startswith("/") and not location.startswith(("//", "/\\")) or
                             location.startswith(self.service)):
            fail(f"{what}: redirects to {location[:100]}")
        cookies = response.header("set-cookie")
        if not opens and "__Host-session=" in cookies and "__Host-session=;" not in cookies:
            fail(f"{what}: opens a session")
        text = response.body.decode(errors="replace")
        if malice.MARK in text:
            fail(f"{what}: the page contains markup")
        if not opens and "Megan" in text:
            fail(f"{what}: shows the user")
        return response

    def forged_cookies(self, stolen):
        session = stolen["__Host-session"]
        for value in ["", "x", "A" * 43, session[:-1], session + "A", session[::-1], session.swapcase(), session[:-1] + "%00",
                      "A" * 7000, malice.MARK, "é" * 20, *malice.JWTS]:
            for path in ["/", "/account", "/graph", "/calendar", "/admin"]:
                self.send("forged session", "GET", path, cookie=f"__Host-session={value}")
                self.send("session of another name", "GET", path, cookie=f"session={session}; __host-session={session}")
        for value in ["", "A" * 20, "A" * 5000, stolen["__Host-signin"], stolen["__Host-signin"][:-2] + "AA"]:
            for state in ["AAAAAAAA", "", "../../../", malice.MARK]:
                body = urllib.parse.urlencode({"code": "0.abc", "state": state}).encode()
                self.send("forged sign-in", "POST", "/signin-oidc", cookie=f"__Host-signin-{state[:8]}={value}; __Host-signin={value}",
                          body=body)

    def return_addresses(self):
        for address in RETURNS:
            for path in ["/signin?return=", "/signin?request=", "/account?next="]:
                self.send("return address", "GET", path + urllib.parse.quote(address, safe=""))
        for path in ["//evil.example/account", "/account//evil.example", "/%2f%2fevil.example", "/account?x=%0d%0aSet-Cookie:a=b"]:
            self.send("path", "GET", path)

    def forged_forms(self, stolen):
        cookie = f"__Host-session={stolen['__Host-session']}"
        for path in ["/notes", "/signout", "/signout-everywhere"]:
            for body in [b"", b"note=1", b"formToken=", b"formToken=" + b"A" * 43, b"formToken=%ff", *malice.RAW]:
                response = self.send("forged form", "POST", path, cookie=cookie, body=body, opens=True)
                if response is not None and response.status not in (403, 413):
                    fail(f"a forged form at {path} gets {response.status}")
            for header in [b"Sec-Fetch-Site: cross-site", b"Sec-Fetch-Site: same-site", b"Origin: null", b"Origin: https://evil.example"]:
                response = self.send("form of another site", "POST", path, cookie=cookie, body=b"note=1", headers=[header], opens=True)
                if response is not None and response.status != 403:
                    fail(f"a form of another site at {path} gets {response.status}")

    def front_channel(self):
        for query in ["", "iss=&sid=", "sid=" + "A" * 5000, "iss=https://evil.example&sid=1", "iss=%ff&sid=%00",
                      urllib.parse.urlencode({"iss": malice.MARK, "sid": malice.MARK})]:
            self.send("front channel", "GET", f"/signout-oidc?{query}")

    def fuzz(self, count):
        paths = ["/", "/account", "/signin", "/signin-oidc", "/signout", "/signout-everywhere", "/signout-oidc", "/signed-out", "/notes"]
        for _ in range(count):
            path = self.rng.choice(paths)
            body = self.rng.choice([b"", *malice.RAW, base64.b64encode(self.rng.randbytes(self.rng.randrange(2000)))])
            name = self.rng.choice(["__Host-session", "__Host-signin", "__Host-signin-" + "A" * self.rng.randrange(12), "a"])
            value = base64.urlsafe_b64encode(self.rng.randbytes(self.rng.choice([0, 32, 100, 3000]))).decode().rstrip("=")
            query = urllib.parse.quote(self.rng.choice(malice.TEXTS))[:3000]
            self.send("noise", self.rng.choice(["GET", "POST", "HEAD", "PUT"]), f"{path}?return={query}&request={query}&iss={query}&sid=1",
                      cookie=f"{name}={value}", body=body)


def run(arguments):
    build, rng = arguments.build, random.Random(arguments.seed)
    with running_emulator(build) as emulator, tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        emulator.steer("PATCH", f"/applications/{SERVICE}", {"redirectUris": [f"{BASE}/signin-oidc", f"{BASE}/signed-out"]})
        store = subprocess.Popen([build / "StoreServer", folder / "socket"], stdout=subprocess.PIPE)
        environment = {"EMULATOR": emulator.base, "BASE_URL": BASE, "MSAL_CA_FILE": str(emulator.ca_file),
                       "STORE_SOCKET": str(folder / "socket")}
        check(store.stdout.readline() == b"ready\n", "the store is ready")
        servers = [instances.Instance(build / "SignInSite", folder, environment) for _ in range(2)]
        try:
            proxy = instances.Proxy(servers)
            browser = Browser(BASE, proxy.server_address[1], emulator.ca_file, USER)
            browser.request(f"{BASE}/signin-oidc", response_form(browser))
            attack = Attack([server.port for server in servers], emulator.base, rng)
            stolen = browser.steal()
            for part in (attack.return_addresses, attack.front_channel):
                part()
            attack.forged_cookies(stolen)
            attack.forged_forms(stolen)
            attack.fuzz(arguments.requests)
            check("Megan" in browser.request(f"{BASE}/account")[2], f"{attack.count} attacks leave the user's session untouched")
            mixed_browsers(lambda user: Browser(BASE, proxy.server_address[1], emulator.ca_file, user), emulator)
            store.kill()
            store.wait()
            for path in ["/", "/account", "/graph"]:
                response = attack.send("lost store", "GET", path, cookie=f"__Host-session={stolen['__Host-session']}")
                check(response is not None and response.status == 503, f"{path} without the store gets 503")
            attack.fuzz(arguments.requests // 10)
            check(all(server.process.poll() is None for server in servers), "both instances are alive")
        finally:
            for process in [store] + [server.process for server in servers]:
                process.kill()
                process.wait()
    check(not failures, f"no attack succeeds ({len(failures)} did)")


def response_form(browser, path="/account"):
    """The service's form for a sign-in of this browser: the fields that it would post to the application."""
    answers = {"loginfmt": browser.user, "passwd": instances.PASSWORD}
    deadline = time.monotonic() + 30
    while True:
        status, url, text = browser.request(f"{BASE}{path}")
        if status < 500 or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    for _ in range(10):
        form = instances.Form(text)
        if (form.action or "").startswith(BASE):
            return form.fields
        fields = {name: answers.get(name, value) for name, value in form.fields.items()}
        if form.buttons:
            fields.setdefault(*form.buttons[0])
        status, url, text = browser.request(urllib.parse.urljoin(url, form.action), fields)
    raise SystemExit(f"FAILED: the service does not return: {status} {url}\n{text}")


def mixed_browsers(new_browser, emulator):
    """Responses that reach another browser, or the same one twice; a planted session; a user who is disabled."""
    victim, attacker = new_browser("alex@contoso.example"), new_browser(USER)
    victim.cookies[HOST]["__Host-session"] = planted = "A" * 43
    fields = response_form(attacker)
    response_form(victim, "/calendar")
    status, _, text = victim.request(f"{BASE}/signin-oidc", fields)
    check(status == 400 and "begin again" in text, "a response for another browser is rejected")
    stolen = dict(attacker.cookies[HOST])
    check("Megan" in attacker.request(f"{BASE}/signin-oidc", fields)[2], "it is accepted from the browser that started the sign-in")
    check(attacker.request(f"{BASE}/signin-oidc", fields)[0] == 400, "and only once")
    attacker.cookies[HOST].update({name: value for name, value in stolen.items() if name.startswith("__Host-signin-")})
    check(attacker.request(f"{BASE}/signin-oidc", fields)[0] == 400, "not even with a copy of the cookie")
    check("Alex" in victim.request(f"{BASE}/signin-oidc", response_form(victim))[2], "the victim signs in")
    check(victim.cookies[HOST]["__Host-session"] != planted, "with a new session ID")
    emulator.steer("PATCH", "/users/alex@contoso.example", {"isEnabled": False})
    emulator.steer("POST", "/revoke", {"userPrincipalName": "alex@contoso.example"})
    status, url, text = victim.request(f"{BASE}/graph")
    check(status < 500 and not url.startswith(BASE), f"a disabled user is sent to the service ({status})")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n")[0])
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--seed", default="1")
    run(parser.parse_args())


main()
