# Licensed under the MIT License. See LICENSE.
"""A separate network: every host of the service is this machine, on port 443, with a trusted certificate."""
import subprocess
import sys

TRUST = "/etc/ssl/certs/ca-certificates.crt"
HOSTS = [
    "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "graph.microsoft.com",
    "login.microsoftonline.us", "graph.microsoft.us",
    "login.partner.microsoftonline.cn", "login.chinacloudapi.cn", "microsoftgraph.chinacloudapi.cn",
    "contoso.b2clogin.com", "fabrikam.ciamlogin.com", "fs.contoso.com", "login.contoso.com", "attacker.example",
    "files.contoso.com", "dev.azure.com", "contoso.visualstudio.com", "contoso.azurecr.io", "contoso.azurecr.us",
]
# A host that refuses every connection.
CLOSED_HOST = "closed.contoso.com"


def inside(environment):
    """Runs this program again in separate mount and network namespaces; returns its status."""
    command = ["unshare", "--mount", "--net", "--", sys.executable, *sys.argv]
    return subprocess.run(command, env=environment, check=False).returncode


def settle(folder, authority):
    """Sets up the namespaces as such a network. The files stay in use until the program ends."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    hosts = folder / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {' '.join(HOSTS)}\n127.0.0.2 {CLOSED_HOST}\n")
    for source, target in [(hosts, "/etc/hosts"), (authority, TRUST)]:
        subprocess.run(["mount", "--bind", str(source), target], check=True)
