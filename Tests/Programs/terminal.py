# Licensed under the MIT License. See LICENSE.
"""Runs a program in a terminal, types input, and presses Ctrl-C."""
import os, pty, signal, sys
signal.alarm(120)
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
for words, keys in ((b"Who? ", b"Megan\n"), (b"Hello Megan", b"\x03"), (b"stopped", b"")):
    seen = b""
    while words not in seen:
        seen += os.read(terminal, 1024)
    os.write(terminal, keys)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
