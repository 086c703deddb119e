# Licensed under the MIT License. See LICENSE.
"""The Azure CLI, as on the page docs/emulator/Clients.md: with a service principal, a user in a browser and a device code."""
import json
import os
import re
import subprocess

import snippets
from bench import API, SERVICE_ID, TENANT, USER, check, claims_of

VERSION = "azure-cli==2.91.0"


def run(bench):
    shell = snippets.Shell(bench)
    shell.programs.append(bench.programs("azure-cli", VERSION))
    output = shell.run("The Azure CLI")
    check('"Bearer"' in output and SERVICE_ID in output, "az signs in as a service principal, as on the page")
    az = AzureCLI(bench, shell)
    token = az("account", "get-access-token")
    claims = claims_of(token["accessToken"])
    check(claims["appid"] == SERVICE_ID and claims["aud"].startswith("https://management.core.windows.net"),
          "its token is for Azure Resource Manager")
    check(az("account", "show")["name"] == "Contoso subscription", "az finds the subscription")

    signed_in, = az("login")
    check(signed_in["user"] == {"name": USER, "type": "user"}, "az signs in a user with the browser")
    check(claims_of(az("account", "get-access-token")["accessToken"])["upn"] == USER, "the token is the user's")
    graph = az("account", "get-access-token", "--resource", "https://graph.microsoft.com")["accessToken"]
    check(bench.me(graph).json()["userPrincipalName"] == USER, "a token for Graph comes from the refresh token")
    listed = az("account", "tenant", "list", optional=True)
    check(listed is None or listed[0]["tenantId"] == TENANT, "az lists the tenant")
    credential(bench, shell)

    az("logout")
    with az.start("login", "--use-device-code") as login:
        code = next(found[1] for line in login.stderr if (found := re.search(r"code ([A-Z0-9]{9})\b", line)))
        bench.type_code(code)
        output, errors = login.communicate(timeout=60)
    check(login.returncode == 0 and USER in output,
          f"az signs in with a device code {errors[-300:] if login.returncode else ''}".strip())
    check(az("account", "get-access-token")["tokenType"] == "Bearer", "az has a token")
    az("logout")

    with bench.at_standard_port() as place:
        if place:
            shell = snippets.Shell(place)
            shell.programs.append(bench.programs("azure-cli", VERSION))
            shell.run("The Azure CLI")
            signed_in, = AzureCLI(place, shell)("login", "-u", USER, "-p", "Pa55-word!", "--tenant", "contoso.example")
            check(signed_in["user"]["name"] == USER, "az signs in a user with a password, on port 443")


def credential(bench, shell):
    """azure-identity uses the signed-in az."""
    import azure.identity as identity

    az = AzureCLI(bench, shell)
    with bench.environment(PATH=az.environment["PATH"], AZURE_CONFIG_DIR=az.environment["AZURE_CONFIG_DIR"],
                           AZURE_CORE_INSTANCE_DISCOVERY="false"):
        token = identity.AzureCliCredential().get_token("https://management.azure.com/.default").token
    check(claims_of(token)["upn"] == USER, "AzureCliCredential returns az's token")
    own_chain(bench, az)


def own_chain(bench, az):
    """The default chain of this project uses the same az."""
    done = subprocess.run(
        [os.path.join(bench.build, "msal"), "token", "--default", "--scope", "https://management.azure.com/.default",
         "--output", "json", "--show-token"],
        env={**az.environment, "AZURE_TOKEN_CREDENTIALS": "AzureCliCredential"},
        capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    check(done.returncode == 0, f"the default chain runs the real az {done.stderr[-400:]}".strip())
    result = json.loads(done.stdout)
    check(claims_of(result["access_token"])["upn"] == USER, "the default chain returns its token")


class AzureCLI:
    """Runs az with the variables of the page."""

    def __init__(self, bench, shell):
        self.environment = {
            **os.environ, "PATH": os.pathsep.join([*map(str, shell.programs), os.environ["PATH"]]),
            "HOME": str(bench.folder), "REQUESTS_CA_BUNDLE": bench.ca_file, "BROWSER": str(bench.browser()),
            "AZURE_CONFIG_DIR": str(bench.folder / ".azure-entra-emulator"), "AZURE_CORE_INSTANCE_DISCOVERY": "false",
            "AZURE_CORE_COLLECT_TELEMETRY": "0", "AZURE_CORE_LOGIN_EXPERIENCE_V2": "off",
        }

    def __call__(self, *arguments, optional=False):
        """The output of a command, parsed as JSON."""
        done = subprocess.run(["az", *arguments, "--output", "json", "--only-show-errors"], env=self.environment,
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
        if done.returncode and optional:
            return None
        check(done.returncode == 0, f"az {' '.join(arguments[:2])} {done.stderr[-800:]}".strip())
        return json.loads(done.stdout) if done.stdout.strip() else None

    def start(self, *arguments):
        return subprocess.Popen(["az", *arguments, "--output", "json"], env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
