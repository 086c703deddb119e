# Licensed under the MIT License. See LICENSE.
"""The token store's key in GNOME Keyring, on a separate session bus: it is stored and found by other processes, and the errors
are correct when the keyring is missing, empty, locked, slow, dying or has lost the key (docs/reference/Store.md#torture-keyring).

usage: keyring.py BUILD_FOLDER
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from harness import check

CLIENT_ID = "00000000-0000-4000-8000-000000000001"
USER = "megan@contoso.example"
HOME_ACCOUNT = "aaaaaaaa-0000-0000-0000-000000000001.bbbbbbbb-0000-0000-0000-000000000002"
REALM = HOME_ACCOUNT.split(".")[1]
HOST = "login.microsoftonline.com"
SECRET = "fake-access-token-in-the-keyring-test"
STORE_FAILURE = 6
# A lookup may take two seconds; the rest is for starting the program on a busy machine.
LIMIT = 6


def cache():
    """One account with its tokens, in the unified schema."""
    common = {"home_account_id": HOME_ACCOUNT, "environment": HOST}
    now = int(time.time())
    token = dict(common, credential_type="AccessToken", client_id=CLIENT_ID, secret=SECRET, realm=REALM,
                 target="User.Read", token_type="Bearer", cached_at=str(now), expires_on=str(now + 3600),
                 extended_expires_on=str(now + 3600))
    refresh = dict(common, credential_type="RefreshToken", client_id=CLIENT_ID, secret="fake-refresh-token")
    account = dict(common, realm=REALM, local_account_id=HOME_ACCOUNT.split(".")[0], username=USER,
                   authority_type="MSSTS")
    return json.dumps({
        "AccessToken": {f"{HOME_ACCOUNT}-{HOST}-accesstoken-{CLIENT_ID}-{REALM}-user.read": token},
        "RefreshToken": {f"{HOME_ACCOUNT}-{HOST}-refreshtoken-{CLIENT_ID}--": refresh},
        "Account": {f"{HOME_ACCOUNT}-{HOST}-{REALM}": account}})


class Keyring:
    """A private keyring daemon, and the requests that can be sent to it."""

    def __init__(self, environment):
        self.environment = environment
        self.process = None

    def start(self, password=None):
        """With a password, creates or unlocks the login keyring; without one, it does not exist or stays locked."""
        self.stop()
        mode = ["--unlock", "--replace"] if password else ["--start"]
        self.process = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--components=secrets", *mode], env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.process.stdin.write((password or "").encode())
        self.process.stdin.close()
        deadline = time.monotonic() + 20
        while b"true" not in self.send("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit("FAILED: gnome-keyring-daemon does not acquire its name")
            time.sleep(0.02)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()

    def send(self, destination, path, member, *arguments):
        done = subprocess.run(
            ["dbus-send", "--session", "--print-reply", f"--dest={destination}", path, member, *arguments],
            env=self.environment, capture_output=True, timeout=30, check=False)
        return done.stdout

    def items(self):
        found = self.send("org.freedesktop.secrets", "/org/freedesktop/secrets",
                          "org.freedesktop.Secret.Service.SearchItems", "dict:string:string:xdg:schema,msal.swift.StoreKey")
        return re.findall(r'object path "(.*?)"', found.decode())

    def lock(self):
        self.send("org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
                  "array:objpath:/org/freedesktop/secrets/collection/login")

    def delete(self, item):
        self.send("org.freedesktop.secrets", item, "org.freedesktop.Secret.Item.Delete")

    @contextlib.contextmanager
    def frozen(self):
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            if self.process.poll() is None:
                self.process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def killed_when_asked(self):
        """Kills the daemon as soon as the bus transports a search to it."""
        monitor = subprocess.Popen(["dbus-monitor", "--session", "interface='org.freedesktop.Secret.Service'"],
                                   env=self.environment, stdout=subprocess.PIPE)
        while b"NameLost" not in monitor.stdout.readline():  # From now on the monitor sees everything.
            pass

        def watch():
            for line in monitor.stdout:
                if b"SearchItems" in line:
                    self.process.kill()

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield
        finally:
            monitor.kill()
            watcher.join()
            monitor.wait()


class Command:
    def __init__(self, build, environment):
        self.program = str(build / "msal")
        self.environment = environment

    def run(self, *arguments, stdin=None, **changes):
        """The exit status, the complete output, and the duration in seconds."""
        environment = {name: value for name, value in {**self.environment, **changes}.items() if value is not None}
        begin = time.monotonic()
        done = subprocess.run([self.program, *arguments], input=stdin, env=environment, text=True,
                              capture_output=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr, time.monotonic() - begin

    def token(self, **changes):
        return self.run("token", "--scope", "User.Read", "--output", "raw",
                        "--authority", f"https://{HOST}/{REALM}", **changes)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) if folder.exists() else []


def size(folder, name):
    return (folder / "store" / name).stat().st_size


def fails(outcome, words, what):
    status, text, seconds = outcome
    check(status == STORE_FAILURE and words in text and seconds < LIMIT,
          f"{what}: {words} ({seconds:.1f} s)" if status == STORE_FAILURE else f"{what}: {status} {text}")


def without_a_keyring(msal, keyring, folder):
    other = folder / "no-bus"
    status, text, _ = msal.run("cache", "import", "-", stdin=cache(), MSAL_STORE_DIR=str(other),
                               DBUS_SESSION_BUS_ADDRESS=None, XDG_RUNTIME_DIR=None)
    check(status == 0 and any(name.endswith("/key") for name in files(other)),
          f"without a session bus the key is in a file {text if status else ''}")

    keyring.start()
    fails(msal.run("cache", "import", "-", stdin=cache()), "no default collection", "a service without a keyring")
    made = [name for name in files(folder / "store") if (folder / "store" / name).is_file() and size(folder, name)]
    check(made == [], f"a service without a keyring leads to neither a store nor a key file {made or ''}")


def kept_and_found(msal, keyring, folder):
    keyring.start("a password")
    status, text, _ = msal.run("cache", "import", "-", stdin=cache())
    check(status == 0, f"with a keyring the store is created {text if status else ''}")
    status, text, _ = msal.run("cache", "stats", "--output", "json")
    check(status == 0 and json.loads(text)["key_provider"] == "secretService", "its key is in the Secret Service")
    check(len(keyring.items()) == 1, "the Secret Service has one item")
    check(not any(name.endswith("/key") for name in files(folder / "store")), "the key is in no file")
    status, text, seconds = msal.token()
    check(status == 0 and text.strip() == SECRET, f"a second process finds the key and returns the token ({seconds:.2f} s)")
    status, text, _ = msal.run("accounts", "--output", "json")
    check(status == 0 and USER in text, "it lists the account")
    stored = b"".join(path.read_bytes() for path in (folder / "store").rglob("*") if path.is_file())
    check(not any(word.encode() in stored for word in (SECRET, "fake-refresh-token", USER, "User.Read", HOME_ACCOUNT)),
          "the store's files contain no secret, user or scope")


def in_bad_hours(msal, keyring, folder):
    before = files(folder / "store")
    keyring.lock()
    fails(msal.token(), "locked", "a locked keyring")
    fails(msal.run("cache", "import", "-", stdin=cache()), "locked", "a locked keyring when writing")
    fails(msal.token(MSAL_STORE_KEY="key-file"), "rotate-key --to key-file", "a different key location")
    keyring.start("a password")
    status, text, _ = msal.token()
    check(status == 0 and text.strip() == SECRET, "after unlocking, the same token is returned")

    with keyring.frozen():
        fails(msal.token(), "did not respond within 2 s", "a keyring that does not answer")
    with keyring.frozen(), keyring.killed_when_asked():
        fails(msal.token(), "exited before it responded", "a keyring that dies half-way")
    fails(msal.token(DBUS_SESSION_BUS_ADDRESS=None, XDG_RUNTIME_DIR=None), "No session bus", "a login without a session bus")

    keyring.start("a password")
    item, = keyring.items()
    keyring.delete(item)
    fails(msal.token(), "is missing from", "a keyring that lost the key")
    fails(msal.run("cache", "import", "-", stdin=cache()), "is missing from", "and so when writing")
    check(keyring.items() == [], "no new key was made")
    check([name for name in files(folder / "store") if not name.endswith(("-wal", "-shm"))]
          == [name for name in before if not name.endswith(("-wal", "-shm"))], "no second store was created")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if "--inside" not in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "run").mkdir(mode=0o700)
            environment = {name: value for name, value in os.environ.items() if name != "DBUS_SESSION_BUS_ADDRESS"}
            environment.update(HOME=folder, XDG_DATA_HOME=f"{folder}/data", XDG_RUNTIME_DIR=f"{folder}/run",
                               MSAL_STORE_DIR=f"{folder}/store", MSAL_STORE_KEY="auto", MSAL_CLIENT_ID=CLIENT_ID,
                               XDG_CONFIG_HOME=f"{folder}/config")
            command = ["dbus-run-session", "--", sys.executable, __file__, str(build), "--inside"]
            sys.exit(subprocess.run(command, env=environment, check=False).returncode)

    environment = dict(os.environ)
    folder = pathlib.Path(environment["HOME"])
    keyring, msal = Keyring(environment), Command(build, environment)
    try:
        without_a_keyring(msal, keyring, folder)
        kept_and_found(msal, keyring, folder)
        in_bad_hours(msal, keyring, folder)
    finally:
        keyring.stop()


if __name__ == "__main__":
    main()
