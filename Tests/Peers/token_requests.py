# Licensed under the MIT License. See LICENSE.
"""Compares the requests of three libraries for a service's token, with the same environment and the same endpoint: azure-identity
and MSAL for Python as published, and MSALServer. A difference without a reason in `token_differences.py` fails the test.

usage: token_requests.py BUILD_FOLDER [--show] [SCENARIO...]     --show prints every request
"""
import base64
import contextlib
import json
import logging
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Clients")]

from certificates import Certificate  # noqa: E402
from recorder import Recorder, TENANT, arc_folder  # noqa: E402
from token_clients import ASSERTION, CLIENT, SECRET, AzureIdentity, MSALPython, Ours  # noqa: E402
from token_differences import DIFFERENCES  # noqa: E402

# The headers of the connection, and the name and version of each library.
UNCOMPARED = {"host", "connection", "content-length", "accept-encoding", "user-agent"}
TELEMETRY = re.compile(r"x-client-(sku|ver|os|cpu|current-telemetry|last-telemetry)|x-ms-lib-capability")
VARIABLES = ("AZURE_POD_IDENTITY_AUTHORITY_HOST", "IDENTITY_ENDPOINT", "IDENTITY_HEADER", "IDENTITY_SERVER_THUMBPRINT",
             "IMDS_ENDPOINT", "MSI_ENDPOINT", "MSI_SECRET", "DEFAULT_IDENTITY_CLIENT_ID", "AZUREPS_HOST_ENVIRONMENT",
             "AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE",
             "AZURE_AUTHORITY_HOST", "AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_TOKEN_CREDENTIALS",
             "SYSTEM_OIDCREQUESTURI", "SYSTEM_ACCESSTOKEN", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")


class Place:
    """The configuration of the libraries."""

    def __init__(self, folder, build):
        self.folder, self.program = pathlib.Path(folder), build / "TokenClient"
        self.recorder = Recorder(server_certificate(), folder)
        self.certificate = Certificate("app.contoso.example", Certificate("The root of a company"))
        self.pem, _ = self.certificate.save(folder)
        self.resource_id = ("/subscriptions/00000000-0000-4000-8000-0000000000f1/resourceGroups/contoso/providers/"
                            "Microsoft.ManagedIdentity/userAssignedIdentities/contoso-identity")
        self.pod_file = self.folder / "pod-token"
        self.pod_file.write_text(ASSERTION)

    def environment(self, host):
        """The variables of a program on that host."""
        machine, header = self.recorder.machine, "a-header+of=the host"
        account = {"AZURE_CLIENT_ID": CLIENT, "AZURE_TENANT_ID": TENANT, "AZURE_AUTHORITY_HOST": self.recorder.base}
        return {
            None: {},
            "pod": {**account, "AZURE_FEDERATED_TOKEN_FILE": str(self.pod_file)},
            "pipeline": {"SYSTEM_OIDCREQUESTURI": f"{self.recorder.base}/pipelines/oidc/token",
                         "SYSTEM_ACCESSTOKEN": "a-pipeline-token"},
            "account": {**account, "AZURE_CLIENT_SECRET": SECRET},
            "account-certificate": {**account, "AZURE_CLIENT_CERTIFICATE_PATH": self.pem},
            "imds": {"AZURE_POD_IDENTITY_AUTHORITY_HOST": machine},
            "app-service": {"IDENTITY_ENDPOINT": f"{machine}/msi/token", "IDENTITY_HEADER": header},
            "azure-arc": {"IDENTITY_ENDPOINT": f"{machine}/arc/metadata/identity/oauth2/token", "IMDS_ENDPOINT": machine},
            "cloud-shell": {"MSI_ENDPOINT": f"{machine}/oauth2/token"},
            "service-fabric": {"IDENTITY_ENDPOINT": f"{self.recorder.base}/metadata/identity/oauth2/token",
                               "IDENTITY_HEADER": header, "IDENTITY_SERVER_THUMBPRINT": self.recorder.thumbprint},
            "machine-learning": {"MSI_ENDPOINT": f"{machine}/ml/msi/token", "MSI_SECRET": header,
                                 "DEFAULT_IDENTITY_CLIENT_ID": CLIENT},
        }[host]


# A function of the clients, and its host.
SCENARIOS = {
    "secret": ("secret", None), "claims": ("claims", None), "capability": ("capability", None),
    "certificate": ("certificate", None), "chain": ("chain", None), "assertion": ("assertion", None),
    "on-behalf-of": ("on_behalf_of", None), "on-behalf-of-claims": ("on_behalf_of_claims", None),
    "pod": ("pod", "pod"), "pipeline": ("pipeline", "pipeline"),
    "default-account": ("default", "account"), "default-certificate": ("default", "account-certificate"),
    "default-pod": ("default", "pod"), "default-imds": ("default", "imds"), "default-app-service": ("default", "app-service"),
    **{host: ("machine", host)
       for host in ("imds", "app-service", "azure-arc", "cloud-shell", "service-fabric", "machine-learning")},
    **{f"{host}-client": ("machine_by_client", host)
       for host in ("imds", "app-service", "azure-arc", "machine-learning")},
    **{f"{host}-object": ("machine_by_object", host) for host in ("imds", "app-service", "azure-arc")},
    **{f"{host}-resource": ("machine_by_resource", host) for host in ("imds", "app-service", "azure-arc")},
}
# The client has no such source, or uses a different port for it.
ABSENT = {
    ("MSAL for Python", "cloud-shell"): "its managed identities have no Cloud Shell; its public client calls port 50342",
}


def server_certificate():
    """For `localhost` and 127.0.0.1, with a trusted authority."""
    return Certificate("localhost", Certificate("The authority of the recorder"), names=["localhost", "127.0.0.1"])


@contextlib.contextmanager
def environment(variables):
    before = dict(os.environ)
    for name in VARIABLES:
        os.environ.pop(name, None)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


# MARK: Contents of a request

def facts(requests, place):
    """The contents of one library's token requests, by name."""
    known = {"requests": str(len(requests))}
    for number, request in enumerate(requests, start=1):
        prefix = f"{number}." if len(requests) > 1 else ""
        known[f"{prefix}method"] = request.method
        known[f"{prefix}path"] = request.path
        for kind, pairs in (("query", request.query), ("form", request.form), ("header", request.headers)):
            for name, value in pairs:
                if kind == "header" and name in UNCOMPARED:
                    continue
                for key, text in readings(name, value, place):
                    key = f"{prefix}{kind}.{key}"
                    known[key] = f"{known[key]} and {text}" if key in known else text
        if request.body:
            known[f"{prefix}body"] = request.body.decode(errors="replace")
    return known


def readings(name, value, place):
    """A value without what differs between requests."""
    value = value.replace(place.recorder.base, "https://recorder").replace(place.recorder.machine, "http://recorder")
    if TELEMETRY.fullmatch(name):
        return [(name, "some")]
    if name in ("claims", "scope", "content-type"):
        return [(name, canonical(name, value))]
    if name == "client_assertion":
        return [(key, text.replace(place.recorder.base, "https://recorder")) for key, text in assertion(value)]
    if name.endswith("request-id") and re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value.lower()):
        return [(name, "a GUID")]
    return [(name, value)]


def canonical(name, value):
    if name == "claims":
        return json.dumps(json.loads(value), sort_keys=True)
    return " ".join(sorted(value.split(" "))) if name == "scope" else value.lower().replace(" ", "")


def assertion(text):
    """The parts of a client assertion."""
    if text == ASSERTION:
        yield "client_assertion", "that of the environment"
        return
    header, claims = (json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in text.split(".")[:2])
    if header["alg"] == "none" or "x5t" not in header and "x5t#S256" not in header:
        yield "client_assertion", "that of the environment"
        return
    for name, value in header.items():
        yield f"assertion.header.{name}", f"{len(value)} certificates" if name == "x5c" else str(value).rstrip("=")
    for name, value in claims.items():
        yield f"assertion.claim.{name}", {"jti": "random", "iat": "now", "nbf": "now", "exp": "later"}.get(name, str(value))
    yield "assertion.life", str(int(claims["exp"] - claims.get("nbf", claims.get("iat", claims["exp"]))))


# MARK: Comparing

def record(clients, scenario, place):
    """The facts of each library that supports the scenario."""
    way, host = SCENARIOS[scenario]
    recorded = {}
    for client in clients:
        if not hasattr(client, way) or (client.name, scenario) in ABSENT:
            continue
        with environment({**place.environment(host), "REQUESTS_CA_BUNDLE": str(place.recorder.ca_file),
                          "SSL_CERT_FILE": str(place.recorder.ca_file), "HOME": str(place.folder)}):
            place.recorder.take()
            getattr(client, way)()
        requests = [request for request in place.recorder.take() if request.asks_for_token]
        assert requests, f"{scenario}: {client.name} requested no token"
        recorded[client.name] = facts(requests, place)
    return recorded


def differences(recorded):
    """Name and values of each fact that differs."""
    for key in sorted(set().union(*recorded.values())):
        values = {name: known.get(key) for name, known in recorded.items()}
        if len(set(values.values())) > 1:
            yield key, values


def main():
    words = [word for word in sys.argv[1:] if word != "--show"]
    if not words:
        raise SystemExit(__doc__)
    build, shows = pathlib.Path(words[0]).resolve(), "--show" in sys.argv
    logging.getLogger("azure").setLevel(logging.CRITICAL)
    used, failures, compared = set(), [], 0
    with tempfile.TemporaryDirectory() as folder, arc_folder() as has_arc:
        place = Place(folder, build)
        clients = [kind(place) for kind in (AzureIdentity, MSALPython, Ours)]
        names = words[1:] or list(SCENARIOS)
        for scenario in names:
            if "azure-arc" in scenario and not has_arc:
                print(f"--  skipped: {scenario}: only root can make the folder of Azure Arc's keys")
                continue
            recorded = record(clients, scenario, place)
            if shows:
                print(json.dumps({scenario: recorded}, indent=2))
            reasons, wrong = [], []
            for key, values in differences(recorded):
                entry = next((entry for entry in DIFFERENCES if entry.explains(scenario, key, values)), None)
                used.add(entry)
                (wrong if entry is None else reasons).append((key, values))
            compared += 1
            failures += [f"{scenario}: {key}: {values}" for key, values in wrong]
            print(f"{'ok ' if not wrong else 'FAILED'} {scenario}: {', '.join(recorded)}; {len(reasons)} documented differences",
                  flush=True)
        place.recorder.close()
        if len(names) == len(SCENARIOS) and has_arc:
            failures += [f"token_differences.py: there is no such difference: {entry}" for entry in DIFFERENCES
                         if entry not in used]
    print(f"{compared} kinds of credentials, {len(used - {None})} documented kinds of differences")
    if failures:
        raise SystemExit("\n".join(f"FAILED: {failure}" for failure in failures))


if __name__ == "__main__":
    main()
