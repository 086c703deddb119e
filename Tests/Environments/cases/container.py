# Licensed under the MIT License. See LICENSE.
"""A container: a network and a user namespace, a user without a passwd entry, no home, no display, and no browser."""
import re
import socket

from harness import USER
from networks import ELSEWHERE, THERE, Relay, socket_elsewhere

PORT = 8400
# As with `docker run --user` and on OpenShift: a user ID without a name.
USERSPACE = ["unshare", "--user", "--map-user=4242", "--map-group=4242", "--"]
INSIDE = [*ELSEWHERE, *USERSPACE]
REASON = "a browser on any machine will do"


def container(machine):
    """Removes home and user name from the machine, and makes the service reachable from inside."""
    machine.environment |= {"container": "podman", "PATH": "/usr/bin:/bin", "MSAL_STORE_DIR": str(machine.folder / "volume")}
    for name in ("HOME", "USER"):
        del machine.environment[name]
    relay = Relay(socket_elsewhere(("127.0.0.1", machine.emulator.port)), ("127.0.0.1", machine.emulator.port))
    machine.ends.callback(relay.close)


def comes_back_by_a_published_port(machine):
    """`docker run -p 127.0.0.1:8400:8400`: the port's proxy connects to the container's address."""
    container(machine)
    arguments = ["--listen", "0.0.0.0", "--port", str(PORT)]
    plan = machine.explains("paste", REASON, *arguments, prefix=INSIDE, terminal=True)
    assert "a podman container" in plan["machine"] and "no home directory" in plan["machine"], plan["machine"]
    published = Relay(socket.create_server(("127.0.0.1", PORT)), (THERE, PORT))
    machine.ends.callback(published.close)
    terminal = machine.terminal(*INSIDE, machine.msal, "login", *arguments)
    terminal.await_text("Address")
    terminal.await_text("paste is tried first")  # A log line, written concurrently.
    assert f"can reach port {PORT} of 0.0.0.0 can connect" in terminal.text, "the output does not say what it opens"
    link = re.search(r"^ +(https://\S+)$", terminal.text, re.MULTILINE)[1]
    machine.person.sign_in(link)
    assert terminal.end() == 0 and f"Signed in as {USER}" in terminal.text
    assert "Its user is unknown" in terminal.text, "the log does not say what is not known"
    signed_in(machine)
    return "paste, with the published port"


def takes_a_code(machine):
    """Without a terminal, as with `docker run` without -it, a code is shown because it was requested."""
    container(machine)
    machine.explains("device-code", REASON, "--use-device-code", prefix=INSIDE)
    login = machine.begin(*INSIDE, machine.msal, "login", "--use-device-code")
    code = login.await_text(r"Enter this code there:\s+(\S+)\s")[1]
    assert "device-code is tried first, as the app demands" in login.text
    machine.person.type_code(code)
    assert f"Signed in as {USER}" in login.end()
    signed_in(machine)
    return "device-code"


def names_what_is_missing(machine):
    """Without a home and a folder for the tokens, the sign-in fails before the user is involved."""
    container(machine)
    del machine.environment["MSAL_STORE_DIR"]
    outcome = machine.run(*INSIDE, machine.msal, "login", "--use-device-code", status=6)
    assert "MSAL_STORE_DIR" in outcome.text and "code there" not in outcome.text
    return "none: no folder for tokens, status 6"


def signed_in(machine):
    text = machine.run(*INSIDE, machine.msal, "token", "-o", "raw", MSAL_LOG=None).text
    assert text.count(".") >= 2, "there is no token"


CASES = {
    "a container without home, with a published port": comes_back_by_a_published_port,
    "a container without home and without a terminal, with a device code": takes_a_code,
    "a container without home and without a volume": names_what_is_missing,
}
