# Licensed under the MIT License. See LICENSE.
"""A real browser with the example web application: Chromium signs in to it with the emulator, and the daemon runs as well.

usage: webapp.py BUILD_FOLDER SCREENSHOT_FOLDER

Both servers use TLS, and to the browser they are two sites, as in production: the application at 127.0.0.1, the emulator at
localhost. Each page of the application is photographed in light, dark and phone size and must be usable.
"""
import contextlib
import datetime
import ipaddress
import os
import pathlib
import shutil
import subprocess
import sys
import time

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from selenium.webdriver.common.by import By

from harness import PASSWORD, TENANT, USER, check, free_port, running_emulator
from visitor import Visitor, open_chromium, trusting_home

SERVICE = "00000000-0000-4000-8000-000000000010"
PAGES = {"welcome", "welcome-back", "not-signed-in", "begin-again", "one-more-step", "signed-out", "forged-sign-out"}
# An access token with this lifetime is used for 30 seconds: it counts as expired five minutes before it expires.
TOKEN_LIFE = 330


def make_certificate(folder):
    """A self-signed certificate for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256()))
    (folder / "web.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "web.key").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return folder / "web.pem", folder / "web.key"


class WebApp:
    """The example as a separate program."""

    def __init__(self, build, emulator):
        folder = emulator.folder
        self.certificate, key = make_certificate(folder)
        self.base = f"https://127.0.0.1:{free_port()}"
        emulator.steer("PATCH", f"/applications/{SERVICE}", {
            "redirectUris": [f"{self.base}/signin-oidc", f"{self.base}/signout-callback-oidc"]})
        self.log = open(folder / "webapp.log", "wb")
        self.process = subprocess.Popen([str(build / "SignInWebApp")], stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=subprocess.STDOUT, env={
            **os.environ, "EMULATOR": emulator.base, "BASE_URL": self.base, "MSAL_CA_FILE": emulator.ca_file,
            "TLS_CERTIFICATE": str(self.certificate), "TLS_KEY": str(key)})
        deadline = time.monotonic() + 30
        while True:
            try:
                requests.get(self.base, verify=str(self.certificate), timeout=5)
                return
            except requests.RequestException as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"FAILED: the web application does not respond: {error}\n{self.output()}")
                time.sleep(0.1)

    def output(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


class Journeys:
    def __init__(self, emulator, app, visitor):
        self.emulator, self.app, self.visitor = emulator, app, visitor
        self.driver = visitor.driver

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "main").text

    def follow(self, link):
        root = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.LINK_TEXT, link).click()
        self.visitor.await_leaving(root)

    def post(self, path, **fields):
        """Sends a form from a page of the application."""
        root = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.execute_script("""
            const form = document.createElement('form');
            form.method = 'post';
            form.action = arguments[0];
            for (const [name, value] of Object.entries(arguments[1])) {
                const field = document.createElement('input');
                field.type = 'hidden';
                field.name = name;
                field.value = value;
                form.append(field);
            }
            document.body.append(form);
            form.submit();""", path, fields)
        self.visitor.await_leaving(root)

    def refuse_consent(self):
        visitor = self.visitor
        self.driver.get(self.app.base)
        visitor.type("welcome", "Welcome", "", "Sign in")
        visitor.answer(None, "Sign in", "next", loginfmt=USER)
        visitor.answer(None, "Enter password", "signin", passwd=PASSWORD)
        visitor.answer(None, "Stay signed in?", "no")
        visitor.answer(None, "Permissions requested", "cancel")
        visitor.await_page("Not signed in")
        visitor.look("not-signed-in")
        check(self.cookie("__Host-session") is None, "a user who does not consent sees a message, and is not signed in")

    def sign_in_by_keyboard(self):
        visitor = self.visitor
        visitor.type(None, "Not signed in", "", "Try again")
        visitor.type(None, "Permissions requested", "", "Accept")
        visitor.await_page("Hello, Megan Bowen")
        visitor.look("welcome-back")
        check(USER in self.text(), "Megan signs in with the keyboard, and sees her name and Graph's response")
        session, visit = self.cookie("__Host-session"), self.cookie("__Host-signin")
        check(session["httpOnly"] and session["secure"] and session["sameSite"] == "Lax",
              "no script reads the session's cookie, and no other site sends it with a form")
        check(visit["httpOnly"] and visit["secure"] and visit["sameSite"] == "None",
              "the cookie of the sign-in came back from another site")

    def renew_silently(self):
        def refreshes():
            return sum("grant_type" in str(entry) and "refresh_token" in str(entry)
                       for entry in self.emulator.journal() if entry["path"].endswith("/token"))
        deadline = time.monotonic() + 90
        self.driver.get(self.app.base)
        while "service" not in self.text():
            if time.monotonic() > deadline:
                raise SystemExit(f"FAILED: the token is not renewed\n{self.text()}\n{self.app.output()}")
            time.sleep(1)
            self.driver.get(self.app.base)
        check(refreshes() >= 1 and USER in self.text(), "after the token expires, a new one is fetched without the user")

    def meet_forgeries(self):
        session = self.cookie("__Host-session")["value"]
        for name, fields in [("without a token", {}), ("with a wrong one", {"token": "x" * 70})]:
            answer = requests.post(f"{self.app.base}/signout", data=fields, cookies={"__Host-session": session},
                                   verify=str(self.app.certificate), timeout=10, allow_redirects=False)
            check(answer.status_code == 403, f"a sign-out {name} of the session is rejected")
        self.post("/signout", token="forged")
        self.visitor.await_page("Not signed out")
        self.visitor.look("forged-sign-out")
        self.driver.get(self.app.base)
        check(USER in self.text(), "the user stays signed in")
        self.post("/signin-oidc", code="0.abc", state="forged")
        self.visitor.await_page("Please begin again")
        self.visitor.look("begin-again")
        self.driver.get(self.app.base)
        check(USER in self.text(), "a response to no sign-in of this browser is rejected, and changes nothing")
        for body in ["code=1&code=2&state=a", "code=%", "x" * 70_000]:
            answer = requests.post(f"{self.app.base}/signin-oidc", data=body, verify=str(self.app.certificate), timeout=10,
                                   headers={"Content-Type": "application/x-www-form-urlencoded"})
            check(answer.status_code in (400, 413), f"a form that begins with {body[:10]!r} is rejected")

    def lose_the_service(self):
        """The service ends all sign-ins of the user. The app has not announced `cp1`, so Graph accepts its token until it
        expires, which a fault anticipates. Then the refresh fails."""
        self.emulator.steer("POST", "/revoke", {"userPrincipalName": USER})
        self.driver.get(self.app.base)
        check(USER in self.text(), "until the token expires, Graph accepts it")
        self.emulator.steer("POST", "/faults", {"pathSuffix": "/me", "status": 401})
        self.driver.get(self.app.base)
        self.visitor.await_page("One more step")
        self.visitor.look("one-more-step")
        check("Megan Bowen" in self.text(), "a user whose sign-in the service ended is asked to sign in again")

    def sign_in_without_scripts(self):
        visitor = self.visitor
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.follow("Sign in again")
        self.type_credentials()
        visitor.await_page("Returning to the application")
        response = {field.get_attribute("name"): field.get_attribute("value")
                    for field in self.driver.find_elements(By.CSS_SELECTOR, "input[type=hidden]")}
        visitor.answer(None, "Returning to the application", "button")
        visitor.await_page("Hello, Megan Bowen")
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        check(USER in self.text(), "everything works without scripts, too")
        return response

    def type_credentials(self):
        visitor = self.visitor
        visitor.wait(lambda: self.driver.title.split(" – ")[0] in ("Sign in", "Pick an account", "Enter password"),
                     "the emulator does not ask who signs in")
        if self.driver.title.startswith("Pick an account"):
            visitor.answer(None, "Pick an account", "button[name=account]")
        elif self.driver.title.startswith("Sign in"):
            visitor.answer(None, "Sign in", "next", loginfmt=USER)
        visitor.answer(None, "Enter password", "signin", passwd=PASSWORD)
        visitor.answer(None, "Stay signed in?", "no")

    def replay(self, response):
        check("code" in response and "state" in response, "the service's form has a code and the state")
        for name, fields in [("replayed", response), ("with another state", {**response, "state": response["state"][::-1]})]:
            self.driver.get(self.app.base)
            self.post("/signin-oidc", **fields)
            self.visitor.await_page("Please begin again")
            check("another browser" in self.text(), f"a response that is {name} is rejected")
        spent = sum("authorization_code" in str(entry) for entry in self.emulator.journal()
                    if entry["path"].endswith("/token"))
        check(spent == 2, f"the code of each sign-in was sent once ({spent})")

    def meet_an_odd_name(self):
        name = "Megan <b>Bowen</b>"
        self.emulator.steer("PATCH", f"/users/{USER}", {"displayName": name})
        self.driver.get(self.app.base)
        check(name in self.text(), "a name with markup is shown as text")

    def sign_out_elsewhere(self):
        """A second browser of the same user signs out. The first one is a cookie, which remains valid."""
        first = self.cookie("__Host-session")["value"]

        def page_of_first():
            return requests.get(self.app.base, cookies={"__Host-session": first}, verify=str(self.app.certificate),
                                timeout=10).text

        self.sign_in_again()
        self.sign_out()
        check(USER in page_of_first(), "a sign-out in one browser leaves the user's other browsers signed in")
        self.sign_in_again()
        self.sign_out("[formaction='/signout-everywhere']")
        check("Welcome" in page_of_first(), "a sign-out everywhere ends them, too")
        self.sign_in_again()

    def sign_in_again(self):
        self.driver.delete_cookie("__Host-session")
        self.driver.get(self.app.base)
        self.follow("Sign in")
        self.visitor.wait(lambda: self.driver.title.split(" – ")[0] in
                          ("Sign in", "Pick an account", "Enter password") or self.driver.title.startswith("Hello"),
                          "the sign-in does not begin")
        if not self.driver.title.startswith("Hello"):
            self.type_credentials()
        self.visitor.wait(lambda: self.driver.title.startswith("Hello"), "no user is signed in")

    def sign_out(self, button=":not([formaction])"):
        visitor = self.visitor
        self.driver.get(self.app.base)
        root = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.CSS_SELECTOR, f"form[action='/signout'] button{button}").click()
        visitor.await_leaving(root)
        visitor.wait(lambda: self.driver.title.split(" – ")[0] in ("Sign out?", "You are signed out"), "no sign-out")
        if self.driver.title.startswith("Sign out?"):
            visitor.answer(None, "Sign out?", "button")
        visitor.await_page("You are signed out")
        visitor.look("signed-out")
        check(self.cookie("__Host-session") is None and self.driver.current_url.startswith(self.app.base),
              "the sign-out ends both sessions and comes back")
        self.driver.get(self.app.base)
        visitor.await_page("Welcome")

    def cookie(self, name):
        return self.driver.get_cookie(name)


def run_daemon(build, emulator):
    environment = {**os.environ, "EMULATOR": emulator.base, "MSAL_CA_FILE": emulator.ca_file}
    done = subprocess.run([str(build / "GraphDaemon")], env=environment, capture_output=True, text=True, timeout=60,
                          check=False)
    check(done.returncode == 0 and "Megan Bowen" in done.stdout, f"the daemon lists the users {done.stderr}")
    done = subprocess.run([str(build / "GraphDaemon")], env={
        **environment, "CREDENTIAL": "default", "SSL_CERT_FILE": emulator.ca_file, "AZURE_AUTHORITY_HOST": emulator.base,
        "AZURE_TENANT_ID": TENANT, "AZURE_CLIENT_ID": SERVICE, "AZURE_CLIENT_SECRET": "Emulator-secret-1",
        "AZURE_TOKEN_CREDENTIALS": "EnvironmentCredential"}, capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 0 and "Megan Bowen" in done.stdout,
          f"the daemon works with the identity that its environment describes{done.stderr if done.returncode else ''}")
    done = subprocess.run([str(build / "GraphDaemon")], env={**environment, "CLIENT_SECRET": "wrong"}, capture_output=True,
                          text=True, timeout=60, check=False)
    check(done.returncode == 1 and "AADSTS7000215" in done.stderr, "with a wrong secret the message says what to correct")


@contextlib.contextmanager
def running_app(build, emulator):
    app = WebApp(build, emulator)
    try:
        yield app
    finally:
        app.stop()


def visit_all(build, shots):
    with running_emulator(build, options=["--token-lifetime", TOKEN_LIFE]) as emulator:
        run_daemon(build, emulator)
        with running_app(build, emulator) as app:
            home = trusting_home(emulator.folder, emulator.ca_file)
            subprocess.run(["certutil", "-d", f"sql:{home / '.pki' / 'nssdb'}", "-A", "-t", "CP,,", "-n", "web",
                            "-i", str(app.certificate)], check=True)
            driver = open_chromium(emulator.folder, home)
            try:
                visitor = Visitor(driver, shots)
                journeys = Journeys(emulator, app, visitor)
                journeys.refuse_consent()
                journeys.sign_in_by_keyboard()
                journeys.renew_silently()
                journeys.meet_forgeries()
                journeys.lose_the_service()
                response = journeys.sign_in_without_scripts()
                journeys.replay(response)
                journeys.meet_an_odd_name()
                journeys.sign_out_elsewhere()
                journeys.sign_out()
                # Statuses of rejections are logged, as they should be.
                noise = [entry["message"] for entry in driver.get_log("browser")
                         if entry["level"] == "SEVERE"
                         and not any(f"the server responded with a status of {status}" in entry["message"]
                                     for status in (400, 403))]
            finally:
                driver.quit()
            output = app.output()
    missing = PAGES - set(visitor.seen)
    check(not missing, f"{len(visitor.seen)} pages were seen; pictures are in {shots} {', '.join(sorted(missing))}")
    check(not visitor.faults, "every page is usable in every color scheme and size" + "".join(f"\n    {one}" for one in visitor.faults))
    check(not noise, "the browser's console shows no error" + "".join(f"\n    {one}" for one in noise))
    check("eyJ" not in output and response["code"] not in output, "the application prints neither tokens nor codes")


def main():
    build, shots = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    visit_all(build, shots)


main()
