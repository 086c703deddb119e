# Licensed under the MIT License. See LICENSE.
"""Runs the services of Examples/Containers/compose.yaml in network namespaces: each service is a separate machine that knows the
names of the others, and a person on the host reaches only the published ports. Without a container engine, images are not tested.

usage: containers.py BUILD_FOLDER       as root; it creates namespaces, so that the machine is unaffected
"""
import contextlib
import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "Examples" / "Containers"
sys.path.append(str(HERE.parent / "Clients"))

from harness import PASSWORD, USER, check  # noqa: E402
from person import Person  # noqa: E402

INSIDE = "MSAL_CONTAINERS_INSIDE"


class Network:
    """The network of the containers, and the host with its published ports."""

    def __init__(self, names, folder):
        self.addresses = {name: f"10.88.0.{number}" for number, name in enumerate(names, 2)}
        self.folder, self.ends = folder, contextlib.ExitStack()
        run("mount", "-t", "tmpfs", "tmpfs", "/run")
        run("mount", "-t", "tmpfs", "tmpfs", "/mnt")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "bridge", "type", "bridge")
        run("ip", "address", "add", "10.88.0.1/24", "dev", "bridge")
        run("ip", "link", "set", "bridge", "up")
        hosts = folder / "hosts"
        hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in self.addresses.items()))
        for name, address in self.addresses.items():
            run("ip", "netns", "add", name)
            run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            run("ip", "link", "set", f"to-{name}", "master", "bridge", "up")
            for words in ("address add " + address + "/24 dev eth0", "link set eth0 up", "link set lo up"):
                run("ip", "-n", name, *words.split())

    def start(self, name, command, environment, where):
        """Starts a program in a container; returns the file with its output."""
        log = self.folder / f"{name}.log"
        line = f"mount --bind {shlex.quote(str(self.folder / 'hosts'))} /etc/hosts && exec {shlex.join(command)}"
        with open(log, "wb") as output:
            process = subprocess.Popen(
                ["ip", "netns", "exec", name, "unshare", "--mount", "sh", "-c", line], env=environment, cwd=where,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        self.ends.callback(process.wait, 20)
        self.ends.callback(process.terminate)
        return log, process

    def publish(self, name, text):
        """Forwards a port of the host to a container, like `ADDRESS:PORT:PORT` in compose."""
        address, port, inner = text.split(":")
        server = socket.create_server((address, int(port)))
        self.ends.callback(server.close)
        threading.Thread(target=relay, args=(server, (self.addresses[name], int(inner))), daemon=True).start()


def relay(server, target):
    while True:
        try:
            client, _ = server.accept()
        except OSError:  # The server is closed, because the test has ended.
            return
        other = socket.create_connection(target)
        for one, two in ((client, other), (other, client)):
            threading.Thread(target=pump, args=(one, two), daemon=True).start()


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        sink.close()


def run(*command):
    subprocess.run(command, check=True)


def await_text(log, process, pattern, seconds=60):
    deadline = time.monotonic() + seconds
    while not (found := re.search(pattern, log.read_text(errors="replace"))):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"FAILED: {log.name} never contains {pattern}\n{log.read_text(errors='replace')}")
        time.sleep(0.05)
    return found


def program(command):
    """The Python program in a service's command; the packages that `pip` would install are installed already."""
    shell, = re.fullmatch(r'sh -c "(.*)"', command).groups()
    return [sys.executable, *shell.rpartition("&& python ")[2].split()]


def play(build, folder):
    services = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())["services"]
    network = Network(services, folder)
    plain = {name: value for name, value in os.environ.items() if not name.endswith(("_CA_BUNDLE", "_CERT_FILE"))}
    with network.ends:
        state = folder / "state"
        log, process = network.start("emulator", [str(build / "entra-emulator"), *services["emulator"]["command"].split(),
                                                  "--state", str(state)], plain, folder)
        fingerprint = await_text(log, process, r"SHA-256 ([0-9A-F:]{95})")[1]
        health = ["ip", "netns", "exec", "emulator", str(build / "entra-emulator"), "health", "--state", str(state)]
        check(subprocess.run(health).returncode == 0, "the emulator is healthy")
        for name in ("web", "api"):
            settings = {key: value for key, value in services[name]["environment"].items() if value}
            wrong, ended = network.start(name, program(services[name]["command"]), {
                **plain, **settings, "ENTRA_EMULATOR_CA_SHA256": "0" * 64}, EXAMPLE)
            check(ended.wait(60) == 1 and "is not the one" in wrong.read_text(), f"{name} trusts no other authority")
            log, process = network.start(name, program(services[name]["command"]), {
                **plain, **settings, "ENTRA_EMULATOR_CA_SHA256": fingerprint, "PYTHONUNBUFFERED": "1"}, EXAMPLE)
            await_port(network.addresses[name], {"web": 5000, "api": 8000}[name], log, process)
        for name, service in services.items():
            for port in service.get("ports", []):
                network.publish(name, port)
        page = Person(str(state / "ca.pem"), USER, PASSWORD).open("http://localhost:5000/")
        wanted = f"Hello Megan Bowen. The API says: {USER} may ToDoList.Read"
        check(page.text == wanted, "a person at the host's browser signs in, and the API accepts the web app's token"
              + ("" if page.text == wanted else f": {page.text[:800]}\n{(folder / 'web.log').read_text()[-1500:]}"))


def await_port(address, port, log, process, seconds=60):
    deadline = time.monotonic() + seconds
    while socket.socket().connect_ex((address, port)):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"FAILED: no program listens on port {port}\n{log.read_text(errors='replace')}")
        time.sleep(0.05)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if INSIDE in os.environ:
        with tempfile.TemporaryDirectory(prefix="msal-") as folder:
            play(build, pathlib.Path(folder))
        return
    command = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv]
    raise SystemExit(subprocess.run(command, env={**os.environ, INSIDE: "yes"}, timeout=400).returncode)


main()
