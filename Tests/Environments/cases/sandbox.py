# Licensed under the MIT License. See LICENSE.
"""A sandbox such as Flatpak: no program of the host can be started, and a portal on the session bus opens the pages. The
portal is simulated; it passes the page to the person's Chromium."""
import json
import os
import pathlib

from harness import USER
from portal import Portal

REASON = "the desktop portal opens a browser here"
STORE_FAILURE = 6


def bubblewrap(machine):
    """The command that runs a program as Flatpak does, with the same `bwrap`: with a separate root, and with the file in which
    Flatpak describes the sandbox. The machine's folder is writable, as with Flatpak's `--filesystem`."""
    description = machine.folder / "flatpak-info"
    description.write_text("[Application]\nname=com.contoso.app\n")
    command = ["/usr/bin/bwrap", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
    for entry in sorted(pathlib.Path("/").iterdir()):
        if entry.is_symlink():
            command += ["--symlink", os.readlink(entry), str(entry)]
        elif entry.is_dir() and entry.name not in ("proc", "dev"):
            command += ["--ro-bind", str(entry), str(entry)]
    return [*command, "--bind", str(machine.folder), str(machine.folder),
            "--ro-bind", str(description), "/.flatpak-info", "--"]


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
    return "browser, through the portal"


def in_flatpak(machine):
    """The browser and the key of the store come through the portal. Only this app can use the store."""
    del machine.environment["MSAL_STORE_KEY"]
    inside = bubblewrap(machine)
    portal = Portal(machine, secret=bytes(range(64)))
    plan = machine.explains("browser", REASON, prefix=inside)
    assert "a flatpak sandbox" in plan["machine"], plan["machine"]
    login = machine.begin(*inside, machine.msal, "login")
    machine.person.sign_in(portal.address(login))
    assert f"Signed in as {USER}" in login.end()

    def token(*prefix, status=0):
        return machine.run(*prefix, machine.msal, "token", "-o", "raw", MSAL_LOG=None, status=status).text

    assert token(*inside).count(".") >= 2, "a second process has no token"
    found = json.loads(machine.run(*inside, machine.msal, "cache", "stats", "-o", "json", MSAL_LOG=None).text)
    assert found["key_provider"] == "portal", found
    outside = token(status=STORE_FAILURE)
    assert "belongs to an app in a sandbox" in outside and "MSAL_STORE_DIR" in outside, outside
    assert "belongs to an app in a sandbox" in machine.run(
        machine.msal, "login", "--use-device-code", status=STORE_FAILURE, MSAL_STORE_KEY="key-file").text
    # Another app in its sandbox has another secret.
    portal.secret, own = bytes(range(1, 65)), portal.secret
    assert "is not the one" in token(*inside, status=STORE_FAILURE)
    portal.secret = own
    machine.run(*inside, machine.msal, "cache", "rotate-key")
    assert token(*inside).count(".") >= 2, "there is no token after the key was replaced"
    machine.run(*inside, machine.msal, "cache", "rotate-key", "--to", "key-file")
    assert token().count(".") >= 2, "the key was moved, and a program outside has no token"
    return "browser and key, through the portal"


def without_secrets(machine):
    """The portal is selected by name, and has no secrets; outside a sandbox it is not even called. No user signs in in
    vain."""
    machine.environment["MSAL_STORE_KEY"] = "portal"
    portal = Portal(machine)
    inside = machine.run(*bubblewrap(machine), machine.msal, "login", status=STORE_FAILURE).text
    assert "no portal that keeps secrets" in inside, inside
    portal.secret = bytes(range(64))
    outside = machine.run(machine.msal, "login", status=STORE_FAILURE).text
    assert "does not run in a Flatpak sandbox" in outside, outside
    assert not portal.addresses, "a page was opened"
    return "none: no key, status 6"


def in_a_snap(machine):
    return signs_in(machine, "snap")


def nothing_is_chosen(machine):
    """The portal asks for the browser, and the user closes the dialog, which cancels the sign-in."""
    sandboxed(machine, "flatpak", answer=1)
    outcome = machine.run(machine.msal, "login", status=130)
    assert "chose none" in outcome.text
    return "browser; status 130"


def the_portal_fails(machine):
    """The portal exists, but opens nothing. The next sign-in mode follows, which needs a user at a terminal."""
    sandboxed(machine, "flatpak", answer=2)
    terminal = machine.terminal(machine.msal, "login")
    terminal.await_text(r"Address \(d: device code\): ")
    terminal.await_text("Sign-in mode browser failed")  # A log line, written concurrently.
    terminal.type("d")
    machine.person.type_code(terminal.await_text(r"Enter this code there:\s+(\S+)\s")[1])
    assert terminal.end() == 0 and f"Signed in as {USER}" in terminal.text
    machine.signed_in()
    return "device-code, after browser and paste"


def the_portal_fails_and_nobody_is_there(machine):
    sandboxed(machine, "flatpak", answer=None)
    outcome = machine.run(machine.msal, "login", status=1)
    assert "--use-device-code" in outcome.text
    return f"none: status 1 after {outcome.seconds:.1f} s"


CASES = {
    "Flatpak with a portal that has secrets": in_flatpak,
    "a secret portal that does not exist": without_secrets,
    "a snap with a portal": in_a_snap,
    "Flatpak, and the user chooses no browser": nothing_is_chosen,
    "Flatpak with a portal that fails": the_portal_fails,
    "Flatpak with a portal that refuses, without a terminal": the_portal_fails_and_nobody_is_there,
}
