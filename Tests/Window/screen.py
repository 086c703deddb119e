# Licensed under the MIT License. See LICENSE.
"""The desktop, and the app as a screen reader sees it: by the names of the elements on the screen (AT-SPI)."""
import contextlib
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

from desk import Desktop, policies
from harness import USER
from machine import await_
from person import PAGES

# Debian's binding belongs to the system's Python; .venv is a copy without its packages.
sys.path.append("/usr/lib/python3/dist-packages")
APPLICATION = "com.contoso.app"


class Screen:
    """A display with a window manager, and a session bus with its accessibility."""

    def __init__(self, machine, program):
        # Chromium asks before it starts a program for a scheme; an enterprise policy allows it for the sign-in page.
        policies(PasswordManagerEnabled=False, AutoLaunchProtocolsFromOrigins=[
            {"protocol": f"msauth.{APPLICATION}", "allowed_origins": [machine.emulator.base]}])
        self.machine, self.program, self.desktop = machine, program, Desktop(machine)
        self.person = machine.person
        # Other tests check the usability of the emulator's pages.
        self.person.seen += [page[0] for page in PAGES.values()]
        for name in ("MSAL_CLIENT_ID", "MSAL_AUTHORITY", "MSAL_CA_FILE", "MSAL_SCOPES"):
            del machine.environment[name]
        machine.environment |= {
            "MSAL_EMULATOR": machine.emulator.base, "MSAL_EMULATOR_CA": machine.emulator.ca_file,
            # The appearance is the same on every machine, without the user's settings.
            "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory", "ADW_DISABLE_PORTAL": "1",
        }
        bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=machine.environment, text=True)
        machine.ends.callback(lambda: (bus.terminate(), bus.wait()))
        machine.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        machine.begin("openbox")
        # Draws the shadows of windows.
        machine.begin("sh", "-c", "exec picom --backend xrender --config /dev/null 2> /dev/null")
        # The binding connects when it is imported.
        os.environ |= {name: machine.environment[name] for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR")}
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, GLib
        # An app on a busy machine has not hung: by default a response may take 0.8 s.
        Atspi.set_timeout(10_000, 30_000)
        self.atspi, self.gone = Atspi, GLib.Error

    @contextlib.contextmanager
    def case(self):
        """An app without state, and a browser without sessions. Everything that the case starts ends with it."""
        usual, started = dict(self.machine.environment), len(self.machine.outcomes)
        with tempfile.TemporaryDirectory(dir=self.machine.folder) as store:
            self.machine.environment["MSAL_STORE_DIR"] = store
            self.person.pages, self.person.user = [], USER
            # A failed case may leave a browser behind.
            if self.desktop.visitor or self.desktop.is_open():
                self.desktop.came()
                self.clear_browser()
            try:
                yield
            finally:
                for running in self.machine.outcomes[started:]:
                    if hasattr(running, "stop"):
                        running.stop()
                self.machine.environment.clear()
                self.machine.environment.update(usual)

    def clear_browser(self):
        """One empty tab, and no session."""
        driver = self.desktop.driver
        driver.switch_to.new_window("tab")
        kept = driver.current_window_handle
        for handle in self.desktop.handles():
            if handle != kept:
                driver.switch_to.window(handle)
                driver.close()
        driver.switch_to.window(kept)
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def app(self, *arguments, **changes):
        return App(self, self.machine.begin(str(self.program), *arguments, **changes))

    def sign_in(self, app, user=USER):
        """Fills in the browser's pages until the app reports a signed-in user."""
        self.person.user = user
        before = app.log.count("signed in.")
        self.desktop.came()
        self.desktop.go_on(lambda: app.log.count("signed in.") > before, seconds=120)

    def nodes(self, process):
        """The elements on the screen of a program, from the outside to the inside."""
        desktop = self.atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            with contextlib.suppress(self.gone):
                program = desktop.get_child_at_index(index)
                if program and program.get_process_id() == process.process.pid:
                    yield from self.below(program)

    def below(self, node):
        with contextlib.suppress(self.gone):
            node.clear_cache()
            yield node
            for index in range(node.get_child_count()):
                child = node.get_child_at_index(index)
                if child:
                    yield from self.below(child)

    def windows(self, process):
        """The IDs of a program's windows with the app's title."""
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--all", "--pid", str(process.process.pid), "--name",
                                "^Graph Window$"], env=self.machine.environment, timeout=60, check=False, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return found.stdout.split()

    def window(self, process):
        found = []
        await_(lambda: found.extend(self.windows(process)) or found, "no window is shown", gone=lambda: process.poll() is not None)
        return found[0]

    def await_prompt(self):
        """Waits for the window of the keyring's prompter, which asks for the password and gets the keyboard focus."""
        number = self.control("search", "--sync", "--onlyvisible", "--class", "gcr-prompter").split()[0]
        self.control("windowactivate", "--sync", number)

    def picture(self, name, *options):
        file = self.machine.bench.shots / f"{name}.png"
        subprocess.run(["import", "-window", "root", *options, str(file)], env=self.machine.environment, check=True, timeout=60)

    def control(self, *words):
        return subprocess.run(["xdotool", *map(str, words)], env=self.machine.environment, check=True, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


class App:
    """A running app with a window."""

    def __init__(self, screen, process):
        self.screen, self.process = screen, process

    def all(self, name, role=None):
        """All visible elements with this name. GTK also reports the content of a closed popover."""
        found = []
        for node in self.screen.nodes(self.process):
            with contextlib.suppress(self.screen.gone):
                if node.get_name() == name and (role is None or node.get_role_name() == role):
                    if self.has(node, "VISIBLE"):
                        found.append(node)
        return found

    def has(self, node, state):
        return node.get_state_set().contains(getattr(self.screen.atspi.StateType, state))

    def find(self, name, role=None, seconds=60):
        found = []
        self.await_(lambda: found.extend(self.all(name, role)) or found, lambda: f"no element is called {name!r}:\n{self.tree()}",
                    seconds)
        return found[0]

    def await_(self, condition, failure, seconds=60):
        await_(condition, failure, seconds, gone=lambda: self.process.poll() is not None)

    def is_enabled(self, name):
        return self.has(self.find(name), "SENSITIVE")

    def press(self, name, role=None):
        self.await_(lambda: self.is_enabled(name), f"{name!r} cannot be pressed")
        # The names come from the app, which cannot report them at every moment while it is busy.
        self.await_(lambda: any(self.take_press(node) for node in self.all(name, role)),
                    lambda: f"no element called {name!r} can be pressed:\n{self.tree()}")

    def take_press(self, node):
        """Presses a control, or an element inside it."""
        for inside in self.screen.below(node):
            action = inside.get_action_iface()
            if action and action.get_n_actions():
                return action.do_action(0)
        return False

    def tick(self, name):
        """Checks a box with the keyboard: GTK 4.8 has no action for it."""
        self.come_to_front()
        self.tab_to(name)
        self.screen.control("key", "space")
        self.await_(lambda: self.has(self.find(name, "check box"), "CHECKED"), f"{name!r} is not checked")

    def tab_to(self, name):
        """Presses Tab until a control has the keyboard focus."""
        for _ in range(16):
            if self.focused() == name:
                return
            self.screen.control("key", "Tab")
        raise AssertionError(f"Tab leads to {self.focused()!r}, and not to {name!r}")

    def leave_dialog(self, text):
        """Presses Escape, which ends the dialog that shows a text."""
        self.find(text)
        self.await_(lambda: self.screen.control("key", "Escape") or not self.all(text), f"{text!r} stays")

    @property
    def log(self):
        text = self.screen.atspi.Text
        node = self.find("Log").get_text_iface()
        return text.get_text(node, 0, text.get_character_count(node))

    def await_log(self, words, seconds=60):
        self.await_(lambda: words in self.log, lambda: f"the log does not contain {words!r} but:\n{self.log}", seconds)

    def shows(self, *names):
        """All of these are on the screen."""
        for name in names:
            self.find(name)

    def come_to_front(self, number=None):
        number = number or self.screen.window(self.process)

        def is_in_front():
            # A browser that has just started may open its window in front of this one.
            self.screen.control("windowactivate", number)
            return self.has(self.find("Graph Window", "frame"), "ACTIVE")
        self.await_(is_in_front, "the window does not come to the front")
        return number

    def picture(self, name):
        """The window, in front of all others."""
        number = self.come_to_front()
        place = dict(line.split("=") for line in self.screen.control("getwindowgeometry", "--shell", number).split())
        self.screen.picture(name, "-crop", "{WIDTH}x{HEIGHT}+{X}+{Y}".format(**place), "+repage")
        shown = pathlib.Path(__file__).parents[2] / "docs" / "desktop" / f"{name}.png"
        if shown.exists():
            # The documentation's picture is committed manually. Fonts differ between machines, so no pixels are compared.
            width, height = struct.unpack(">II", shown.read_bytes()[16:24])
            assert (str(width), str(height)) == (place["WIDTH"], place["HEIGHT"]), f"{shown} is {width} × {height}, not {place}"

    def await_color(self, color):
        """Waits until the window contains an area of this color."""
        number = self.come_to_front()

        def shown():
            picture = subprocess.run(["import", "-window", number, "png:-"], env=self.screen.machine.environment, check=True,
                                     timeout=60, capture_output=True).stdout
            pixels = subprocess.run(["convert", "png:-", "-fill", "black", "+opaque", color, "-fill", "white", "-opaque", color,
                                     "-format", "%[fx:mean*w*h]", "info:"], input=picture, check=True, timeout=60,
                                    capture_output=True).stdout
            return float(pixels) > 50
        self.await_(shown, f"no area of the window is {color}")

    def focused(self):
        """The name of the control with the keyboard focus."""
        return next((node.get_name() for node in self.screen.nodes(self.process) if self.has(node, "FOCUSED")), None)

    def waiting_port(self):
        """The port on which the app waits for the browser."""
        def ports():
            found = subprocess.run(["ss", "-Hltnp"], text=True, capture_output=True, check=True, timeout=10).stdout
            return [int(line.split()[3].rpartition(":")[2]) for line in found.splitlines()
                    if f"pid={self.process.process.pid}," in line]
        self.await_(ports, "the app listens on no port")
        return ports()[0]

    def end(self, status=0, seconds=60):
        return self.process.end(status, seconds)

    def tree(self):
        return "\n".join(f"  {node.get_role_name()}: {node.get_name()!r}" for node in self.screen.nodes(self.process))
