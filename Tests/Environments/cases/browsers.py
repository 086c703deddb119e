# Licensed under the MIT License. See LICENSE.
"""Browsers that do not start, fail or never return. The next browser follows, then the next sign-in mode, and nothing waits
without a user."""
import re

from harness import USER

PROMPT = r"Address \(d: device code\): "


def goes_on_to_the_prompt(machine):
    """On a terminal, `BROWSER` names a program that fails. The prompt's link is then opened on this machine."""
    machine.explains("browser", "/bin/false opens a browser here", BROWSER="/bin/false")
    terminal = machine.terminal(machine.msal, "login", BROWSER="/bin/false")
    terminal.await_text(PROMPT)
    terminal.await_text("Sign-in mode browser failed")  # A log line, written concurrently.
    link = re.findall(r"^ +(https://\S+)$", terminal.text, re.MULTILINE)[-1]
    machine.person.sign_in(link)
    assert terminal.end() == 0 and f"Signed in as {USER}" in terminal.text
    machine.signed_in()
    return "paste, after browser"


def ends_at_once(machine):
    """Without a terminal no one could open the page."""
    outcome = machine.run(machine.msal, "login", BROWSER="/bin/false", status=1)
    assert "Cannot sign in here" in outcome.text and "--use-device-code" in outcome.text
    return f"none: status 1 after {outcome.seconds:.1f} s"


def a_desktop_that_fails(machine):
    """xdg-open is installed, has a display, and finds no browser (its status is then 3)."""
    machine.program("xdg-open", "exit 3")
    machine.explains("browser", "xdg-open opens a browser here", DISPLAY=":77")
    outcome = machine.run(machine.msal, "login", DISPLAY=":77", status=1)
    assert "Cannot sign in here" in outcome.text
    return f"none: status 1 after {outcome.seconds:.1f} s"


def an_app_without_callbacks(machine):
    """An app that offers no other sign-in mode gets the documented error."""
    app = machine.bench.build / "EnvironmentApp"
    outcome = machine.run(str(app), "com.contoso.app", "login", BROWSER="/bin/false", status=1)
    assert "-50000 -42008" in outcome.text, outcome.text
    return f"none: -42008 after {outcome.seconds:.1f} s"


def the_next_one(machine):
    """Of the programs in `BROWSER`, the first one that works is used."""
    recorder = machine.recorder("good-browser", '"$2"')
    login = machine.begin(machine.msal, "login", BROWSER=f"/bin/false:no-such-browser:{recorder} --tab %s",
                          PATH=f"{machine.programs}:/usr/bin:/bin")
    machine.person.sign_in(machine.address(login))
    assert f"Signed in as {USER}" in login.end()
    return "browser, with the third program"


def one_that_hangs(machine):
    """A launcher may run as long as the browser does. The sign-in ends when it times out."""
    hanging = machine.program("slow-browser", "exec /bin/sleep 600")
    outcome = machine.run(machine.msal, "login", "--timeout", "2", BROWSER=str(hanging), status=130)
    assert outcome.seconds < 10, f"it took {outcome.seconds:.0f} s"
    return f"browser: status 130 after {outcome.seconds:.1f} s"


CASES = {
    "a browser that fails, on a terminal": goes_on_to_the_prompt,
    "a browser that fails, without a terminal": ends_at_once,
    "a desktop without a browser, without a terminal": a_desktop_that_fails,
    "a browser that fails, for an app without callbacks": an_app_without_callbacks,
    "two browsers that fail, and one that works": the_next_one,
    "a browser that never opens": one_that_hangs,
}
