# Licensed under the MIT License. See LICENSE.
"""A desktop: xdg-open finds the user's default browser, which is a Chromium with a window."""
from desk import Desktop
from harness import USER

REASON = "xdg-open opens a browser here"


def signs_in(machine):
    """The desktop starts Chromium with the start address. The second sign-in opens a tab in the same Chromium."""
    desktop = Desktop(machine)
    machine.explains("browser", REASON)
    login = machine.begin(machine.msal, "login")
    desktop.came()
    desktop.land()
    said = login.end()
    assert "browser is tried first" in said and REASON in said, "the log does not name the sign-in mode and the reason"
    assert f"Signed in as {USER}" in said
    machine.signed_in()

    login = machine.begin(machine.msal, "login", "--prompt", "select_account")
    desktop.go_on(lambda: login.poll() is not None)
    login.end()
    return "browser"


CASES = {"a window of the default browser": signs_in}
