# Licensed under the MIT License. See LICENSE.
"""`msal login` with a real browser: Chromium shows the emulator's pages and carries the answer back.

usage: chromium.py BUILD_FOLDER SCREENSHOT_FOLDER

Each page is photographed in light, dark and phone size and must be usable: a title, a language, a label for every
field, no sideways scrolling on a phone, no error in the browser's console.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from harness import CLIENT_ID, PASSWORD, TENANT, USER, check, running_emulator

UNUSABLE = """
const faults = [];
if (!document.title.trim()) faults.push('no title');
if (!document.documentElement.lang) faults.push('no lang');
for (const field of document.querySelectorAll('input:not([type=hidden]), select, textarea')) {
    if (field.closest('[aria-hidden=true]')) continue;  // there for password managers only
    const named = field.labels && field.labels.length || field.getAttribute('aria-label')
        || field.getAttribute('aria-labelledby');
    if (!named) faults.push('no label: ' + field.name);
}
for (const button of document.querySelectorAll('button'))
    if (!(button.textContent.trim() || button.getAttribute('aria-label'))) faults.push('button without a name');
const root = document.documentElement;
if (root.scrollWidth > root.clientWidth) faults.push('scrolls sideways: ' + root.scrollWidth + ' > ' + root.clientWidth);
return faults;
"""
LOOKS = {
    "light": (1280, 800, "light", False),
    "dark": (1280, 800, "dark", False),
    "phone": (360, 740, "light", True),
    "phone-dark": (360, 740, "dark", True),
}


def trusting_profile(folder, ca_file):
    """A home folder whose certificate store trusts the emulator; Chromium reads it from HOME."""
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


class Visitor:
    def __init__(self, driver, shots):
        self.driver, self.shots, self.count, self.faults = driver, shots, 0, []

    def look(self, name):
        """Photographs the page in every look and notes what makes it unusable."""
        self.count += 1
        for look, (width, height, scheme, mobile) in LOOKS.items():
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.driver.save_screenshot(str(self.shots / f"{self.count:02}-{name}-{look}.png"))
            self.faults += [f"{name}, {look}: {fault}" for fault in self.driver.execute_script(UNUSABLE)]
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def find(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def button(self, *actions):
        for action in actions:
            for button in self.find(f'button[name="action"][value="{action}"]'):
                if button.is_displayed():
                    return button
        return None

    def walk(self):
        """Answers pages as a person would until the browser is back at the app."""
        deadline = time.monotonic() + 60
        while not self.driver.current_url.startswith("http://"):
            if time.monotonic() > deadline:
                raise SystemExit(f"FAILED: the pages do not come to an end, at {self.driver.title!r}")
            before = self.find("body")
            if fields := [f for f in self.find("input[name=passwd]") if f.is_displayed()]:
                self.look("password")
                fields[0].send_keys(PASSWORD)
                self.press(self.button("signin", "next"), before)
            elif fields := [f for f in self.find("input[name=login]") if f.is_displayed()]:
                self.look("name")
                fields[0].clear()
                fields[0].send_keys(USER)
                self.press(self.button("next", "signin"), before)
            elif tiles := self.find('button[name="account"]'):
                self.look("accounts")
                self.press(tiles[0], before)
            elif button := self.button("accept"):
                self.look("consent")
                self.press(button, before)
            elif button := self.button("yes"):
                self.look("stay-signed-in")
                self.press(button, before)
            else:
                time.sleep(0.1)

    def press(self, button, before):
        button.click()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                before[0].is_enabled()
            except Exception:  # The element is stale: the next page is there.
                return
            time.sleep(0.05)


def login(build, emulator, driver, shots):
    address = emulator.folder / "address"
    recorder = emulator.folder / "record"
    recorder.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {address}.part && mv {address}.part {address}\n')
    recorder.chmod(0o755)
    environment = {
        **os.environ, "BROWSER": str(recorder), "DISPLAY": os.environ.get("DISPLAY", ":99"),
        "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_AUTHORITY": f"{emulator.base}/{TENANT}",
        "MSAL_CA_FILE": emulator.ca_file, "MSAL_STORE_DIR": str(emulator.folder / "store"),
        "MSAL_GRAPH_URL": f"{emulator.base}/", "MSAL_SCOPES": "User.Read",
        "XDG_CONFIG_HOME": str(emulator.folder / "config"),
    }
    command = subprocess.Popen([str(build / "msal"), "login"], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        deadline = time.monotonic() + 20
        while not address.exists():
            if command.poll() is not None or time.monotonic() > deadline:
                command.kill()
                raise SystemExit(f"FAILED: msal login opened no browser\n{command.communicate()[0]}")
            time.sleep(0.05)
        visitor = Visitor(driver, shots)
        driver.get(address.read_text())
        visitor.walk()
        visitor.look("done")
        output, _ = command.communicate(timeout=30)
    finally:
        if command.poll() is None:
            command.kill()
    check(command.returncode == 0, f"msal login ends with success\n{output}")
    check(USER in output, "and names the user")
    token = subprocess.run([str(build / "msal"), "token", "--output", "raw"], env=environment, capture_output=True, text=True, timeout=30)
    check(token.returncode == 0 and token.stdout.count(".") >= 2, f"msal token gives a token without a browser {token.stderr}")
    return visitor


def main():
    build, shots = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    shutil.rmtree(shots, ignore_errors=True)
    shots.mkdir(parents=True)
    with running_emulator(build) as emulator:
        driver = open_chromium(emulator.folder, trusting_profile(emulator.folder, emulator.ca_file))
        try:
            visitor = login(build, emulator, driver, shots)
            # Chromium asks every site for an icon on its own; that is no fault of the pages.
            noise = [entry["message"] for entry in driver.get_log("browser")
                     if entry["level"] == "SEVERE" and "favicon.ico" not in entry["message"]]
        finally:
            driver.quit()
    check(visitor.count >= 3, f"{visitor.count} pages were seen; pictures are in {shots}")
    check(not visitor.faults, "every page is usable in every look" + "".join(f"\n    {one}" for one in visitor.faults))
    check(not noise, "the browser's console shows no error" + "".join(f"\n    {one}" for one in noise))


main()
