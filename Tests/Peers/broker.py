# Licensed under the MIT License. See LICENSE.
"""The built `msal` with an independent identity broker on a separate session bus: sign-in, tokens, accounts,
cookies, sign-out, the report of `msal doctor --broker`, and faulty brokers (docs/reference/Broker.md).

usage: broker.py BUILD_FOLDER

If the device is signed in, the service is not called, so no network is needed; a nonexistent proxy blocks it.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import foreign_broker
import keyring
from foreign_broker import COOKIE, TENANT, TOKEN, UID, USER
from harness import check

HERE = pathlib.Path(__file__).parent
CLIENT_ID = "00000000-0000-4000-8000-000000000001"


# A bus that admits every user, and lets them own any name.
CROWDED = """<busconfig>
  <type>session</type><listen>unix:path={folder}/crowded</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>
"""


@contextlib.contextmanager
def session_bus(folder, configuration=None):
    options = ["--session", f"--address=unix:path={folder}/bus"]
    if configuration:
        options = [f"--config-file={configuration}"]
    bus = subprocess.Popen(["dbus-daemon", "--nofork", "--print-address=1", *options], text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
    try:
        yield bus.stdout.readline().strip()
    finally:
        bus.kill()
        bus.wait()


class ForeignBroker:
    """A process that owns the broker's name, and the calls that it received."""

    def __init__(self, address, dialect="current", fault="", **options):
        self.calls = []
        self.process = subprocess.Popen([sys.executable, str(HERE / "foreign_broker.py"), address, dialect, fault],
                                        text=True, stdout=subprocess.PIPE, **options)
        assert self.process.stdout.readline() == "ready\n", "the foreign broker does not acquire its name"
        self.reader = threading.Thread(target=lambda: self.calls.extend(map(str.strip, self.process.stdout)))
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()


class User:
    """A user with a separate home folder on a machine with this bus."""

    def __init__(self, build, folder, address):
        self.program, self.folder = build / "msal", pathlib.Path(folder)
        self.folder.mkdir()
        browser = self.folder / "browser"
        browser.write_text(f"#!/bin/sh\ntouch {self.folder}/browser-called\nexit 1\n")
        browser.chmod(0o700)
        self.environment = {
            "HOME": str(self.folder), "MSAL_STORE_DIR": str(self.folder), "MSAL_STORE_KEY": "key-file",
            "MSAL_CLIENT_ID": CLIENT_ID, "BROWSER": str(browser), "PATH": os.environ["PATH"],
            "HTTPS_PROXY": "http://127.0.0.1:9"}
        if address:
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    @property
    def saw_browser(self):
        return (self.folder / "browser-called").exists()

    def run(self, *arguments):
        return subprocess.run([str(self.program), *arguments], env=self.environment, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)

    def __call__(self, *arguments, status=0):
        done = self.run(*arguments)
        if done.returncode != status:
            raise SystemExit(f"FAILED: msal {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def json(self, *arguments, status=0):
        return json.loads(self(*arguments, "-o", "json", status=status))


def finding(user):
    """The finding of `msal doctor` about the broker. Without a network other checks fail."""
    report = json.loads(user.run("doctor", "-o", "json").stdout)
    return next(entry for entry in report["checks"] if entry["name"] == "identity broker")


def day(user, broker, dialect):
    account = user.json("account", "list")["accounts"]
    check([(a["username"], a["broker"], a["signed_in"]) for a in account] == [(USER, True, False)],
          f"{dialect}: account list shows the account that the device offers as such")
    check(user("account", "list", "-o", "raw") == "", f"{dialect}: no user is signed in")

    signed_in = user.json("login", "--mode", "broker")
    check(signed_in["account"]["username"] == USER and signed_in["account"]["home_account_id"] == f"{UID}.{TENANT}",
          f"{dialect}: login signs in as the user of the device")
    account = user.json("account", "list")["accounts"]
    check([(a["username"], a["broker"], a["signed_in"]) for a in account] == [(USER, True, True)],
          f"{dialect}: account list marks the account as the broker's")

    token = user("token", "-o", "raw").strip()
    check(token.startswith(TOKEN), f"{dialect}: token is the broker's")
    check(user.json("token")["source"] == "broker", f"{dialect}: token names the broker as its source")
    check(user("token", "--refresh", "-o", "raw").strip() != token, f"{dialect}: token --refresh returns another token")
    stored = b"".join(path.read_bytes() for path in user.folder.rglob("*") if path.is_file())
    check(TOKEN.encode() not in stored, f"{dialect}: no token of the broker is stored in a file")

    cookie = user("sso-cookie", "-o", "raw").strip()
    check(cookie == f"x-ms-RefreshTokenCredential={COOKIE}", f"{dialect}: sso-cookie prints name and value")
    check(user("sso-cookie", "--header").strip() == f"x-ms-RefreshTokenCredential: {COOKIE}", f"{dialect}: sso-cookie --header prints a header")
    check(user.json("sso-cookie")["cookies"] == [{"name": "x-ms-RefreshTokenCredential", "value": COOKIE}],
          f"{dialect}: sso-cookie prints JSON on request")
    user("sso-cookie", "https://contoso.example/", status=2)
    check(True, f"{dialect}: other pages get no cookie")

    found = finding(user)
    check(found["is_good"] and foreign_broker.VERSIONS[dialect] in found["finding"], f"{dialect}: doctor names the version")
    report = user("doctor", "--broker")
    secrets = (TOKEN, COOKIE, USER, UID, TENANT, CLIENT_ID, "Megan", "Bowen")
    check(not any(secret in report for secret in secrets), f"{dialect}: the report contains no secret, no name and no ID")
    check("acquireTokenSilently: response" in report and "accounts.0.homeAccountId: string(73), GUID.GUID" in report,
          f"{dialect}: the report shows the form of the responses")
    calls = user.json("doctor", "--broker")["calls"]
    check([call["method"] for call in calls] == [line.split(":")[0] for line in report.splitlines() if " ms" in line],
          f"{dialect}: the report in JSON has the same calls")

    check(user("logout", "-o", "raw").strip() == USER, f"{dialect}: logout names the user that it signed out")
    user("token", "-o", "raw", status=4)
    check(user("account", "list", "-o", "raw") == "", f"{dialect}: after logout no user is signed in")
    check(not user.saw_browser, f"{dialect}: no browser was started")
    check("acquireTokenInteractively" not in broker.calls, f"{dialect}: no window was requested")


def offered(user):
    check(user("token", "--account", USER, "-o", "raw").startswith(TOKEN), "an account that the device offers gets a token")
    check(not user.saw_browser, "this needs no sign-in")


def squatted(build, folder):
    """Another user owns the names of broker and keyring on a bus that admits every user."""
    pathlib.Path(folder).chmod(0o755)
    configuration = pathlib.Path(folder) / "crowded.conf"
    configuration.write_text(CROWDED.format(folder=folder))
    with session_bus(folder, configuration) as address:
        stranger_is = {**os.environ, "FOREIGN_USER": "65534"}
        with ForeignBroker(address, env=stranger_is) as stranger:
            user = User(build, f"{folder}/squatted", address)
            check("another user (uid 65534)" in finding(user)["finding"], "a broker of another user is ignored")
            user("login", "--mode", "broker", status=1)
            check(stranger.calls == [], "it receives no call")
        with ForeignBroker(address, env={**stranger_is, "FOREIGN_NAME": "org.freedesktop.secrets"}) as stranger:
            user = User(build, f"{folder}/robbed", address)
            user.environment["MSAL_STORE_KEY"] = "secret-service"
            tokens = user.folder / "tokens.json"
            tokens.write_text(keyring.cache())
            done = user.run("cache", "import", str(tokens))
            check("another user (uid 65534)" in done.stderr and done.returncode == 6, "no key is stored in another user's keyring")
            check(stranger.calls == [], "it receives no search for a key")


def prompted(user, broker):
    """Himmelblau prompts the user of the account that a request names, and no other."""
    done = user.run("login")
    check(done.returncode == 0, f"Himmelblau's prompt signs the user in {done.stderr}")
    check(broker.calls.count("acquireTokenInteractively") == 2, "the second request names the account")
    check(done.stderr.count("Continue in the window") == 1, "its window is announced once")
    check(not user.saw_browser, "no browser is started")


def hanging(user, broker):
    """A hanging broker delays one program by ten seconds, and the next one not at all."""
    begin = time.monotonic()
    first = user.run("token", "--account", USER, "-o", "raw")
    check(time.monotonic() - begin < 25 and len(broker.calls) == 1, "a hanging broker delays a program by ten seconds, once")
    check(first.stderr.count("Waiting for the identity broker") == 1, "one line says what the program waits for")
    begin = time.monotonic()
    second = user.run("token", "--account", USER, "-o", "raw")
    check(time.monotonic() - begin < 8 and len(broker.calls) == 1, "the next program skips the broker")
    check("Waiting for" not in second.stderr, "it does so silently")
    check(user.run("login", "--mode", "broker").returncode == 1 and len(broker.calls) > 1, "an explicit sign-in with the broker still calls it")
    asked = len(broker.calls)
    check(not finding(user)["is_good"] and len(broker.calls) > asked, "doctor still calls it")


def broken(user, fault):
    done = user.run("login", "--mode", "broker", "-o", "json")
    error = json.loads(done.stdout)["error"]
    check(done.returncode == 1 and error["code"] == -50000, f"{fault}: login fails as documented")
    check(error["internal_code"] in (-42705, -42711) and "--mode browser" in error["remedy"],
          f"{fault}: the remedy is another sign-in mode")
    shown = user.run("login", "--mode", "broker").stderr
    check(not any(mark in shown for mark in ("\x1b", "\x07", "\u202e")), f"{fault}: the broker's text cannot move the cursor")
    check(user("account", "list", "-o", "raw") == "", f"{fault}: nothing is stored")
    check(not user.saw_browser, f"{fault}: no browser replaces a mode that was named")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        nobody = User(build, f"{folder}/nobody", None)
        found = finding(nobody)
        check(found["is_good"] and found["finding"].startswith("none: "), "doctor reports a missing bus, but not as a fault")
        check(nobody.json("account", "list")["accounts"] == [], "account list works without a bus")
        nobody("sso-cookie", status=1)
        check("none" in nobody("doctor", "--broker"), "the report says that there is no bus")
        if os.geteuid() == 0:
            squatted(build, folder)
        else:
            print("--  skipped: only root can run programs as another user")
        with session_bus(folder) as address:
            bare = User(build, f"{folder}/bare", address)
            check(finding(bare)["finding"].startswith("none: "), "doctor reports that a bus has no broker")
            check(bare.run("login", "--mode", "broker").returncode == 1, "login with the broker then fails")
            for dialect in foreign_broker.VERSIONS:
                with ForeignBroker(address, dialect) as broker:
                    day(User(build, f"{folder}/{dialect}", address), broker, dialect)
            with ForeignBroker(address):
                offered(User(build, f"{folder}/offered", address))
            with ForeignBroker(address, "himmelblau", "prompt") as broker:
                prompted(User(build, f"{folder}/prompted", address), broker)
            with ForeignBroker(address, "himmelblau", "words"):
                # The browser mode calls the service first.
                User(build, f"{folder}/words", address)("login", status=5)
                check(True, "after an unknown error text, the next sign-in mode follows")
            with ForeignBroker(address, "current", "hang") as broker:
                hanging(User(build, f"{folder}/hanging", address), broker)
            for fault in ("html", "list", "half", "deep", "escape", "18", "99"):
                with ForeignBroker(address, "current", fault):
                    broken(User(build, f"{folder}/{fault}", address), fault)
            with ForeignBroker(address, "current", "21"):
                user = User(build, f"{folder}/passed-over", address)
                user("login", "--mode", "broker", status=1)
                # The browser mode calls the service first.
                user("login", status=5)
                check(True, "after a broker that declines, the next sign-in mode follows, unless the broker was named")
            with ForeignBroker(address, "current", "9"):
                error = User(build, f"{folder}/registration", address).json("login", "--mode", "broker", status=2)["error"]
                check("nativeclient" in error["message"], "a missing registration names the redirect URI")
                User(build, f"{folder}/unregistered", address)("login", status=5)
                check(True, "after that, the next sign-in mode follows, unless the broker was named")


if __name__ == "__main__":
    main()
