# Licensed under the MIT License. See LICENSE.
"""The demo on a desktop: it opens a Chromium of its own that trusts the emulator, and leaves nothing behind.

usage: demo.py BUILD_FOLDER
"""
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

from selenium.common.exceptions import WebDriverException

from harness import PASSWORD, USER, check, free_port
from visitor import Visitor, attach_chromium


class Demo:
    """A run of the demo. The Chromium that it finds needs no screen, and can be steered."""

    def __init__(self, build, folder):
        self.temporary, programs, self.port = folder / "tmp", folder / "bin", free_port()
        programs.mkdir()
        self.temporary.mkdir()
        chromium = programs / "chromium"
        chromium.write_text(f'#!/bin/sh\nexec /usr/bin/chromium --headless=new --remote-debugging-port={self.port} "$@"\n')
        chromium.chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "DISPLAY": ":99",
                       "TMPDIR": str(self.temporary), "XDG_STATE_HOME": str(folder / "state")}
        self.process = subprocess.Popen([str(build / "Demo")], env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def await_browser(self):
        deadline = time.monotonic() + 30
        while not self.has_browser():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.terminate()
                raise SystemExit(f"FAILED: the demo opens no Chromium\n{self.process.communicate()[0]}")
            time.sleep(0.05)

    def has_browser(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self, status, text):
        output, _ = self.process.communicate(timeout=30)
        check(self.process.returncode == status and text in output,
              f"the demo ends with status {status} and says: {text}{'' if text in output else output}")
        check(not self.has_browser(), "its browser is closed")
        rest = [str(path.relative_to(self.temporary)) for path in self.temporary.rglob("*")]
        check(not rest, f"its files are gone {rest or ''}")


@contextlib.contextmanager
def watched(build):
    with tempfile.TemporaryDirectory() as folder:
        demo = Demo(build, pathlib.Path(folder))
        try:
            demo.await_browser()
            driver = attach_chromium(demo.port)
            try:
                yield demo, Visitor(driver, None)
            finally:
                driver.service.stop()
        finally:
            if demo.process.poll() is None:
                demo.process.terminate()
                demo.process.wait()


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with watched(build) as (demo, visitor):
        # A browser that distrusts the emulator would show a warning in the place of the first page.
        visitor.answer(None, "Sign in", "next", login=USER)
        visitor.answer(None, "Enter password", "signin", passwd=PASSWORD)
        visitor.answer(None, "Stay signed in?", "no")
        with contextlib.suppress(WebDriverException):  # The demo closes the window as soon as it has its answer.
            visitor.answer(None, "Permissions requested", "accept")
        demo.end(0, f"Signed in as {USER}")

    with watched(build) as (demo, visitor):
        visitor.await_page("Sign in")
        demo.process.send_signal(signal.SIGINT)
        demo.end(1, "The demo failed")

    with watched(build) as (demo, visitor):
        visitor.await_page("Sign in")
        with contextlib.suppress(WebDriverException):
            visitor.driver.execute_cdp_cmd("Browser.close", {})
        demo.end(1, "The browser's window was closed.")


main()
