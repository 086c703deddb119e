# Licensed under the MIT License. See LICENSE.
"""A browser app signs in, renews its tokens, and reads /me in Chromium; a page of another origin is blocked.

usage: browser_app.py BUILD_FOLDER
"""
import functools
import http.server
import json
import pathlib
import string
import sys
import threading
import time

from selenium.webdriver.common.by import By

from harness import PASSWORD, TENANT, USER, check, running_emulator
from visitor import Visitor, open_chromium, trusting_home

CLIENT = "cccc0000-0000-4000-8000-000000000004"
PAGE = string.Template(pathlib.Path(__file__).with_suffix(".html").read_text())


class Site(http.server.BaseHTTPRequestHandler):
    def __init__(self, page, *arguments):
        self.page = page
        super().__init__(*arguments)

    def do_GET(self):
        found = self.path.split("?")[0] == "/app"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.page.encode() if found else b"")

    def log_message(self, *arguments):
        pass


def serve(page):
    """Serves a page at a free port, and returns the port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, page))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def result(driver, seconds=30):
    """What the page shows, as soon as it shows something."""
    deadline = time.monotonic() + seconds
    while not (text := driver.find_element(By.ID, "result").text):
        assert time.monotonic() < deadline, f"the page shows no result: {driver.get_log('browser')}"
        time.sleep(0.1)
    return json.loads(text)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with running_emulator(build) as emulator:
        emulator.steer("POST", "/applications", {
            "clientId": CLIENT, "type": "singlePage", "displayName": "Browser app", "redirectUris": ["http://localhost/app"]})
        port = serve(PAGE.substitute(base=emulator.base, tenant=TENANT, client=CLIENT))
        driver = open_chromium(emulator.folder, trusting_home(emulator.folder, emulator.ca_file))
        try:
            visitor = Visitor(driver, emulator.folder)
            driver.get(f"http://localhost:{port}/app")
            driver.find_element(By.ID, "sign-in").click()
            visitor.answer(None, "Sign in", "next", loginfmt=USER)
            visitor.answer(None, "Enter password", "signin", passwd=PASSWORD)
            visitor.answer(None, "Stay signed in?", "no")
            visitor.answer(None, "Permissions requested", "accept")
            visitor.await_page("Browser app")
            shown = result(driver)
            check(shown.get("user") == USER, f"the app signs {USER} in with PKCE, and reads /me {shown}")
            check(shown.get("renewed") is True, "the app renews its tokens without the user")
            check(shown.get("error") == [54005], "the app can read the error for a spent code")
            # The same page at another origin, for which no redirect URI is registered.
            driver.get(f"http://127.0.0.1:{port}/app?stolen=code")
            shown = result(driver)
            check("Failed to fetch" in shown.get("blocked", ""), f"the browser blocks a page of another origin {shown}")
            complaints = [entry["message"] for entry in driver.get_log("browser") if "CORS" in entry["message"]]
            check(len(complaints) == 1, "because the response does not allow its origin")
        finally:
            driver.quit()


main()
