# Licensed under the MIT License. See LICENSE.
"""msgraph-sdk, as on the page docs/emulator/Clients.md."""
import snippets
from bench import check


def run(bench):
    programs = bench.programs("msgraph", "msgraph-sdk==1.65.0", "azure-identity==1.27.0")
    name = snippets.Shell(bench).run("msgraph-sdk", "python", program=programs / "python")
    check(name == "Megan Bowen", "msgraph-sdk reads the signed-in user's profile")
