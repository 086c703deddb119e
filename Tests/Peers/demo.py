# Licensed under the MIT License. See LICENSE.
"""The demo and `entra-emulator browse` on a desktop: each opens a separate Chromium that trusts the emulator, and
leaves nothing behind.

usage: demo.py BUILD_FOLDER
"""
import contextlib
import fcntl
import os
import pathlib
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time

from selenium.common.exceptions import WebDriverException

from harness import PASSWORD, USER, check, free_port, running_emulator
from visitor import Visitor, attach_chromium


class Demo:
    """A run of the demo. The Chromium that it finds needs no screen, and can be controlled."""

    name = "the demo"

    def __init__(self, build, folder):
        # Neither the space nor the letter may be percent-encoded.
        self.temporary, programs, self.port = folder / "tmp of José", folder / "bin", free_port()
        programs.mkdir()
        self.temporary.mkdir()
        chromium = programs / "chromium"
        chromium.write_text(f'#!/bin/sh\nexec /usr/bin/chromium --headless=new --remote-debugging-port={self.port} "$@"\n')
        chromium.chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "DISPLAY": ":99",
                       "TMPDIR": str(self.temporary), "XDG_STATE_HOME": str(folder / "state of José")}
        self.start(self.command(build), environment)

    def command(self, build):
        return [str(build / "Demo")]

    def start(self, command, environment):
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def await_browser(self):
        deadline = time.monotonic() + 30
        while not self.has_browser():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.terminate()
                raise SystemExit(f"FAILED: {self.name} opens no Chromium\n{self.process.communicate()[0]}")
            time.sleep(0.05)

    def has_browser(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self, status, text):
        output, _ = self.process.communicate(timeout=30)
        check(self.process.returncode == status and text in output,
              f"{self.name} exits with status {status} and prints: {text}{'' if text in output else output}")
        self.check_nothing_is_left()

    def check_nothing_is_left(self):
        check(not self.has_browser(), "its browser is closed")
        rest = [str(path.relative_to(self.temporary)) for path in self.temporary.rglob("*")]
        check(not rest, f"its files are gone {rest or ''}")


class Browse(Demo):
    """A run of `entra-emulator browse` with a running emulator."""

    name = "entra-emulator browse"
    emulator = None

    def command(self, build):
        state = str(pathlib.Path(self.emulator.ca_file).parent)
        return [str(build / "entra-emulator"), "browse", "--port", str(self.emulator.port), "--state", state]


class DemoInTerminal(Demo):
    """A run of the demo in a separate terminal, which can be closed."""

    def start(self, command, environment):
        self.terminal, inside = pty.openpty()
        self.process = subprocess.Popen(command, env=environment, stdin=inside, stdout=inside, stderr=inside,
                                        start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(inside)

    def close_terminal(self):
        os.close(self.terminal)
        status = self.process.wait(timeout=30)
        check(status == 1, f"the demo exits when its terminal is closed {status}")
        self.check_nothing_is_left()


@contextlib.contextmanager
def watched(build, kind=Demo):
    with tempfile.TemporaryDirectory() as folder:
        demo = kind(build, pathlib.Path(folder))
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
        # A browser that does not trust the emulator would show a warning instead of the first page.
        visitor.answer(None, "Sign in", "next", loginfmt=USER)
        visitor.answer(None, "Enter password", "signin", passwd=PASSWORD)
        visitor.answer(None, "Stay signed in?", "no")
        with contextlib.suppress(WebDriverException):  # The demo closes the window as soon as it has the response.
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

    with watched(build, DemoInTerminal) as (demo, visitor):
        visitor.await_page("Sign in")
        demo.close_terminal()

    with running_emulator(build) as Browse.emulator:
        with watched(build, Browse) as (browse, visitor):
            visitor.await_page("Entra emulator")
            browse.process.send_signal(signal.SIGINT)
            browse.end(0, "The browser's profile was deleted.")

        with watched(build, Browse) as (browse, visitor):
            visitor.await_page("Entra emulator")
            with contextlib.suppress(WebDriverException):
                visitor.driver.execute_cdp_cmd("Browser.close", {})
            browse.end(0, "The browser's profile was deleted.")

    for address in ["nonsense", "http://login.microsoftonline.com/common", "https://"]:
        run = subprocess.run([str(build / "Demo"), "--authority", address, "--client-id", "x"], text=True,
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=30, check=False)
        check(run.returncode == 1 and address in run.stderr, f"the demo rejects the authority {address}")


main()
