# Licensed under the MIT License. See LICENSE.
"""An unmodified browser test for Microsoft's pages runs against the emulator: it signs in, passes the second factor, consents,
and signs out. Only the address of the sign-in differs, as it does from app to app.

usage: real_pages.py BUILD_FOLDER

`Microsoft` below finds elements only by what the real pages have. Sources: the Cypress guide “Azure Active Directory
Authentication” (the field of type email, the one of type password, the input of type submit, idBtn_Back), and the browser tests of
MSAL for Java (i0116, i0118, idSIButton9, idBtn_Back).
"""
import base64
import hashlib
import pathlib
import sys
import urllib.parse

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.ui import WebDriverWait

from harness import CLIENT_ID, PASSWORD, TENANT, USER, check, running_emulator
from visitor import open_chromium, trusting_home

REDIRECT = "http://localhost:1/"
OTHER = "alex@contoso.example"


class Microsoft:
    """The pages of login.microsoftonline.com."""

    def __init__(self, driver):
        self.driver, self.wait = driver, WebDriverWait(driver, 30)
        self.leave = WebDriverWait(driver, 30, ignored_exceptions=[WebDriverException])

    def click(self, selector):
        """Presses an element, and waits until its page is gone."""
        element = self.wait.until(expected.element_to_be_clickable((By.CSS_SELECTOR, selector)))
        element.click()
        # While a page unloads, chromedriver may report an error for its elements other than a stale reference.
        self.leave.until(expected.staleness_of(element))

    def type(self, selector, text):
        self.wait.until(expected.element_to_be_clickable((By.CSS_SELECTOR, selector))).send_keys(text)

    def user_name(self, name):
        self.type("input[type='email'][name='loginfmt']#i0116", name)
        self.click("input[type='submit']#idSIButton9")

    def password(self, password):
        self.type("input[type='password'][name='passwd']#i0118", password)
        self.click("input[type='submit']#idSIButton9")

    def second_factor(self, code):
        self.type("input[name='otc']#idTxtBx_SAOTCC_OTC", code)
        self.click("input[type='submit']#idSubmit_SAOTCC_Continue")

    def stay_signed_in(self, stay):
        self.click("input[type='submit']#idSIButton9" if stay else "#idBtn_Back")

    def consent(self):
        self.click("input[type='submit']#idBtn_Accept")

    def tile(self, name):
        self.click(f"[data-test-id='{name}']")

    def another_account(self):
        self.click("#otherTile")

    def landed(self):
        """The parameters with which the app is called."""
        self.wait.until(expected.url_contains(REDIRECT))
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.driver.current_url).query))


def address(emulator, **more):
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 43).digest()).rstrip(b"=").decode()
    parameters = {"client_id": CLIENT_ID, "response_type": "code", "redirect_uri": REDIRECT, "state": "s", "scope": "User.Read openid",
                  "code_challenge": challenge, "code_challenge_method": "S256", **more}
    return f"{emulator.base}/{TENANT}/oauth2/v2.0/authorize?{urllib.parse.urlencode(parameters)}"


def newest_code(emulator):
    return emulator.steer("GET", "/outbox")["messages"][-1]["code"]


def run(build):
    with running_emulator(build) as emulator:
        emulator.steer("PATCH", f"/users/{USER}", {"strongMethods": [{"channel": "sms", "address": "+1 555 0101"}]})
        emulator.steer("POST", "/policies", {"name": "MFA for Megan", "users": [USER], "grant": ["mfa"]})
        driver = open_chromium(emulator.folder, trusting_home(emulator.folder, emulator.ca_file))
        try:
            pages = Microsoft(driver)
            driver.get(address(emulator))
            pages.user_name(USER)
            pages.password(PASSWORD)
            pages.second_factor(newest_code(emulator))
            pages.stay_signed_in(False)
            pages.consent()
            check("code" in pages.landed(), "the script signs in, passes the second factor, and consents")
            driver.get(address(emulator, prompt="select_account"))
            pages.another_account()
            pages.user_name(OTHER)
            pages.password(PASSWORD)
            pages.stay_signed_in(True)
            pages.consent()
            check("code" in pages.landed(), "another user signs in with the same browser, and stays signed in")
            driver.get(address(emulator, prompt="select_account"))
            pages.tile(USER)
            check("code" in pages.landed(), "the first user's tile needs no password")
            driver.get(f"{emulator.base}/{TENANT}/oauth2/v2.0/logout")
            pages.tile(USER)
            driver.get(address(emulator, prompt="none", login_hint=USER))
            check(pages.landed().get("error") == "login_required", "the first user signs out with her tile")
            driver.get(address(emulator, prompt="none", login_hint=OTHER))
            check("code" in pages.landed(), "the other user is still signed in")
        finally:
            driver.quit()


if __name__ == "__main__":
    run(pathlib.Path(sys.argv[1]).resolve())
