# Licensed under the MIT License. See LICENSE.
"""`msal token` makes as many system calls with a thousand accounts as with ten. Calls are counted with strace instead of timed, so
a busy machine changes nothing.

usage: syscalls.py MSAL
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from harness import CLIENT_ID, TENANT, check, shared_cache, user_name

HOST = "login.windows.net"
SCOPE = "https://graph.microsoft.com/user.read"
# System calls that may be more frequent with a thousand accounts: the depth of an index, and the page of a row, which depends on a
# hash, cost a read each.
TOLERANCE = {"pread64": 6}
RUNS = 5
# The number of waits between threads varies, and memory is allocated as threads are scheduled.
UNSTEADY = {"futex", "sched_yield", "mmap", "munmap", "madvise", "mprotect", "brk", "total"}


def environment(folder):
    return {
        **os.environ, "HOME": str(folder), "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_SCOPES": SCOPE,
        "MSAL_AUTHORITY": f"https://login.microsoftonline.com/{TENANT}", "MSAL_STORE_KEY": "key-file",
        "MSAL_STORE_DIR": str(folder / "store"), "XDG_CONFIG_HOME": str(folder / "config"),
    }


def run(command, folder, **options):
    return subprocess.run(command, env=environment(folder), check=True, capture_output=True, timeout=120, **options)


def filled(msal, folder, accounts):
    folder.mkdir()
    run([msal, "cache", "import", "-"], folder, input=shared_cache(accounts, HOST, SCOPE).encode())
    return folder


def calls(msal, folder, number):
    """The number of system calls of each kind."""
    trace = folder / "trace"
    command = ["strace", "-f", "-qq", "-c", "-S", "name", "-o", str(trace), msal, "token", "--output", "raw",
               "--account", user_name(number)]
    token = run(command, folder).stdout.decode().strip()
    check(token.startswith(f"t{number}-"), f"the token of account {number} is printed")
    rows = re.findall(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", trace.read_text(), re.MULTILINE)
    counts = {name: int(count) for count, name in rows if name not in UNSTEADY}
    check(counts.get("openat", 0) > 0, "strace counted")
    return counts


def least_calls(msal, folder, number):
    """The minimum of some runs for each system call: a run may check once more when another thread was faster."""
    runs = [calls(msal, folder, number) for _ in range(RUNS)]
    return {name: min(run.get(name, 0) for run in runs) for name in set().union(*runs)}


def main():
    msal = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        stores = {size: filled(msal, pathlib.Path(folder) / str(size), size) for size in (10, 1000)}
        few, many = (least_calls(msal, stores[size], size // 2) for size in (10, 1000))
    growth = {
        name: (few.get(name, 0), count)
        for name, count in many.items() if count > few.get(name, 0) + TOLERANCE.get(name, 0)
    }
    print(f"{sum(few.values())} system calls with 10 accounts, {sum(many.values())} with 1,000")
    check(not growth, f"a thousand accounts need no more system calls of any kind than ten {growth or ''}")


main()
