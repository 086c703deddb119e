# Licensed under the MIT License. See LICENSE.
"""A program in a separate terminal: its output is read, and input is typed."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time


class Terminal:
    def __init__(self, command, environment, columns=120):
        self.master, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.shown = ""
        self.process = subprocess.Popen(
            command, env=environment, stdin=inside, stdout=inside, stderr=inside, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(inside)

    @property
    def text(self):
        """The output, without colors and cursor movements."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", self.shown)

    def await_text(self, pattern, seconds=30):
        """The first match in the output."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            if not self.read(deadline):
                raise AssertionError(f"the terminal does not show {pattern!r}")
        return found

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self, seconds=30):
        """The exit status when the program ends by itself."""
        deadline = time.monotonic() + seconds
        while self.read(deadline):
            pass
        return self.process.wait(timeout=max(0.1, deadline - time.monotonic()))

    def read(self, deadline):
        """Waits for more output; false at the end of the program or after the timeout."""
        ready, _, _ = select.select([self.master], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.master, 65_536)
        except OSError:  # The other end is closed.
            return False
        self.shown += data.decode(errors="replace")
        return bool(data)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
