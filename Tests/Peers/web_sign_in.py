# Licensed under the MIT License. See LICENSE.
"""Chromium signs in to a web application that uses MSALWebSignIn: one instance with sessions in memory, and two instances
behind a proxy with sessions in a shared store, one of which is killed and started again in the middle.

usage: web_sign_in.py BUILD_FOLDER
"""
import contextlib
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

import requests
from selenium.webdriver.common.by import By

import instances
from harness import PASSWORD, USER, check, running_emulator
from visitor import Visitor, open_chromium, trusting_home

SERVICE = "00000000-0000-4000-8000-000000000010"
ENDPOINT = "/11111111-1111-1111-1111-111111111111/oauth2/v2.0"


class TLSProxy(instances.Proxy):
    """A proxy that ends TLS, and passes each request to the next instance."""

    def __init__(self, certificate, key):
        super().__init__([])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)


class Site:
    """The instances of the application, and their store."""

    def __init__(self, build, emulator, count):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=emulator.folder))
        self.certificate, key = self.folder / "web.pem", self.folder / "web.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
                       check=True, capture_output=True)
        self.proxy = TLSProxy(self.certificate, key)
        self.base = f"https://127.0.0.1:{self.proxy.server_address[1]}"
        emulator.steer("PATCH", f"/applications/{SERVICE}", {
            "redirectUris": [f"{self.base}/signin-oidc", f"{self.base}/signed-out"],
            "frontChannelLogoutUri": f"{self.base}/signout-oidc"})
        environment = {**os.environ, "EMULATOR": emulator.base, "BASE_URL": self.base, "MSAL_CA_FILE": emulator.ca_file}
        self.store = None
        if count > 1:
            environment["STORE_SOCKET"] = str(self.folder / "socket")
            self.store = subprocess.Popen([build / "StoreServer", self.folder / "socket"], stdout=subprocess.PIPE)
            check(self.store.stdout.readline() == b"ready\n", "the store is ready")
        self.instances = [instances.Instance(build / "SignInSite", self.folder, environment) for _ in range(count)]
        for instance in self.instances:
            self.wait(instance)
        self.proxy.instances += self.instances

    def wait(self, instance):
        deadline = time.monotonic() + 30
        while True:
            try:
                return requests.get(f"http://127.0.0.1:{instance.port}/", timeout=5)
            except requests.RequestException:
                if time.monotonic() > deadline:
                    raise SystemExit(f"FAILED: an instance does not respond:\n{instance.log.read_text()}") from None
                time.sleep(0.1)

    def restart(self):
        instance = self.instances[-1]
        instance.kill()
        instance.start()
        self.wait(instance)

    def stop(self):
        for process in [instance.process for instance in self.instances] + ([self.store] if self.store else []):
            process.kill()
            process.wait()
        self.proxy.shutdown()


class Journey:
    def __init__(self, emulator, site, driver):
        self.emulator, self.site, self.driver = emulator, site, driver
        self.visitor = Visitor(driver, None)

    def text(self):
        return self.driver.find_element(By.ID, "text").text

    def title(self):
        """The title of the page, without the name of the service."""
        return self.driver.title.split(" – ")[0]

    def open(self, path, title, text):
        self.driver.get(self.site.base + path)
        self.visitor.await_page(title)
        check(text in self.text(), f"{path} shows {text!r}")

    def click(self, selector):
        root = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.CSS_SELECTOR, selector).click()
        self.visitor.await_leaving(root)

    def pass_service(self, *titles):
        """Completes the service's pages until the application's page with one of the titles appears."""
        for _ in range(10):
            self.visitor.wait(lambda: self.title() in (
                "Sign in", "Pick an account", "Enter password", "Stay signed in?", "Permissions requested",
                "More information required", "Enter code", *titles),
                f"there is no page {titles}")
            title = self.title()
            if title in titles:
                return title
            press = {"Sign in": "next", "Pick an account": "button[name=account]", "Enter password": "signin",
                     "Stay signed in?": "yes", "Permissions requested": "accept", "More information required": "register",
                     "Enter code": "verify"}[title]
            fields = {"Sign in": {"loginfmt": USER}, "Enter password": {"passwd": PASSWORD},
                      "More information required": {"contact": "megan.second@contoso.example"}}.get(title, {})
            if title == "Enter code":
                fields = {"otc": self.emulator.steer("GET", "/outbox")["messages"][-1]["code"]}
            self.visitor.answer(None, title, press, **fields)
        raise SystemExit(f"FAILED: the service does not return to {titles}")

    def pending(self):
        """The cookies of sign-ins that have begun, whichever page is shown."""
        cookies = self.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
        return {cookie["name"] for cookie in cookies if cookie["name"].startswith("__Host-signin-")}

    def sign_in(self):
        # A page that the back button shows may have begun a sign-in, which stays open.
        abandoned = self.pending()
        self.driver.get(f"{self.site.base}/account?tab=1")
        self.pass_service("Account")
        check(self.driver.current_url == f"{self.site.base}/account?tab=1", "the sign-in returns to the requested page")
        check("Megan Bowen" in self.text(), "the page knows the user")
        cookie = self.driver.get_cookie("__Host-session")
        check(cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Lax", "the session's cookie is protected")
        check(self.pending() <= abandoned, "no cookie of the sign-in remains")

    def consent(self):
        self.driver.get(f"{self.site.base}/calendar")
        self.visitor.await_page("Permissions requested")
        self.pass_service("Calendar")
        check(self.text() == "consented", "a missing consent is requested, and the browser returns to the page")

    def step_up(self):
        self.open("/graph", "Graph", USER)
        claims = json.dumps({"access_token": {"acrs": {"essential": True, "value": "c1"}}})
        self.emulator.steer("POST", "/challenge", {"user": USER, "claims": claims})
        self.driver.get(f"{self.site.base}/graph")
        self.pass_service("Graph")
        check(self.text() == USER, "a claims challenge of Graph leads to a sign-in, and the browser returns to the page")
        self.emulator.steer("POST", "/challenge", {"user": USER})

    def submit(self):
        self.open("/account", "Account", "Megan Bowen")
        self.driver.find_element(By.NAME, "note").send_keys("<b>1</b>")
        self.click("#note")
        self.visitor.await_page("Note")
        check(self.text() == "<b>1</b>", "a form of the session's page is accepted")

    def two_tabs(self):
        """Both tabs start a sign-in before one of them is completed."""
        self.driver.delete_all_cookies()
        self.driver.get(f"{self.site.base}/")
        first = self.driver.current_window_handle
        self.driver.execute_script("window.open('/account?tab=1'); window.open('/account?tab=2');")
        others = [handle for handle in self.driver.window_handles if handle != first]
        for handle in reversed(others):
            self.driver.switch_to.window(handle)
            self.pass_service("Account")
            check("Megan Bowen" in self.text(), f"{urllib.parse.urlsplit(self.driver.current_url).query} is signed in")
            self.driver.close()
        self.driver.switch_to.window(first)

    def sign_out(self):
        self.open("/account", "Account", "Megan Bowen")
        session = self.driver.get_cookie("__Host-session")["value"]
        self.click("#out")
        self.end_at_service()
        self.go_back("/account")
        self.visitor.wait(lambda: self.title() in ("Account", "Sign in", "Pick an account"), "the back button shows no page")
        check(self.title() != "Account", "the back button does not show the user's page")
        check("nobody" in self.page_of(session), "the session's cookie opens nothing any more")

    def go_back(self, path):
        """Presses the back button until the latest page with this path is reached."""
        entries = self.driver.execute_cdp_cmd("Page.getNavigationHistory", {})["entries"]
        entry = [entry["id"] for entry in entries if entry["url"] == self.site.base + path][-1]
        self.driver.execute_cdp_cmd("Page.navigateToHistoryEntry", {"entryId": entry})

    def end_at_service(self):
        self.visitor.wait(lambda: self.title() in ("Sign out?", "You are signed out"), "no sign-out")
        if self.driver.title.startswith("Sign out?"):
            self.visitor.answer(None, "Sign out?", "button")
        self.visitor.await_page("You are signed out")

    def page_of(self, session):
        """Both instances must say the same."""
        pages = [requests.get(self.site.base, cookies={"__Host-session": session}, verify=str(self.site.certificate),
                              timeout=10).text for _ in self.site.instances]
        return pages[0] if len({"nobody" in page for page in pages}) == 1 else "different"

    def sign_out_elsewhere(self):
        self.sign_in()
        session = self.driver.get_cookie("__Host-session")["value"]
        check("Megan Bowen" in self.page_of(session), "another client of the session sees the user")
        self.driver.get(f"{self.emulator.base}{ENDPOINT}/logout")
        if self.driver.title.startswith("Sign out?"):
            self.visitor.answer(None, "Sign out?", "button")
        deadline = time.monotonic() + 20
        while "nobody" not in self.page_of(session) and time.monotonic() < deadline:
            time.sleep(0.2)
        check("nobody" in self.page_of(session), "a sign-out at the service ends the session on every instance")


def visit(build, count):
    print(f"-- {count} instance(s)", flush=True)
    with running_emulator(build) as emulator, contextlib.ExitStack() as stack:
        site = Site(build, emulator, count)
        stack.callback(site.stop)
        home = trusting_home(emulator.folder, emulator.ca_file)
        subprocess.run(["certutil", "-d", f"sql:{home / '.pki' / 'nssdb'}", "-A", "-t", "CP,,", "-n", "web", "-i", site.certificate],
                       check=True)
        driver = open_chromium(emulator.folder, home)
        stack.callback(driver.quit)
        journey = Journey(emulator, site, driver)
        journey.open("/", "Home", "nobody")
        journey.sign_in()
        journey.consent()
        if count > 1:
            site.restart()
            journey.open("/account", "Account", "Megan Bowen")
        journey.step_up()
        journey.submit()
        if count > 1:
            site.restart()
        journey.two_tabs()
        journey.sign_out()
        journey.sign_out_elsewhere()
        if count == 1:
            journey.sign_in()
            site.restart()
            driver.get(f"{site.base}/account")
            journey.pass_service("Account")
            check("Megan Bowen" in journey.text(), "after a restart, a session in memory is replaced by a new sign-in")
        logs = "".join(instance.log.read_text() for instance in site.instances)
        check("eyJ" not in logs, "the application logs no tokens")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    for count in (1, 2):
        visit(build, count)


main()
