# Licensed under the MIT License. See LICENSE.
"""A person at a browser: checks each page for usability, and fills it in."""
import os
import subprocess
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

UNUSABLE = """
const faults = [], root = document.documentElement;
if (!document.title.trim()) faults.push('no title');
if (!root.lang) faults.push('no lang');
for (const field of document.querySelectorAll('input:not([type=hidden], [type=submit]), select, textarea')) {
    if (field.closest('[aria-hidden=true]')) continue;  // only for password managers
    const named = field.labels && field.labels.length || field.getAttribute('aria-label')
        || field.getAttribute('aria-labelledby');
    if (!named) faults.push('no label: ' + field.name);
}
for (const button of document.querySelectorAll('button'))
    if (!(button.textContent.trim() || button.getAttribute('aria-label'))) faults.push('button without a name');
if (root.scrollWidth > root.clientWidth) faults.push('scrolls sideways: ' + root.scrollWidth + ' > ' + root.clientWidth);

// WCAG 2.1, 1.4.3: the contrast between text and background is at least 4.5 to 1.
const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function rgba(color) {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data];
}
function over(top, below) {
    return [0, 1, 2].map(i => (top[i] * top[3] + below[i] * (255 - top[3])) / 255).concat(255);
}
function luminance(color) {
    const [r, g, b] = color.map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
}
const probe = document.createElement('i');
probe.style.color = 'Canvas';
document.body.append(probe);
const canvas = rgba(getComputedStyle(probe).color);
probe.remove();
for (const element of document.body.querySelectorAll('*')) {
    const text = [...element.childNodes].filter(n => n.nodeType == 3 && n.data.trim()).map(n => n.data.trim()).join(' ');
    if (!text || !element.checkVisibility() || element.tagName == 'SCRIPT') continue;
    let ancestors = [];
    for (let at = element; at; at = at.parentElement) ancestors.unshift(at);
    const behind = ancestors.reduce((color, at) => over(rgba(getComputedStyle(at).backgroundColor), color), canvas);
    const ink = rgba(getComputedStyle(element).color);
    ink[3] *= ancestors.reduce((all, at) => all * getComputedStyle(at).opacity, 1);
    const [dim, bright] = [luminance(over(ink, behind)), luminance(behind)].sort((a, b) => a - b);
    const contrast = (bright + .05) / (dim + .05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(1)}: ${text.slice(0, 30)}`);
}
return faults;
"""
LOOKS = {
    "light": (1280, 800, "light", False),
    "dark": (1280, 800, "dark", False),
    "phone": (360, 740, "light", True),
    "phone-dark": (360, 740, "dark", True),
}


def trusting_home(folder, ca_file):
    """A home folder whose certificate store trusts the emulator; Chromium finds it through HOME."""
    home = folder / "home"
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    database = f"sql:{store}"
    subprocess.run(["certutil", "-d", database, "-N", "--empty-password"], check=True)
    subprocess.run(["certutil", "-d", database, "-A", "-t", "C,,", "-n", "entra-emulator", "-i", ca_file], check=True)
    return home


def open_chromium(folder, home):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # Root, as in a container, cannot use Chromium's sandbox.
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder / 'profile'}"]
    for argument in arguments + (["--no-sandbox"] if os.getuid() == 0 else []):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service("/usr/bin/chromedriver", env={**os.environ, "HOME": str(home)})
    return webdriver.Chrome(options=options, service=service)


def attach_chromium(port, strategy="normal"):
    """Takes over a Chromium that another program started with this debugging port. `none` is for pages that lead to an app:
    such a page never finishes loading."""
    options = webdriver.ChromeOptions()
    options.page_load_strategy = strategy
    options.debugger_address = f"127.0.0.1:{port}"
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class Visitor:
    def __init__(self, driver, shots):
        self.driver, self.shots = driver, shots
        self.seen, self.faults = [], []

    def look(self, page):
        """Photographs a page in every color scheme and size, the first time it appears, and records usability problems.

        A page without a name is only passed through.
        """
        if page is None or page in self.seen:
            return
        self.seen.append(page)
        for look, (width, height, scheme, mobile) in LOOKS.items():
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.resize(width, height, mobile)
            # The whole page is photographed, however long it is.
            self.resize(width, self.driver.execute_script("return document.documentElement.scrollHeight"), mobile)
            self.driver.save_screenshot(str(self.shots / f"{len(self.seen):02}-{page}-{look}.png"))
            self.faults += [f"{page}, {look}: {fault}" for fault in self.driver.execute_script(UNUSABLE)]
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def resize(self, width, height, mobile):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})

    def open(self, url, page):
        self.driver.get(url)
        self.look(page)

    def answer(self, page, title, press, **fields):
        """Waits for the page with a title, checks it, fills it in and presses the button with a value."""
        self.await_page(title)
        self.look(page)
        for field, text in fields.items():
            element = self.driver.find_element(By.NAME, field)
            element.clear()
            element.send_keys(text)
        root = self.driver.find_element(By.TAG_NAME, "html")
        shown = {"signin": "Sign in"}.get(press, press)
        selector = press if press.startswith("button") else f"button[value='{press}'], input[type=submit][value='{shown}' i]"
        self.driver.find_element(By.CSS_SELECTOR, selector).click()
        self.await_leaving(root)

    def type(self, page, title, text, button):
        """The same with only the keyboard: the text field has the focus, and Tab reaches the button."""
        self.await_page(title)
        self.look(page)
        root = self.driver.find_element(By.TAG_NAME, "html")
        if text:
            self.driver.switch_to.active_element.send_keys(text)
        for _ in range(10):
            focused = self.driver.switch_to.active_element
            if button in (focused.text, focused.get_attribute("value")):
                break
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        else:
            self.faults.append(f"{page}: Tab does not reach “{button}”")
            return
        if focused.value_of_css_property("outline-style") == "none":
            self.faults.append(f"{page}: the focus on “{button}” is not visible")
        ActionChains(self.driver).send_keys(Keys.ENTER).perform()
        self.await_leaving(root)

    def await_page(self, title):
        self.wait(lambda: self.driver.title.split(" – ")[0] == title, f"“{title}” does not appear")

    def await_leaving(self, root):
        def is_gone():
            try:
                root.is_enabled()
                return False
            except WebDriverException:  # The element is stale, because the next page has loaded.
                return True
        self.wait(is_gone, "the page stays")

    def wait(self, condition, fault):
        deadline = time.monotonic() + 20
        while not condition():
            if time.monotonic() > deadline:
                text = self.driver.find_element(By.TAG_NAME, "body").text
                raise SystemExit(f"FAILED: {fault}; it shows “{self.driver.title}”, {text[:300]!r}")
            time.sleep(0.02)
