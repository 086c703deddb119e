# Licensed under the MIT License. See LICENSE.
"""Apps with a custom URL scheme: `msal redirect register` writes the desktop entry, Chromium passes the redirect to xdg-open,
and that starts the app. Two apps with one client ID share a keychain group."""
from desk import Desktop, policies
from harness import USER

APPS = {"com.contoso.app": "Contoso", "com.contoso.notes": "Contoso Notes"}
FIRST, SECOND = APPS
PASSWORD = "Enter password"


class Apps:
    """The two apps on a desktop."""

    def __init__(self, machine):
        # Chromium asks before it starts a program for a scheme; an enterprise policy allows it for the sign-in page.
        policies(AutoLaunchProtocolsFromOrigins=[
            {"protocol": f"msauth.{name}", "allowed_origins": [machine.emulator.base]} for name in APPS])
        self.machine, self.desktop = machine, Desktop(machine)
        self.programs = {}
        for name, words in APPS.items():
            program = machine.program(name, f'exec {machine.bench.build / "EnvironmentApp"} {name} "$@"')
            said = machine.run(machine.msal, "redirect", "register", name, "--exec", str(program), "--name", words)
            assert f"msauth.{name}://auth" in said.text, "the string for the portal is not shown"
            machine.run(machine.msal, "redirect", "check", name)
            self.programs[name] = str(program)

    def log_in(self, name, heading):
        """Signs in with the browser; returns the pages that the person saw, and the app's output. A tab says that the user may return."""
        # A redirect to an app leaves the last page of the sign-in in its tab.
        left = self.desktop.handles() if self.desktop.visitor else []
        login = self.machine.begin(self.programs[name], "login", stays=True)
        visitor = self.desktop.came()
        person = self.machine.person
        before = len(person.pages)
        self.desktop.go_on(lambda: " by " in login.text or login.poll() is not None, left=left)
        self.desktop.await_tab([heading])
        visitor.look(f"scheme-{name}")
        return person.pages[before:], login.end()

    def token(self, name):
        return self.machine.run(self.programs[name], "token").text


def two_apps(machine):
    apps = Apps(machine)
    pages, said = apps.log_in(FIRST, "You are signed in")
    assert PASSWORD in pages, f"the first app's user saw {pages}"
    assert f"{USER} by browser" in said, said

    # The store belongs to the group: the second app has a token without the user.
    assert f"{USER} by cache" in apps.token(SECOND)
    # The browser has a session with the service: the second sign-in needs no password either.
    pages, said = apps.log_in(SECOND, "Willkommen")
    assert pages == ["Pick an account"], f"the second app's user saw {pages}"
    assert f"{USER} by browser" in said, said
    assert f"{USER} by cache" in apps.token(FIRST)
    return f"app-redirect; the second app asks for: {', '.join(pages)}"


CASES = {"two apps of a group, each with its own scheme": two_apps}
