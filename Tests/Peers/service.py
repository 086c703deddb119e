# Licensed under the MIT License. See LICENSE.
"""A program that uses only MSALServer gets a token from the emulator with each identity that its variables may describe, and
the second token from memory.

usage: service.py SERVICE_PROBE BUILD_FOLDER
"""
import pathlib
import subprocess
import sys

from harness import TENANT, check, free_port, running_emulator

SECRET, WRONG = "Emulator-secret-1", "Wrong-secret-1"
APPLICATION = {"AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000010", "AZURE_TENANT_ID": TENANT}


class Probe:
    def __init__(self, program, emulator):
        self.program, self.emulator, self.printed = program, emulator, ""
        self.environment = {"SSL_CERT_FILE": emulator.ca_file, "AZURE_AUTHORITY_HOST": emulator.base, "PATH": "/nowhere"}

    def run(self, **variables):
        done = subprocess.run([str(self.program), "https://graph.microsoft.com/.default"], text=True, capture_output=True,
                              env={**self.environment, **variables}, timeout=60, check=False)
        self.printed += done.stdout + done.stderr
        return done

    def serves(self, winner, **variables):
        self.emulator.reset()
        done = self.run(**variables)
        lines = done.stdout.splitlines()
        check(done.returncode == 0 and lines[-1] == f"served by {winner}", 
              f"{winner} gets a token{done.returncode and ': ' + done.stderr or ''}")
        check(lines[0].startswith("MSALTokenResult(Bearer token from service"), "  the first one comes from the service")
        check(lines[1].startswith("MSALTokenResult(Bearer token from cache"), "  the second one comes from its memory")
        requests = [entry for entry in self.emulator.journal() if entry["path"].endswith("/token")]
        check(len(requests) <= 2, "  one request, and perhaps a probe, suffices for both")


def main():
    program, build = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    port = free_port()
    with running_emulator(build, options=["--issuers", "--managed-identity", "--managed-identity-port", port]) as emulator:
        probe = Probe(program, emulator)
        probe.serves("environment", **APPLICATION, AZURE_CLIENT_SECRET=SECRET)

        token = subprocess.check_output(
            [build / "entra-emulator", "federated-token", "--subject", "system:serviceaccount:default:app", "--port",
             str(emulator.port), "--state", str(emulator.folder / "state")])
        file = emulator.folder / "token"
        file.write_bytes(token)
        probe.serves("workloadIdentity", **APPLICATION, AZURE_FEDERATED_TOKEN_FILE=str(file))
        probe.serves("managedIdentity", AZURE_POD_IDENTITY_AUTHORITY_HOST=f"http://127.0.0.1:{port}")

        refused = probe.run(**APPLICATION, AZURE_CLIENT_SECRET=WRONG)
        check(refused.returncode == 1 and "AADSTS7000215" in refused.stderr, "the message names a wrong secret")
        nobody = probe.run(AZURE_TOKEN_CREDENTIALS="dev")
        check(nobody.returncode == 1 and "noCredential" in nobody.stderr and "az login" in nobody.stderr,
              "without any identity, the message lists each one and what to do")
        check(not any(text in probe.printed for text in (SECRET, WRONG, "eyJ", token.decode().strip())),
              "the output contains neither a secret nor a token")


main()
