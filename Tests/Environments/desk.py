# Licensed under the MIT License. See LICENSE.
"""A desktop: an X server without a screen, the tools of xdg-utils, and a Chromium as the user's default browser, which the
desktop starts."""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess

from selenium.common.exceptions import WebDriverException

from harness import free_port
from machine import Skipped, await_
from visitor import attach_chromium, trusting_home

BROWSER = "contoso-browser.desktop"


class Desktop:
    """Added to the environment of a machine's programs."""

    def __init__(self, machine):
        if not shutil.which("Xvfb"):
            raise Skipped("Xvfb is not installed")
        self.machine, self.port = machine, free_port()
        self.home = trusting_home(machine.folder, machine.emulator.ca_file)
        self.runtime = machine.folder / "runtime"
        self.runtime.mkdir(mode=0o700)
        machine.environment |= {
            "PATH": f"{machine.programs}:/usr/bin:/bin", "HOME": str(self.home), "DISPLAY": self.display(),
            "XDG_RUNTIME_DIR": str(self.runtime),
        }
        self.install_browser()
        self.visitor = None

    def display(self):
        """Starts the X server, which chooses a free number."""
        server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

        def stop():
            server.terminate()
            server.wait(timeout=10)

        self.machine.ends.callback(stop)
        number = server.stdout.readline().strip()
        assert number, "the X server does not start"
        return f":{number}"

    def install_browser(self):
        """A desktop entry, and the user's choice of it, as written by a desktop's settings."""
        profile = self.machine.folder / "profile"
        options = [f"--user-data-dir={profile}", f"--remote-debugging-port={self.port}", "--no-first-run",
                   "--no-default-browser-check", "--password-store=basic", "--disable-gpu", "--disable-dev-shm-usage"]
        # Root, as in a container, cannot use Chromium's sandbox.
        options += ["--no-sandbox"] if os.getuid() == 0 else []
        log = self.machine.folder / "browser.log"
        program = self.machine.program(
            "contoso-browser", f'echo "$@" >> {log}\nexec /usr/bin/chromium {" ".join(options)} "$@" 2>> {log}')
        entries = self.home / ".local" / "share" / "applications"
        entries.mkdir(parents=True)
        (entries / BROWSER).write_text(
            f"[Desktop Entry]\nType=Application\nName=Contoso Browser\nExec={program} %u\n"
            "MimeType=text/html;x-scheme-handler/http;x-scheme-handler/https;\n", encoding="utf-8")
        # `xdg-settings` writes the same, but sleeps for eight seconds.
        self.machine.run("xdg-mime", "default", BROWSER, "x-scheme-handler/http", "x-scheme-handler/https")
        self.machine.ends.callback(self.close)

    def came(self):
        """Takes over the browser once the desktop has started it."""
        if not self.visitor:
            await_(self.is_open, "the desktop starts no browser", seconds=30)
            self.driver = attach_chromium(self.port, strategy="none")
            self.visitor = self.machine.person.visitor(self.driver)
        return self.visitor

    def is_open(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def land(self, heading="You are signed in"):
        """Fills in the pages until a tab shows the final page. The tab that was taken over may differ from the one with the
        address, because a starting browser opens and closes tabs of its own."""
        self.go_on(lambda: self.turn_to([heading]), seconds=40)

    def handles(self):
        """The open tabs; empty while the browser cannot list them."""
        try:
            return self.driver.window_handles
        except WebDriverException:
            return []

    def turn_to(self, titles):
        """Switches to a tab with one of these titles; false if there is none."""
        for handle in self.handles():
            with contextlib.suppress(WebDriverException):  # Tabs come and go.
                self.driver.switch_to.window(handle)
                if self.machine.person.title(self.visitor) in titles:
                    return True
        return False

    def go_on(self, until, seconds=25, left=()):
        """Fills in the pages of every tab, except those that were left behind, until a condition holds."""
        def answer():
            for handle in self.handles():
                if handle in left:
                    continue
                with contextlib.suppress(WebDriverException):
                    self.driver.switch_to.window(handle)
                    self.machine.person.answer(self.visitor)
            return until()
        await_(answer, lambda: f"after {self.machine.person.pages} the browser stays at {self.tabs()}; "
                               f"the last error was {self.machine.person.trouble!r}", seconds)

    def await_tab(self, titles):
        await_(lambda: self.turn_to(titles), lambda: f"no tab shows one of {titles}, but {self.tabs()}")

    def tabs(self):
        """The title and the beginning of the address of every tab."""
        found = []
        for handle in self.handles():
            with contextlib.suppress(WebDriverException):
                self.driver.switch_to.window(handle)
                found.append((self.driver.title, self.driver.current_url[:80]))
        return found

    def close(self):
        if self.visitor:
            with contextlib.suppress(WebDriverException):
                self.driver.execute_cdp_cmd("Browser.close", {})
            self.driver.service.stop()


def policies(**members):
    """Chromium's managed policies, only for this mount namespace."""
    place = pathlib.Path("/etc/chromium")
    preferences = (place / "master_preferences").read_text(encoding="utf-8") if place.is_dir() else "{}"
    assert place.is_dir(), "Chromium has no folder in /etc"
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(place)], check=True, timeout=10)
    (place / "master_preferences").write_text(preferences, encoding="utf-8")
    (place / "policies" / "managed").mkdir(parents=True)
    (place / "policies" / "managed" / "environments.json").write_text(json.dumps(members), encoding="utf-8")
