# Licensed under the MIT License. See LICENSE.
"""A sandbox such as Flatpak: no program of the host can be started, and a portal on the session bus opens the pages. The
portal is made; it hands the page to the person's Chromium."""
from harness import USER
from portal import Portal

REASON = "the desktop portal opens a browser here"


def sandboxed(machine, kind, answer=0):
    machine.environment |= {"flatpak": {"FLATPAK_ID": "com.contoso.app", "container": "flatpak"},
                            "snap": {"SNAP_INSTANCE_NAME": "contoso"}}[kind]
    return Portal(machine, answer)


def signs_in(machine, kind):
    portal = sandboxed(machine, kind)
    plan = machine.explains("browser", REASON)
    assert f"a {kind} sandbox" in plan["machine"], plan["machine"]
    login = machine.begin(machine.msal, "login")
    address = portal.address(login)
    assert address.startswith(machine.emulator.base), "the portal gets the page itself, over the bus"
    machine.person.sign_in(address)
    said = login.end()
    assert "browser is tried first" in said and REASON in said and f"Signed in as {USER}" in said
    machine.signed_in()
    return "browser, by the portal"


def in_flatpak(machine):
    return signs_in(machine, "flatpak")


def in_a_snap(machine):
    return signs_in(machine, "snap")


def nothing_is_chosen(machine):
    """The portal asks which browser, and the user closes the question: that is giving up."""
    sandboxed(machine, "flatpak", answer=1)
    outcome = machine.run(machine.msal, "login", status=130)
    assert "chose none" in outcome.text
    return "browser; status 130"


def the_portal_fails(machine):
    """It is there, and opens nothing. The next way follows, which needs somebody at a terminal."""
    sandboxed(machine, "flatpak", answer=2)
    terminal = machine.terminal(machine.msal, "login")
    terminal.await_text(r"Address \(d: device code\): ")
    assert "The way browser did not work" in terminal.text
    terminal.type("d")
    machine.person.type_code(terminal.await_text(r"Type this code there:\s+(\S+)\s")[1])
    assert terminal.end() == 0 and f"Signed in as {USER}" in terminal.text
    machine.signed_in()
    return "device-code, after browser and paste"


def the_portal_fails_and_nobody_is_there(machine):
    sandboxed(machine, "flatpak", answer=None)
    outcome = machine.run(machine.msal, "login", status=1)
    assert "--use-device-code" in outcome.text
    return f"none: status 1 after {outcome.seconds:.1f} s"


CASES = {
    "Flatpak with a portal": in_flatpak,
    "a snap with a portal": in_a_snap,
    "Flatpak, and the user chooses no browser": nothing_is_chosen,
    "Flatpak with a portal that fails": the_portal_fails,
    "Flatpak with a portal that refuses, without a terminal": the_portal_fails_and_nobody_is_there,
}
