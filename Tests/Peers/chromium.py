# Licensed under the MIT License. See LICENSE.
"""A real browser: Chromium shows every page of the emulator and of the library, and returns the results to `msal`.

usage: chromium.py BUILD_FOLDER SCREENSHOT_FOLDER

Each page is photographed in light, dark and phone size and must be usable: a title, a language, a label for every
field, no sideways scrolling on a phone, readable colors, no error in the browser's console. The first sign-in uses
only the keyboard.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.parse

import requests

from harness import CLIENT_ID, PASSWORD, TENANT, USER, check, running_emulator
from visitor import Visitor, open_chromium, trusting_home

EXTERNAL = "fabrikam.example"
OTHER = "alex@contoso.example"
API = "api://00000000-0000-4000-8000-0000000000a1"
PAGES = {
    "accounts", "administrator", "blocked", "code", "consent", "console", "console-apps", "console-key",
    "console-add", "console-claims", "console-edit-app", "console-edit-user", "console-export", "console-groups",
    "console-people", "console-policies", "console-sign-ins", "console-token", "console-verdict", "create-account", "device",
    "device-declined", "device-done", "error", "error-number", "form-post", "home", "library-refused",
    "library-signed-in", "library-signed-out", "library-unexpected", "library-used-already", "name", "new-password", "not-found", "search",
    "password", "registration", "second-person", "sign-out", "sign-out-picker", "signed-out", "stay-signed-in", "terms",
    "wrong-name", "wrong-password",
}


class Command:
    """A run of `msal` that uses the visitor's browser."""

    def __init__(self, build, emulator, tenant, arguments):
        self.build, self.arguments = build, arguments
        self.address = emulator.folder / "address"
        recorder = emulator.folder / "record"
        recorder.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {self.address}.part && mv {self.address}.part {self.address}\n')
        recorder.chmod(0o755)
        self.environment = {
            **os.environ, "BROWSER": str(recorder), "DISPLAY": os.environ.get("DISPLAY", ":99"),
            "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_AUTHORITY": f"{emulator.base}/{tenant}", "MSAL_SCOPES": "User.Read",
            "MSAL_CA_FILE": emulator.ca_file, "MSAL_STORE_DIR": str(emulator.folder / "store"), "MSAL_STORE_KEY": "key-file",
            "XDG_CONFIG_HOME": str(emulator.folder / "config"),
        }

    def run(self, *arguments):
        return subprocess.run([str(self.build / "msal"), *arguments], env=self.environment, capture_output=True,
                              text=True, timeout=30, check=False)

    @contextlib.contextmanager
    def browsing(self):
        """The address to open; later, `status`, `output` and `complaint` describe the result."""
        self.address.unlink(missing_ok=True)
        process = subprocess.Popen([str(self.build / "msal"), *self.arguments], env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            deadline = time.monotonic() + 120
            while not self.address.exists():
                if process.poll() is not None or time.monotonic() > deadline:
                    process.kill()
                    raise SystemExit(f"FAILED: msal {self.arguments} opened no browser\n{process.communicate()[0]}")
                time.sleep(0.02)
            yield self.address.read_text()
            self.output, _ = process.communicate(timeout=30)
            self.status = process.returncode
            self.complaint = f"\n{self.output}" if self.status else ""
        finally:
            if process.poll() is None:
                process.kill()


class Journeys:
    def __init__(self, build, emulator, visitor):
        self.build, self.emulator, self.visitor = build, emulator, visitor

    @contextlib.contextmanager
    def msal(self, *arguments, tenant=TENANT):
        command = Command(self.build, self.emulator, tenant, arguments)
        with command.browsing() as address:
            self.visitor.driver.get(address)
            yield command

    def sign_in_by_keyboard(self):
        visitor = self.visitor
        with self.msal("login") as login:
            visitor.type("name", "Sign in", USER, "Next")
            visitor.type("password", "Enter password", PASSWORD, "Sign in")
            visitor.type("stay-signed-in", "Stay signed in?", "", "Yes")
            visitor.type("consent", "Permissions requested", "", "Accept")
            visitor.await_page("You are signed in")
            visitor.look("library-signed-in")
        check(login.status == 0 and USER in login.output, f"msal login ends with success and names the user{login.complaint}")
        token = login.run("token", "--output", "raw")
        check(token.returncode == 0 and token.stdout.count(".") >= 2, f"msal token needs no browser {token.stderr}")

    def sign_in_with_mistakes(self):
        visitor = self.visitor
        with self.msal("login", "--prompt", "select_account") as login:
            visitor.answer("accounts", "Pick an account", "other")
            visitor.answer("name", "Sign in", "next", loginfmt="nobody@contoso.example")
            visitor.answer("wrong-name", "Sign in", "next", loginfmt=USER)
            visitor.answer("password", "Enter password", "signin", passwd="wrong")
            visitor.answer("wrong-password", "Enter password", "cancel")
            visitor.await_page("Sign-in did not complete")
            visitor.look("library-refused")
        check(login.status != 0, "a sign-in that is declined on the page fails")

    def meet_the_receiver(self):
        """The library's pages for requests that it did not expect; the sign-in continues behind them."""
        login = Command(self.build, self.emulator, TENANT, ["login"])
        with login.browsing() as address:
            self.visitor.open(urllib.parse.urljoin(address, "/?code=made-up&state=wrong"), "library-unexpected")
            first = requests.get(address, allow_redirects=False, timeout=10)
            self.visitor.open(address, "library-used-already")
            self.visitor.driver.get(first.headers["Location"])
            self.visitor.await_page("You are signed in")
        check(login.status == 0, f"a signed-in user sees no page, and unexpected responses do no harm{login.complaint}")

    def meet_the_administrator(self):
        with self.msal("login", "--scope", "User.Read.All") as login:
            self.visitor.answer("administrator", "Need admin approval", "cancel")
            self.visitor.await_page("Sign-in did not complete")
        check(login.status != 0, "other users cannot grant an administrator's permission")

    def create_an_account(self):
        visitor = self.visitor
        with self.msal("login", "--prompt", "create", tenant=EXTERNAL) as login:
            visitor.answer("create-account", "Create account", "next", login="new@fabrikam.example", name="Nora New",
                           passwd=PASSWORD)
            self.to_the_app()
        check(login.status == 0, f"an account can be created{login.complaint}")

    def sign_in_with_a_code(self):
        visitor = self.visitor
        with self.msal("login", "--prompt", "login", tenant=EXTERNAL) as login:
            visitor.answer("name", "Sign in", "next", loginfmt="code@fabrikam.example")
            visitor.await_page("Enter code")
            visitor.answer("code", "Enter code", "verify", otc=self.code_sent())
            self.to_the_app()
        check(login.status == 0, f"an account can be signed in to with a code{login.complaint}")

    def code_sent(self):
        return self.emulator.steer("GET", "/outbox")["messages"][-1]["code"]

    def satisfy_policies(self):
        visitor = self.visitor
        self.emulator.steer("POST", "/policies", {"name": "All", "grant": ["mfa", "passwordChange", "termsOfUse"]})
        with self.msal("login", "--prompt", "login") as login:
            visitor.answer("name", "Sign in", "next", loginfmt=USER)
            visitor.answer("password", "Enter password", "signin", passwd=PASSWORD)
            visitor.answer("registration", "More information required", "register", contact="megan.second@contoso.example")
            visitor.answer("code", "Enter code", "verify", otc=self.code_sent())
            visitor.answer("new-password", "Update your password", "change", newpasswd="Brand-new-1", confirmnewpasswd="Brand-new-1")
            visitor.answer("terms", "Terms of use", "accept")
            self.to_the_app()
        check(login.status == 0, f"a user who meets the policies is signed in{login.complaint}")
        self.emulator.steer("PATCH", "/policies/All", {"grant": ["block"]})
        with self.msal("login", "--prompt", "login") as login:
            visitor.answer("name", "Sign in", "next", loginfmt=USER)
            visitor.answer("password", "Enter password", "signin", passwd="Brand-new-1")
            visitor.answer("blocked", "You cannot access this right now", "cancel")
            visitor.await_page("Sign-in did not complete")
        check(login.status != 0, "a user whom a policy blocks is not signed in")
        self.emulator.steer("DELETE", "/policies/All")

    def to_the_app(self):
        """A customer is asked whether to stay signed in, but not for consent, which an administrator has granted for all."""
        self.visitor.answer("stay-signed-in", "Stay signed in?", "no")
        self.visitor.await_page("You are signed in")

    def sign_in_on_devices(self):
        visitor, base = self.visitor, self.emulator.base
        for press, name, title in [("button[name=account]", "device-done", "You have signed in"),
                                   ("cancel", "device-declined", "You declined to sign in")]:
            begun = requests.post(f"{base}/{TENANT}/oauth2/v2.0/devicecode", verify=self.emulator.ca_file, timeout=10,
                                  data={"client_id": CLIENT_ID, "scope": "User.Read"}).json()
            visitor.driver.get(begun["verification_uri"])
            visitor.answer("device", "Enter code to allow access", "next", otc=begun["user_code"])
            visitor.answer("accounts", "Pick an account", press)
            visitor.await_page(title)
            visitor.look(name)

    def sign_out_one_of_two(self):
        visitor, base = self.visitor, self.emulator.base
        with self.msal("login", "--prompt", "select_account") as login:
            visitor.answer("accounts", "Pick an account", "other")
            visitor.answer("name", "Sign in", "next", loginfmt=OTHER)
            visitor.answer("password", "Enter password", "signin", passwd=PASSWORD)
            visitor.answer("stay-signed-in", "Stay signed in?", "no")
            visitor.answer("second-person", "Permissions requested", "accept")
            visitor.await_page("You are signed in")
        check(login.status == 0, f"a second person signs in at the same browser{login.complaint}")
        visitor.driver.get(f"{base}/{TENANT}/oauth2/v2.0/logout")
        visitor.answer("sign-out-picker", "Which account do you want to sign out of?", f"button[value='{OTHER}']")
        visitor.await_page("You signed out")

    def sign_out(self):
        visitor, base = self.visitor, self.emulator.base
        # To a browser, the same machine under another name is another site.
        visitor.driver.get(base.replace("localhost", "127.0.0.1"))
        visitor.driver.execute_script("location.href = arguments[0]", f"{base}/{TENANT}/oauth2/v2.0/logout")
        visitor.answer("sign-out", "Sign out?", "button")
        visitor.await_page("You signed out")
        visitor.look("signed-out")
        with self.msal("logout", "--account", USER, "--browser") as logout:
            self.visitor.await_page("You are signed out")
            self.visitor.look("library-signed-out")
        check(logout.status == 0, f"msal logout --browser completes{logout.complaint}")

    def look_around(self):
        visitor, base = self.visitor, self.emulator.base
        visitor.open(f"{base}/", "home")
        visitor.open(f"{base}/error?code=50011", "error-number")
        visitor.open(f"{base}/no/such/page", "not-found")
        request = {"client_id": CLIENT_ID, "response_type": "code", "scope": "User.Read", "code_challenge_method": "S256",
                   "code_challenge": "A" * 43, "redirect_uri": "https://elsewhere.example/", "state": "1"}
        visitor.open(f"{base}/{TENANT}/oauth2/v2.0/authorize?{urllib.parse.urlencode(request)}", "error")
        check("AADSTS50011" in visitor.driver.page_source, "a wrong redirect URI leads to the error page with its number")
        visitor.driver.get(self.emulator.control)
        visitor.answer("console-key", "Entra emulator", "button", token=self.emulator.control_token())
        visitor.look("console")
        for page in ("sign-ins", "people"):
            visitor.open(f"{self.emulator.control}/{page}", f"console-{page}")
        self.edit_the_directory()
        # No API accepts this, so the page shows reasons, too.
        token = self.emulator.steer("POST", "/tokens", {"user": USER, "api": API, "flaw": "expired"})["access_token"]
        visitor.driver.get(f"{self.emulator.control}/token")
        visitor.answer("console-token", "Token", "button", token=token)
        visitor.look("console-verdict")
        check("rejects it" in visitor.driver.page_source, "the console's pages say what there is, and what a token lacks")

    def edit_the_directory(self):
        """The console's forms; Microsoft Graph and the control API then have the same values."""
        visitor, control = self.visitor, self.emulator.control
        for page in ("applications", "groups", "policies", "tokenClaims"):
            visitor.open(f"{control}/list/{page}", f"console-{page.replace('tokenClaims', 'claims').replace('applications', 'apps')}")
        visitor.open(f"{control}/export", "console-export")
        visitor.open(f"{control}/add/tokenClaims", "console-add")
        visitor.open(f"{control}/edit/users/{USER}", "console-edit-user")
        visitor.driver.get(f"{control}/edit/applications/{CLIENT_ID}")
        title = visitor.driver.title.split(" – ")[0]
        visitor.answer("console-edit-app", title, "button:not([value])", **{
            "m.displayName": "Edited <b>", "m.optionalClaims": "upn\nctry"})
        visitor.await_page("Edited <b>")
        app = self.emulator.steer("GET", f"/applications/{CLIENT_ID}")
        check([claim["name"] for claim in app["optionalClaims"]] == ["upn", "ctry"] and app["displayName"] == "Edited <b>",
              "an application is edited in the console")

    def search_for_a_user(self):
        """A list of many users has a search field, which works without scripts."""
        visitor = self.visitor
        users = [{"userPrincipalName": f"person{n}@contoso.example", "displayName": f"Person {n}"} for n in range(50)]
        self.emulator.steer("POST", "/directory", {"users": [{**user, "password": PASSWORD} for user in users]})
        with self.msal("login", "--prompt", "login") as login:
            visitor.answer("name", "Sign in", "button[form=searchform]", search="person 49")
            visitor.answer("search", "Sign in", "button[value='person49@contoso.example']")
            visitor.answer(None, "Permissions requested", "accept")
            visitor.await_page("You are signed in")
        check(login.status == 0 and "person49" in login.output, f"a user is found among fifty{login.complaint}")

    def without_scripts(self):
        """Only the page between the emulator and a form post has a script; without scripts its button is pressed."""
        visitor = self.visitor
        visitor.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        with self.msal("login") as login:
            visitor.answer("name", "Sign in", "next", loginfmt=USER)
            visitor.answer("password", "Enter password", "signin", passwd=PASSWORD)
            visitor.answer("stay-signed-in", "Stay signed in?", "no")
            visitor.answer("form-post", "Returning to the application", "button")
            visitor.await_page("You are signed in")
        visitor.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        check(login.status == 0, f"everything works without scripts, too{login.complaint}")


def visit_all(build, shots):
    with running_emulator(build) as emulator:
        driver = open_chromium(emulator.folder, trusting_home(emulator.folder, emulator.ca_file))
        try:
            visitor = Visitor(driver, shots)
            journeys = Journeys(build, emulator, visitor)
            journeys.sign_in_by_keyboard()
            journeys.sign_in_with_mistakes()
            journeys.meet_the_receiver()
            journeys.meet_the_administrator()
            journeys.sign_in_on_devices()
            journeys.sign_out_one_of_two()
            journeys.sign_out()
            journeys.without_scripts()
            journeys.create_an_account()
            journeys.sign_in_with_a_code()
            journeys.satisfy_policies()
            journeys.look_around()
            journeys.search_for_a_user()
            # Chromium requests an icon from every site, and logs the statuses of error pages, as it should.
            noise = [entry["message"] for entry in driver.get_log("browser")
                     if entry["level"] == "SEVERE" and "favicon.ico" not in entry["message"]
                     and not any(f"the server responded with a status of {status}" in entry["message"]
                                 for status in (400, 404, 410))]
        finally:
            driver.quit()
    missing = PAGES - set(visitor.seen)
    check(not missing, f"{len(visitor.seen)} pages were seen; pictures are in {shots} {', '.join(sorted(missing))}")
    check(not visitor.faults, "every page is usable in every color scheme and size" + "".join(f"\n    {one}" for one in visitor.faults))
    check(not noise, "the browser's console shows no error" + "".join(f"\n    {one}" for one in noise))


def main():
    build, shots = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    visit_all(build, shots)


main()
