# Licensed under the MIT License. See LICENSE.
"""Private windows of real browsers: an app opens its page in one, another page is opened in a normal window of the same browser,
and its profile is searched afterwards. It must contain the other page, but not that of the sign-in."""
import contextlib
import os
import pathlib
import shutil
import signal

from desk import Desktop
from machine import Skipped, await_

APP = "com.contoso.app"
# A page of the emulator that is not part of this app's sign-in.
OTHER = "/devicelogin"
FIREFOX = {
    # No start page, and no downloads before the first page.
    "browser.aboutwelcome.enabled": "false", "browser.shell.checkDefaultBrowser": "false",
    "browser.startup.homepage_override.mstone": '"ignore"', "datareporting.policy.dataSubmissionEnabled": "false",
    "termsofuse.bypassNotification": "true", "browser.sessionstore.resume_from_crash": "false",
}


class Browser:
    """The desktop's default browser, with a separate profile."""

    def __init__(self, machine, program, options, private, history):
        """`private`: Its option for a private window. `history`: The file of the profile with the visited pages."""
        if not shutil.which(program):
            raise Skipped(f"{program} is not installed")
        self.machine, self.history = machine, history
        self.desktop = Desktop(machine)
        self.profile, self.process = machine.folder / "private-profile", machine.folder / "browser.pid"
        self.profile.mkdir()
        self.command = [program, *options]
        command = machine.program("private-browser", f'echo $$ > {self.process}.part && mv {self.process}.part {self.process}\n'
                                  f'exec {program} {" ".join(options)} "$@" > {machine.folder}/private-browser.log 2>&1')
        (self.desktop.home / ".local/share/applications/private-browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Private Browser\nExec={command} %u\n"
            "MimeType=x-scheme-handler/http;x-scheme-handler/https;\nActions=new-private-window;\n"
            f"[Desktop Action new-private-window]\nName=New Private Window\nExec={command} {private} %u\n", encoding="utf-8")
        machine.run("xdg-mime", "default", "private-browser.desktop", "x-scheme-handler/http", "x-scheme-handler/https")
        machine.ends.callback(self.end_private)

    def visits(self):
        """Waits until the app opens its page, and then opens another one in a normal window. The browser ends in between, because how a
        command reaches a running browser differs by version and desktop. It writes its files when it ends."""
        before = self.pages()
        app = self.machine.begin(str(self.machine.bench.build / "EnvironmentApp"), APP, "private", stays=True)
        await_(lambda: self.pages() > before, "the browser does not fetch the page", seconds=120, gone=lambda: app.poll() is not None)
        self.end_private()
        app.stop()
        usual = self.machine.begin(*self.command, f"{self.machine.emulator.base}{OTHER}")
        await_(self.remembers, lambda: f"a normal window leaves its page only in {self.traces(OTHER)}", seconds=120)
        self.end(usual.process.pid)

    def pages(self):
        """How often the page of the sign-in was fetched. Only the browser fetches the address."""
        return sum(entry["method"] == "GET" and entry["path"].endswith("/authorize") for entry in self.machine.emulator.journal())

    def end_private(self):
        if self.process.exists():
            self.end(int(self.process.read_text()))
            self.process.unlink()

    def end(self, number):
        """Ends a process of the browser as a logout does, with a signal that makes it write its files."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGTERM)
        gone = pathlib.Path(f"/proc/{number}")
        await_(lambda: not gone.exists() or "\nState:\tZ" in (gone / "status").read_text(), "the browser does not end", seconds=60)

    def remembers(self):
        """Whether the history contains the other page, in its file or in the log next to it."""
        return any(name.startswith(self.history) for name in self.traces(OTHER))

    def traces(self, word):
        """The files of the profile that contain a part of an address."""
        found = []
        # The browser may be running, so files and folders come and go.
        for file in sorted(pathlib.Path(folder, name) for folder, _, names in os.walk(self.profile) for name in names):
            with contextlib.suppress(FileNotFoundError):
                if file.is_file() and not file.is_symlink() and word.encode() in file.read_bytes():
                    found.append(str(file.relative_to(self.profile)))
        return found


def leaves_nothing(browser):
    browser.visits()
    for word in ("/oauth2/v2.0/authorize", "/start/"):
        assert browser.traces(word) == [], f"{word} is in {browser.traces(word)}"
    assert browser.remembers(), "the other page is missing, too"
    return f"browser; {browser.history} has the page of a normal window"


def chromium(machine):
    options = [f"--user-data-dir={machine.folder}/private-profile", "--no-first-run", "--no-default-browser-check",
               "--password-store=basic", "--disable-gpu", "--disable-dev-shm-usage"]
    # Root, as in a container, cannot use Chromium's sandbox.
    options += ["--no-sandbox"] if os.getuid() == 0 else []
    return leaves_nothing(Browser(machine, "/usr/bin/chromium", options, "--incognito", "Default/History"))


def firefox(machine):
    browser = Browser(machine, "/usr/bin/firefox-esr", ["--profile", f"{machine.folder}/private-profile"],
                      "--private-window", "places.sqlite")
    # A profile has its own list of authorities, in the same format as Chromium's.
    shutil.copytree(browser.desktop.home / ".pki" / "nssdb", browser.profile, dirs_exist_ok=True)
    (browser.profile / "user.js").write_text("".join(f'user_pref("{name}", {value});\n' for name, value in FIREFOX.items()))
    return leaves_nothing(browser)


CASES = {
    "Chromium's private window leaves nothing in its profile": chromium,
    "Firefox's private window leaves nothing in its profile": firefox,
}
