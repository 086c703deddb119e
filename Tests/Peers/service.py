# Licensed under the MIT License. See LICENSE.
"""A program that stands on MSALServer alone gets a token from the emulator, and the second one from its memory.

usage: service.py SERVICE_PROBE BUILD_FOLDER
"""
import pathlib
import subprocess
import sys

from harness import TENANT, check, running_emulator

SECRET = "Emulator-secret-1"


def main():
    program, build = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    with running_emulator(build) as emulator:
        environment = {
            "SSL_CERT_FILE": emulator.ca_file, "AZURE_AUTHORITY_HOST": emulator.base, "AZURE_TENANT_ID": TENANT,
            "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000010", "AZURE_CLIENT_SECRET": SECRET,
        }

        def run(**changes):
            return subprocess.run([str(program), "https://graph.microsoft.com/.default"], env={**environment, **changes},
                                  text=True, capture_output=True, timeout=60, check=False)

        done = run()
        check(done.returncode == 0, f"the service gets a token{done.stderr and ': ' + done.stderr}")
        first, second = done.stdout.splitlines()
        check(first.startswith("MSALTokenResult(Bearer token from service"), "the first one comes from the service")
        check(second.startswith("MSALTokenResult(Bearer token from cache"), "the second one from its memory")
        requests = [entry for entry in emulator.journal() if entry["path"].endswith("/token")]
        check(len(requests) == 1, "one request was made for both")
        refused = run(AZURE_CLIENT_SECRET="Wrong-secret-1")
        check(refused.returncode == 1 and "AADSTS7000215" in refused.stderr, "a wrong secret is named")
        everything = done.stdout + done.stderr + refused.stdout + refused.stderr
        check(SECRET not in everything and "Wrong-secret-1" not in everything and "eyJ" not in everything,
              "neither a secret nor a token is printed")


main()
