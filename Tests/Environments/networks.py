# Licensed under the MIT License. See LICENSE.
"""Machines in a separate network: this one, with the person, and another at the other end of a cable."""
import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading

HERE, THERE = "10.77.0.1", "10.77.0.2"
NAME = "elsewhere"
CLONE_NEWNET = 0x40000000
# A command that runs in the other machine's network.
ELSEWHERE = ["nsenter", f"--net=/run/netns/{NAME}", "--"]


def inside(environment, seconds):
    """Runs this program again in separate namespaces; returns its status. Everything that it started ends with it."""
    namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    process = subprocess.Popen(["unshare", *namespaces, "--", sys.executable, *sys.argv], env=environment)
    signal.signal(signal.SIGTERM, lambda *_: process.kill())
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        print(f"FAILED: not done after {seconds} s", flush=True)
        return 1
    finally:
        process.kill()
        process.wait()


def settle():
    """Creates the cable. The files of the machine's services are hidden."""
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    os.makedirs("/run/netns")
    run("ip", "link", "set", "lo", "up")
    run("ip", "netns", "add", NAME)
    run("ip", "-n", NAME, "link", "set", "lo", "up")
    run("ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", NAME)
    for address, prefix in [(HERE, ["ip"]), (THERE, ["ip", "-n", NAME])]:
        run(*prefix, "addr", "add", f"{address}/24", "dev", "cable")
        run(*prefix, "link", "set", "cable", "up")


def run(*command):
    subprocess.run(command, check=True, timeout=10)


def socket_elsewhere(address):
    """A socket that listens in the other machine's network, because it belongs to the network in which it was created."""
    made = []

    def make():
        with open(f"/run/netns/{NAME}", "rb") as network:
            if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
        made.append(socket.create_server(address))

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    return made[0]


class Relay:
    """Forwards every connection to another address, as the proxy of a published port does."""

    def __init__(self, listening, target):
        self.listening, self.target = listening, target
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:  # The socket was closed.
                return
            try:
                far = socket.create_connection(self.target, timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for source, sink in [(near, far), (far, near)]:
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass  # The peer closed the connection.
        finally:
            try:
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def close(self):
        # A thread in accept notices the shutdown, but not the closing.
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
