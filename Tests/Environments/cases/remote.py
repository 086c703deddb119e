# Licensed under the MIT License. See LICENSE.
"""A shell over SSH: the command runs on a machine across the network, with a real sshd. The person's browser is on this
machine, and no port of the other machine can be reached from here."""
import re
import shlex
import shutil
import socket
import subprocess

from harness import USER
from machine import Skipped, await_
from networks import ELSEWHERE, THERE, Relay, socket_elsewhere

SSHD = "/usr/sbin/sshd"
REASON = "a browser on any machine will do; its last address is pasted here"


class Remote:
    """The machine across the network, with an account for the person."""

    def __init__(self, machine, port=2222):
        if not shutil.which(SSHD):
            raise Skipped("openssh-server is not installed")
        self.machine, self.port = machine, port
        folder = machine.folder
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True, timeout=20)
        (folder / "sshd_config").write_text(
            f"HostKey {folder}/host\nAuthorizedKeysFile {folder}/user.pub\nStrictModes no\nUsePAM no\nPidFile none\n"
            "PermitRootLogin yes\nPasswordAuthentication no\nPrintMotd no\nPrintLastLog no\n", encoding="utf-8")
        self.config = folder / "ssh_config"
        self.config.write_text(
            f"Host *\n  IdentityFile {folder}/user\n  IdentitiesOnly yes\n  UserKnownHostsFile {folder}/known\n"
            "  StrictHostKeyChecking accept-new\n  LogLevel ERROR\n  ConnectTimeout 10\n", encoding="utf-8")
        # The service is on a third machine, and both reach it under the same name.
        relay = Relay(socket_elsewhere(("127.0.0.1", machine.emulator.port)), ("127.0.0.1", machine.emulator.port))
        machine.ends.callback(relay.close)
        subprocess.run(["mkdir", "-p", "/run/sshd"], check=True)
        machine.begin(*ELSEWHERE, SSHD, "-D", "-e", "-f", str(folder / "sshd_config"), "-o", f"ListenAddress={THERE}:{port}",
                      PATH="/usr/bin:/bin:/usr/sbin")
        await_(lambda: answers(THERE, port), "sshd does not listen")

    def command(self, *arguments):
        """`msal` over SSH, with a terminal there."""
        kept = ("MSAL_", "HOME", "LANG")
        settings = [f"{name}={value}" for name, value in self.machine.environment.items() if name.startswith(kept)]
        line = shlex.join(["env", *settings, self.machine.msal, *arguments])
        return ["/usr/bin/ssh", "-F", str(self.config), "-tt", "-p", str(self.port), f"root@{THERE}", line]

    def login(self, *arguments):
        """Begins a sign-in, and waits for its link and prompt; returns the terminal and the link."""
        terminal = self.machine.terminal(*self.command("login", *arguments))
        terminal.await_text(r"Address \(d: device code\): ")
        shown = terminal.text
        assert "paste is tried first" in shown and REASON in shown, "the log does not name the sign-in mode and the reason"
        assert "a remote login" in shown and "An error page there is fine" in shown
        link = re.search(r"^ +(https://\S+)$", shown, re.MULTILINE)[1]
        assert "response_mode=query" in link
        return terminal, link


def answers(host, port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def ends_well(machine, terminal):
    status = terminal.end()
    assert status == 0, f"the status is {status}"
    assert f"Signed in as {USER}" in terminal.text
    machine.signed_in()


def is_pasted(machine):
    """The browser ends on a page without a server. Its address is pasted, after a truncated one."""
    remote = Remote(machine)
    terminal, link = remote.login()
    port = int(re.search(r"http://localhost:(\d+)", terminal.text)[1])
    assert not answers("127.0.0.1", port), "something on the person's machine listens at that port"
    driver = machine.person.driver
    machine.person.sign_in(link, until=lambda: driver.current_url.startswith(f"http://localhost:{port}/"))
    last = driver.current_url
    code = re.search(r"code=([^&]+)", last)[1]
    terminal.type(last[:60] + "\r")
    terminal.await_text(r"The end of the address is missing.*\n+Address")
    terminal.type(f"\x1b[200~{last}\x1b[201~\r")
    ends_well(machine, terminal)
    assert code not in terminal.shown, "the code is on the screen"
    return "paste"


def is_forwarded(machine):
    """The printed `ssh -L` command runs on the person's machine. The browser's redirect then arrives by itself."""
    remote = Remote(machine)
    terminal, link = remote.login()
    line = terminal.await_text(r"ssh -N -L (\d+):localhost:\d+ .*")
    words = shlex.split(line[0])
    tunnel = machine.begin(f"/usr/bin/{words[0]}", "-F", str(remote.config), *words[1:])
    await_(lambda: answers("127.0.0.1", int(line[1])), "the printed line forwards nothing", gone=lambda: tunnel.poll() is not None)
    machine.person.sign_in(link)
    ends_well(machine, terminal)
    return "paste, with the forwarded port"


def goes_on_to_a_code(machine):
    """One key at the prompt switches to a device code, with a QR code."""
    remote = Remote(machine)
    terminal, _ = remote.login()
    terminal.type("d")
    code = terminal.await_text(r"Enter this code there:\s+(\S+)\s")[1]
    assert "▀" in terminal.text or "█" in terminal.text, "there is no QR code"
    machine.person.type_code(code)
    ends_well(machine, terminal)
    return "device-code, after paste"


CASES = {
    "over SSH, the last address is pasted": is_pasted,
    "over SSH, the port is forwarded with the printed command": is_forwarded,
    "over SSH, one key switches to a device code": goes_on_to_a_code,
}
