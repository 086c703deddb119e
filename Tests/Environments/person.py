# Licensed under the MIT License. See LICENSE.
"""A person with a Chromium who handles every page of a sign-in."""
import contextlib
import time

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

from harness import PASSWORD, USER
from visitor import Visitor, open_chromium, trusting_home

# By title: the name of the picture, the button, and the fields. `None` means the user name.
PAGES = {
    "Sign in": ("name", "#idSIButton9", {"loginfmt": None}),
    "Enter password": ("password", "#idSIButton9", {"passwd": PASSWORD}),
    "Stay signed in?": ("stay-signed-in", "#idSIButton9", {}),
    "Permissions requested": ("consent", "#idBtn_Accept, button[value=accept]", {}),
    "Pick an account": ("accounts", "button[name=account][value='{user}'], #otherTile", {}),
    "Enter code to allow access": ("device", "#idSIButton9", {}),
}


# A press can be lost, because the page was resized or its button did not exist yet.
PRESS_AGAIN = 3


class Person:
    """The browser starts with the first page that is opened."""

    def __init__(self, folder, emulator, shots):
        self.folder, self.emulator, self.shots = folder, emulator, shots
        self.home = trusting_home(folder, emulator.ca_file)
        self.usual, self.user = None, USER
        # What was photographed, and the usability problems, for all browsers.
        self.seen, self.faults = [], []
        self.pages, self.answered, self.trouble = [], {}, None

    def visitor(self, driver):
        visitor = Visitor(driver, self.shots)
        visitor.seen, visitor.faults = self.seen, self.faults
        return visitor

    @property
    def driver(self):
        if self.usual is None:
            self.usual = self.visitor(open_chromium(self.folder, self.home))
        return self.usual.driver

    def forget(self):
        """Ends all sessions in the browser."""
        self.pages, self.answered, self.user = [], {}, USER
        if self.usual:
            self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def sign_in(self, address, until=None):
        """Opens an address and fills in the pages until a condition holds, or the final page is shown."""
        self.open(address)
        self.go_on(until or self.landed())

    def open(self, address):
        with contextlib.suppress(WebDriverException):  # There may be no page, as on a closed port.
            self.driver.get(address)

    def go_on(self, until, visitor=None, seconds=40):
        visitor = visitor or self.usual
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline:
                raise AssertionError(f"after {self.pages} the browser stays at {self.shown(visitor)}")
            if not self.answer(visitor):
                time.sleep(0.02)

    def answer(self, visitor):
        """Fills in the current page, and again only if it stays; false if there is nothing to do."""
        try:
            title, root = self.title(visitor), visitor.driver.find_element(By.TAG_NAME, "html").id
            if title not in PAGES or time.monotonic() < self.answered.get(root, 0) + PRESS_AGAIN:
                return False
            name, button, fields = PAGES[title]
            visitor.look(name)
            for field, text in fields.items():
                element = visitor.driver.find_element(By.NAME, field)
                element.clear()
                element.send_keys(text or self.user)
            press = visitor.driver.find_element(By.CSS_SELECTOR, button.replace("{user}", self.user))
            self.pages.append(title)
            self.answered[root] = time.monotonic()
            press.click()
            return True
        except WebDriverException as error:  # Pages come and go, and the app may be fast.
            self.trouble = error.msg
            return False

    def type_code(self, code):
        """Signs in on the page for devices."""
        self.open(f"{self.emulator.base}/devicelogin")
        self.driver.find_element(By.NAME, "otc").send_keys(code)
        self.go_on(self.landed("You have signed in"))
        self.usual.look("device-done")

    def decline(self, address, heading):
        """Presses Cancel on the first page."""
        self.open(address)
        self.driver.find_element(By.CSS_SELECTOR, "button[value=cancel]").click()
        self.go_on(self.landed(heading))

    def title(self, visitor=None):
        try:
            return (visitor or self.usual).driver.title.split(" – ")[0]
        except WebDriverException:  # Between two pages.
            return ""

    def shown(self, visitor=None):
        """Describes the page, for finding out why it is shown."""
        driver = (visitor or self.usual).driver
        text = driver.find_element(By.TAG_NAME, "body").text
        return f"“{driver.title}”, {text[:300]!r}; the last error was {self.trouble!r}"

    def landed(self, heading="You are signed in", visitor=None):
        """Whether the browser shows the final page."""
        return lambda: self.title(visitor) == heading

    def leave(self):
        if self.usual:
            self.driver.quit()
