# Licensed under the MIT License. See LICENSE.
"""A real browser shows pages of the site that scripts/docs built, photographs them, and searches them.

usage: browser.py SITE SCREENSHOT_FOLDER [PAGE]...

Each page is looked at in light and dark, on a desktop and at a phone's width; those of Sphinx also without scripts, and for
contrast, labels, and names. A page must have a title and a heading, must not scroll sideways, and must load nothing from another
host, and nothing may be in the browser's log. A page is an address without its first slash.
"""
import functools
import http.server
import pathlib
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Peers"))
from visitor import LOOKS, UNUSABLE, open_chromium  # noqa: E402

PAGES = [
    "index.html", "pages.html", "Quickstart.html", "SignInModes.html", "services/SharedStore.html", "emulator/index.html",
    "reference/Store.html", "CONTRIBUTING.html", "Examples/NewApp/index.html", "manual/msal-token.html", "documentation/",
    "documentation/msal/", "documentation/msal/msalpublicclientapplication/", "documentation/msal/msalinternalerror/",
    "documentation/msalserver/", "documentation/entraemulator/", "documentation/entraemulatortesting/",
]
SEARCH = "search.html?q=keyring"
# DocC's pages have a heading once their script has run.
READY = "return document.readyState == 'complete' && !!document.querySelector('h1')"
FAULTS = """
const faults = [];
if (!document.title.trim()) faults.push('no title');
if (/not found/i.test(document.querySelector('h1').textContent)) faults.push('not found');
scrollTo(1000, 0);
if (/no preview/i.test(document.body.innerText)) faults.push('has a preview that there is not');
for (const {name} of performance.getEntriesByType('resource'))
    if (new URL(name).origin != location.origin) faults.push(`loads ${name}`);
if (scrollX > 0) faults.push(`scrolls sideways by ${scrollX}`);
return faults;
"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def serve(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def wait(driver):
    deadline = time.monotonic() + 10
    while not driver.execute_script(READY):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    time.sleep(0.4)  # Colors fade from one scheme to the other.
    return True


def look(driver, address, page, shots):
    """The faults of a page in every look."""
    looks = LOOKS if page.startswith("documentation/") else {**LOOKS, "no-scripts": LOOKS["phone"]}
    for name, (width, height, scheme, mobile) in looks.items():
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": name == "no-scripts"})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
        driver.get(f"{address}/{page}")
        if not wait(driver):
            yield f"{page}, {name}: nothing is shown"
            continue
        driver.save_screenshot(str(shots / f"{page.replace('/', '-')}-{name}.png"))
        scripts = [FAULTS] if page.startswith("documentation/") else [FAULTS, UNUSABLE]
        yield from (f"{page}, {name}: {fault}" for script in scripts for fault in driver.execute_script(script))
        yield from (f"{page}, {name}: {entry['message']}" for entry in driver.get_log("browser"))


def searched(driver, address):
    """The fault of the search, which runs in the browser."""
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    driver.get(f"{address}/{SEARCH}")
    deadline = time.monotonic() + 10
    while not driver.execute_script("return document.querySelectorAll('#search-results li a').length"):
        if time.monotonic() > deadline:
            return [f"{SEARCH}: finds nothing"]
        time.sleep(0.1)
    return []


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    address, shots, pages = serve(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:] or PAGES
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        driver = open_chromium(pathlib.Path(folder), pathlib.Path(folder))
        try:
            faults = [fault for page in pages for fault in look(driver, address, page, shots)] + searched(driver, address)
        finally:
            driver.quit()
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(pages)} pages in {len(LOOKS)} looks, {len(faults)} faults.")
    sys.exit(1 if faults else 0)


main()
