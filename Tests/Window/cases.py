# Licensed under the MIT License. See LICENSE.
"""User actions in the window, and its output."""
import base64
import contextlib
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess

from harness import USER
from keyring import Keyring
from machine import await_
from portal import Portal
from screen import APPLICATION

ALEX = "alex@contoso.example"
PASSWORD = "of the keyring"
# The background color of a user's photo, which occurs nowhere else on the screen.
PHOTO = "#3B7A57"
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


def the_tutorial(screen):
    """The four buttons, in the order of the tutorial."""
    app = screen.app()
    app.shows("Graph Window", "Signed out", "Sign in to call Microsoft Graph")
    assert not app.is_enabled("Sign Out"), "Sign Out is enabled although no user is signed in"
    app.press("Get device info")
    app.await_log("Device info not returned: The device is not known")
    app.press("Details Details")  # libadwaita sets both the label and the title of the button.
    app.leave_dialog("OK")
    app.press("Call Microsoft Graph API")
    app.find("Continue in your browser")
    assert not app.is_enabled("Sign In"), "a second sign-in can be started"
    app.picture("waiting")
    screen.sign_in(app)
    app.await_log("Result from Graph: 200")
    assert f'"userPrincipalName" : "{USER}"' in app.log
    app.shows("Megan Bowen", USER)
    assert not app.all("Continue in your browser"), "the app is still waiting"
    app.picture("light")
    app.press("Sign Out")
    app.await_log("Sign out of Megan Bowen completed successfully.")
    app.shows("Signed out")


def photo():
    """A head and shoulders."""
    return subprocess.run(["convert", "-size", "96x96", f"xc:{PHOTO}", "-fill", "#F2E8CF", "-draw", "circle 48,38 48,21",
                           "-draw", "ellipse 48,98 34,38 180,360", "png:-"], check=True, timeout=60, capture_output=True).stdout


def two_people(screen):
    """Both are in the picker, and the selection applies to Graph. One of them has a photo."""
    screen.machine.emulator.steer("PATCH", f"/users/{ALEX}", {"photo": base64.b64encode(photo()).decode()})
    app = screen.app(ADW_DEBUG_COLOR_SCHEME="prefer-dark")
    app.press("Sign In")
    screen.sign_in(app)
    app.press("Accounts")
    app.press("Another account")
    screen.sign_in(app, ALEX)
    app.press("Call Microsoft Graph API")
    app.await_log(f'"userPrincipalName" : "{ALEX}"')
    app.await_color(PHOTO)
    app.picture("dark")
    app.press("Accounts")
    app.find(f"Megan Bowen, {USER}")
    app.picture("picker")
    app.press(f"Megan Bowen, {USER}")
    app.await_log("Megan Bowen is the current account.")
    app.press("Call Microsoft Graph API")
    app.await_log(f'"userPrincipalName" : "{USER}"')
    app.press("Sign Out")
    app.await_log("Sign out of Megan Bowen completed successfully.")
    app.shows("Alex Wilber")


def by_the_scheme(screen):
    """The desktop starts a second process of the app for the redirect, which passes it on and exits."""
    machine = screen.machine
    entries = screen.desktop.home / ".local" / "share" / "applications"
    entry = (pathlib.Path(__file__).parents[2] / "Examples/GraphWindow/data" / f"{APPLICATION}.desktop").read_text()
    (entries / f"{APPLICATION}.desktop").write_text(entry.replace("Exec=GraphWindow", f"Exec={screen.program}"))
    machine.run("xdg-mime", "default", f"{APPLICATION}.desktop", f"x-scheme-handler/msauth.{APPLICATION}")
    try:
        app = screen.app()
        app.press("Sign In")
        screen.sign_in(app)
        assert any(entry["path"].endswith("/authorize") and f"msauth.{APPLICATION}" in str(entry)
                   for entry in machine.emulator.journal()), "the redirect used another path"
    finally:
        (entries / f"{APPLICATION}.desktop").unlink()


def out_of_the_browser(screen):
    """The sign-out reaches the browser, whose next sign-in requires the password. The next sign-out is canceled."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    app.tick("Sign out of the browser, too")
    app.press("Sign Out")
    screen.desktop.go_on(lambda: "The browser is signed out, too." in app.log)
    app.await_log("Sign out of Megan Bowen completed successfully.")
    app.shows("Signed out")
    screen.person.pages = []
    app.press("Sign In")
    screen.sign_in(app)
    assert "Enter password" in screen.person.pages, f"the browser still knows the user: {screen.person.pages}"
    # The page is opened, but no one uses it.
    portal = Portal(screen.machine, bus=screen.machine.environment["DBUS_SESSION_BUS_ADDRESS"])
    try:
        app.press("Sign Out")
        assert "/logout" in portal.address(app.process) and not app.is_enabled("Sign Out")
        app.press("Cancel")
        app.await_log("The sign-out in the browser was canceled. Close the browser, which may still be signed in.")
    finally:
        portal.leave()
    app.shows("Signed out")


def a_locked_keyring(screen):
    """GNOME's keyring has the store's key, and is locked. The window reports it, opens the keyring's password prompt on
    request, and responds meanwhile."""
    keyring = Keyring(screen.machine.environment)
    screen.machine.environment["MSAL_STORE_KEY"] = "secret-service"
    try:
        keyring.start(PASSWORD)
        app = screen.app()
        app.press("Sign In")
        screen.sign_in(app)
        app.press("Close")
        app.end()
        keyring.lock()
        app = screen.app()
        app.await_log("Couldn't query current account: ")
        assert "the keyring is locked" in app.log, app.log
        app.press("Unlock Unlock")
        screen.await_prompt()
        app.press("Get device info")
        app.await_log("Device info not returned")
        screen.picture("keyring")
        screen.control("key", "Escape")
        app.await_log("the prompt to unlock the keyring was dismissed")
        app.press("Unlock Unlock")
        screen.await_prompt()
        screen.control("type", PASSWORD)
        screen.control("key", "Return")
        app.shows("Megan Bowen")
    finally:
        keyring.stop()


def the_user_gives_up(screen):
    app = screen.app()
    app.press("Sign In")
    app.press("Cancel")
    app.await_log("The sign-in was canceled")
    app.press("Sign In")
    app.find("Cancel")


def the_window_is_closed(screen):
    """A waiting sign-in ends with the window, and its port is free."""
    app = screen.app()
    app.press("Sign In")
    screen.desktop.came()
    port = app.waiting_port()
    app.press("Close")
    app.end()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, f"port {port} still listens"


def a_response_for_no_window(screen):
    """The window is closed while Microsoft Graph is slow to respond. The app exits without showing the response."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    emulator = screen.machine.emulator.process
    emulator.send_signal(signal.SIGSTOP)
    try:
        app.press("Call Microsoft Graph API")
        app.press("Close")
        app.end()
    finally:
        emulator.send_signal(signal.SIGCONT)


def by_the_keyboard(screen):
    """Tab and Enter reach everything that the pointer reaches, on a narrow screen."""
    app = screen.app()
    number = app.come_to_front()
    screen.control("windowsize", number, 360, 480)
    app.find("Sign In")
    app.tab_to("Get device info")
    screen.control("key", "Return")
    app.await_log("Device info not returned")
    app.picture("narrow")


def started_twice(screen):
    """The second process brings the first one's window to the front, while a sign-in waits there, and exits."""
    app = screen.app()
    app.press("Sign In")
    app.find("Cancel")
    screen.app().end()
    app.find("Cancel")
    app.press("Cancel")


def signed_out_elsewhere(screen):
    """Another program of the user signs the account out. The window reports it when it comes to the front."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    screen.machine.run(str(screen.program.with_name("OtherApp")), "sign-out")
    number = app.come_to_front()
    screen.control("windowminimize", number)
    app.await_(lambda: not screen.windows(app.process), "the window stays")
    app.come_to_front(number)
    app.await_log("Megan Bowen was signed out by another program.")
    app.shows("Signed out")


def stopped_for_a_while(screen):
    """The browser returns while the app is stopped, as on a suspended machine."""
    app = screen.app()
    app.press("Sign In")
    screen.desktop.came()
    screen.desktop.await_tab(["Sign in"])
    app.process.process.send_signal(signal.SIGSTOP)
    try:
        screen.desktop.go_on(lambda: "Stay signed in?" in screen.person.pages)
    finally:
        app.process.process.send_signal(signal.SIGCONT)
    screen.desktop.go_on(lambda: "signed in." in app.log)


def a_wrong_clock(screen):
    """The app's clock is a day ahead, so the new token seems expired. The window names the cause."""
    app = screen.app(LD_PRELOAD=FAKETIME, FAKETIME="+1d", FAKETIME_DONT_FAKE_MONOTONIC="1", FAKETIME_DONT_RESET="1")
    app.press("Sign In")
    screen.desktop.came()
    screen.desktop.go_on(lambda: "Could not acquire token" in app.log)
    assert "clock" in app.log, app.log


def a_clock_behind(screen):
    """The app's clock is a day behind, so the new token is not yet valid. The window names the cause."""
    app = screen.app(LD_PRELOAD=FAKETIME, FAKETIME="-1d", FAKETIME_DONT_FAKE_MONOTONIC="1", FAKETIME_DONT_RESET="1")
    app.press("Sign In")
    screen.desktop.came()
    screen.desktop.go_on(lambda: "Could not acquire token" in app.log)
    assert "clock" in app.log, app.log


def asked_by_the_portal(screen, **changes):
    """The window's handle for the portal, whose dialogs then appear in front of it."""
    portal = Portal(screen.machine, bus=screen.machine.environment["DBUS_SESSION_BUS_ADDRESS"])
    try:
        app = screen.app(**changes)
        app.await_log("Ready.")
        app.press("Sign In")
        portal.address(app.process)
        app.press("Cancel")
        app.await_log("The sign-in was canceled")
        return app, portal.parents[0]
    finally:
        portal.leave()


def the_name_under_x11(screen):
    app, parent = asked_by_the_portal(screen)
    assert parent == f"x11:{int(screen.window(app.process)):x}", parent


def the_name_under_wayland(screen):
    """A compositor without a screen that exports the window (`zxdg_exporter_v2` and its predecessor)."""
    with sway(screen) as display:
        _, parent = asked_by_the_portal(screen, GDK_BACKEND="wayland", WAYLAND_DISPLAY=display, DISPLAY=None)
    assert re.fullmatch(r"wayland:[!-~]{8,256}", parent), parent


@contextlib.contextmanager
def sway(screen):
    """Runs sway, and returns the name of its display. It refuses to run as root, so it is another user in a namespace."""
    settings = screen.machine.folder / "sway"
    settings.write_text("output HEADLESS-1 resolution 1280x1024\nxwayland disable\n")
    before = set(screen.desktop.runtime.glob("wayland-*"))
    running = screen.machine.begin(
        "/usr/bin/unshare", "--user", "--map-user=4242", "--map-group=4242", "--", "/usr/bin/sway", "-c", str(settings),
        WLR_BACKENDS="headless", WLR_LIBINPUT_NO_DEVICES="1", WLR_RENDERER="pixman", DISPLAY=None)
    found = []

    def is_there():
        found[:] = [path.name for path in set(screen.desktop.runtime.glob("wayland-*")) - before if path.is_socket()]
        return found
    await_(is_there, "sway opens no display", gone=lambda: running.poll() is not None)
    try:
        yield found[0]
    finally:
        running.stop()


def no_key(screen):
    """The store's key is unavailable in the configured location: a message, and a button. The window responds."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    app.press("Close")
    app.end()
    app = screen.app(MSAL_STORE_KEY="secret-service")
    app.await_log("Couldn't query current account: ")
    app.find("Unlock Unlock")
    app.press("Get device info")
    app.await_log("Device info not returned")


def no_browser(screen):
    app = screen.app(PATH="/nonexistent")
    app.press("Sign In")
    app.await_log("Could not acquire token: ")
    assert "browser" in app.log, app.log
    assert app.is_enabled("Sign In"), "Sign In is disabled after the failure"


def no_display(screen):
    app = screen.app(DISPLAY=None, WAYLAND_DISPLAY=None)
    assert "There is no display." in app.end(1)


def no_session_bus(screen):
    """There is no bus to find another instance. The window opens, and closes as usual."""
    app = screen.app(DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent")
    await_(lambda: screen.windows(app.process), "no window opens", gone=lambda: app.process.poll() is not None)
    screen.control("windowclose", screen.windows(app.process)[0])


def a_wrong_argument(screen):
    assert "'http://localhost' is not a redirect address" in screen.app("http://localhost").end(1)
    assert "No sign-in waits" in screen.app(f"msauth.{APPLICATION}://auth?code=1&state=2").end(1)


def another_store(screen):
    """The store has another version."""
    store = pathlib.Path(screen.machine.environment["MSAL_STORE_DIR"])
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    app.press("Close")
    app.end()
    files = [file for file in store.rglob("*") if file.is_file() and file.read_bytes()[:15] == b"SQLite format 3"]
    assert files, f"no store in {store}"
    for file in files:
        with contextlib.closing(sqlite3.connect(file)) as store, store:
            # The version number is in the header and in a table.
            store.execute("PRAGMA user_version = 9999")
            store.execute("UPDATE meta SET v = 9999 WHERE k = 'schema'")
    app = screen.app()
    app.await_log("Couldn't query current account: ")


def the_service_is_gone(screen):
    """The last case: the emulator ends."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    screen.machine.emulator.process.terminate()
    screen.machine.emulator.process.wait(timeout=10)
    app.press("Call Microsoft Graph API")
    app.await_log("Couldn't get graph result: ")
    app.find("Details Details")
    app.press("Sign Out")
    app.await_log("Sign out of Megan Bowen completed successfully.")


CASES = {
    "Call Graph, sign out, get device info": the_tutorial,
    "two people sign in, and the picker chooses": two_people,
    "the redirect arrives through the app's scheme": by_the_scheme,
    "the sign-out reaches the browser, or is canceled": out_of_the_browser,
    "the keyring is locked": a_locked_keyring,
    "a sign-in is canceled, and another one begins": the_user_gives_up,
    "the window is closed while a sign-in waits": the_window_is_closed,
    "the window is closed before a response arrives": a_response_for_no_window,
    "only the keyboard, 360 points wide": by_the_keyboard,
    "the app is started twice": started_twice,
    "another program signs the account out": signed_out_elsewhere,
    "the app is stopped while the browser returns": stopped_for_a_while,
    "the clock is a day ahead": a_wrong_clock,
    "the clock is a day behind": a_clock_behind,
    "the portal gets the window's handle under X11": the_name_under_x11,
    "the portal gets the window's handle under Wayland": the_name_under_wayland,
    "the key of the store is unavailable": no_key,
    "no browser can be started": no_browser,
    "no display": no_display,
    "no session bus": no_session_bus,
    "a wrong argument": a_wrong_argument,
    "a store of another version": another_store,
    "the service is down": the_service_is_gone,
}
