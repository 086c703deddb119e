# Licensed under the MIT License. See LICENSE.
"""The optimized `msal` with the emulator of the debug build: one pass through typical use. It is short, because the flows are
tested in the debug build; this test finds a compiler bug in the optimized program.

usage: smoke.py MSAL BUILD_FOLDER
"""
import json
import os
import pathlib
import resource
import shlex
import subprocess
import sys

from harness import CLIENT_ID, PASSWORD, TENANT, USER, browser_command, check, running_emulator

CUSTOMER = "password@fabrikam.example"
# Numbers of files and sockets that may be open at a time. The last one is sufficient for everything.
LIMITS = [4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64]


class Command:
    def __init__(self, program, environment):
        self.program, self.environment = program, environment

    def __call__(self, *arguments, stdin="", status=0, **changes):
        """The command's standard output; its exit status must be as expected."""
        done = self.end(*arguments, stdin=stdin, **changes)
        if done.returncode != status:
            raise SystemExit(f"FAILED: msal {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def end(self, *arguments, stdin="", limit=None, **changes):
        """The command's result with a limit on open files and sockets."""
        def lower():
            if limit:
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

        return subprocess.run([str(self.program), *arguments], input=stdin, env={**self.environment, **changes}, text=True,
                              capture_output=True, timeout=60, check=False, preexec_fn=lower)


def web(msal):
    account = json.loads(msal("login", "--scope", "User.Read", "-o", "json"))["account"]
    check(account["username"] == USER, "login signs in through the browser")
    first = msal("token", "-o", "raw").strip()
    check(first.count(".") == 2, "token returns the stored token")
    check(json.loads(msal("graph", "/me", "-o", "raw"))["userPrincipalName"] == USER, "graph accepts it")
    second = msal("token", "--refresh", "-o", "raw").strip()
    check(second.count(".") == 2 and second != first, "token --refresh returns another token")
    check(json.loads(msal("graph", "/me", "-o", "raw"))["userPrincipalName"] == USER, "graph accepts that token, too")
    check(msal("logout", "-o", "raw").strip() == USER, "logout names the user that it signed out")
    msal("token", "-o", "raw", status=4)
    check(True, "after logout there is no token")


def native(msal, emulator):
    changes = {"MSAL_AUTHORITY": f"https://127.0.0.1:{emulator.port}/fabrikam", "MSAL_SCOPES": ""}
    signed_in = msal("native", "sign-in", CUSTOMER, "--answers", "-", "-o", "json",
                     stdin=json.dumps({"password": PASSWORD}), **changes)
    check(json.loads(signed_in)["account"]["username"] == CUSTOMER, "native sign-in needs no browser")
    scope = "api://00000000-0000-4000-8000-0000000000a1/ToDoList.Read"
    token = msal("native", "token", "--scope", scope, "-o", "raw", **changes)
    check(token.count(".") == 2, "native token returns one for an API")
    msal("logout", **changes)
    msal("native", "token", "-o", "raw", status=4, **changes)
    check(True, "logout ends that sign-in")


def limited(msal, folder):
    """With few files and sockets, each command succeeds or names the limit, and the store is intact afterwards."""
    # A program that starts a browser passes the limit on. The browser raises it again.
    browser = folder / "roomy-browser"
    browser.write_text(f'#!/bin/sh\nulimit -Sn 1024\nexec {shlex.quote(msal.environment["BROWSER"])} "$1"\n')
    browser.chmod(0o755)
    done = {}
    for limit in LIMITS:
        for words in (["login", "--scope", "User.Read", "--timeout", "20"], ["token"], ["token", "--refresh"]):
            end = msal.end(*words, "-o", "raw", limit=limit, BROWSER=str(browser))
            named = f"This process may have {limit} files and sockets open at a time" in end.stderr
            # No user is signed in yet.
            early = end.returncode == 4 and "login" not in done
            if end.returncode == 0:
                done[words[0]] = limit
            elif not named and not early:
                raise SystemExit(f"FAILED: msal {' '.join(words)} with {limit} open files ended with {end.returncode}\n"
                                 f"{end.stdout}{end.stderr}")
        msal("cache", "doctor")
        if "login" in done:
            msal("token", "-o", "raw")
    check(set(done) == {"login", "token"}, f"with {LIMITS[0]} to {LIMITS[-1]} open files the command works, or names the limit")
    msal("logout")


def main():
    program, build = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    with running_emulator(build) as emulator:
        msal = Command(program, {
            "PATH": os.environ["PATH"], "HOME": str(emulator.folder), "MSAL_STORE_KEY": "key-file",
            "MSAL_CA_FILE": emulator.ca_file, "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_SCOPES": "User.Read",
            "MSAL_AUTHORITY": f"{emulator.base}/{TENANT}",
            "BROWSER": str(browser_command(emulator.folder, "browser", build / "ScriptedBrowser")),
            "MSAL_AGENT_USER": USER, "MSAL_AGENT_PASSWORD": PASSWORD,
        })
        web(msal)
        native(msal, emulator)
        limited(msal, emulator.folder)
    print("the optimized command works")


main()
