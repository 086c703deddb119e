# Licensed under the MIT License. See LICENSE.
"""In what the token requests of three libraries differ, and why. What is not here must be the same."""
import dataclasses
import re

AZURE, MSAL, OURS = "azure-identity", "MSAL for Python", "ours"


@dataclasses.dataclass(frozen=True)
class Difference:
    """A fact that is not the same everywhere, in these scenarios: who sends it, or what each sends."""
    key: str
    reason: str
    # Those that send it, all with one value; the others do not.
    senders: tuple = ()
    # What a library sends; one that is not named may send anything of the others'.
    values: tuple = ()
    scenarios: str = ".*"

    def explains(self, scenario, key, values):
        if not re.fullmatch(self.scenarios, scenario) or not re.fullmatch(rf"(\d\.)?{self.key}", key):
            return False
        if self.senders:
            sent = {value for name, value in values.items() if name in self.senders}
            return len(sent) <= 1 and all((value is None) == (name not in self.senders) for name, value in values.items())
        expected = dict(self.values)
        known = set(expected.values())
        return all(value == expected[name] if name in expected else value in known for name, value in values.items())


# The ways in which azure-identity sends the token request itself, not through MSAL for Python.
ITS_OWN = "assertion|pod|pipeline|default-pod"
MACHINES = "(default-)?(imds|app-service|azure-arc|cloud-shell|service-fabric|machine-learning)(-.*)?"
CLIENTS = "secret|claims|capability|certificate|chain|assertion|pod|pipeline|default-(account|certificate|pod)"

DIFFERENCES = [
    # MARK: Names of requests and of libraries
    Difference(
        r"header\.x-ms-client-request-id",
        "azure-identity's pipeline adds it to every request. MSAL for Python sends it to virtual machines only, which document it.",
        senders=(AZURE,), scenarios=f"{CLIENTS}|(app-service|azure-arc|machine-learning)(-.*)?"),
    Difference(
        r"header\.client-request-id",
        "Where azure-identity exchanges an assertion it does so without MSAL for Python, and without its header fields.",
        senders=(MSAL, OURS), scenarios=ITS_OWN),
    Difference(
        r"header\.x-client-(sku|ver|os)|header\.x-ms-lib-capability",
        "The same: the name of the library, and what it can do when it is throttled.",
        senders=(MSAL, OURS), scenarios=ITS_OWN),
    Difference(
        r"header\.accept",
        "The same; `*/*` stands in for a field that is missing.",
        values=((AZURE, "*/*"), (MSAL, "application/json"), (OURS, "application/json")), scenarios=ITS_OWN),
    Difference(
        r"header\.x-client-(current|last)-telemetry",
        "MSAL for Python counts its calls for the service, and azure-identity with it. Nothing answers to them.",
        senders=(MSAL,), scenarios=ITS_OWN),
    Difference(
        r"form\.client_info",
        "It asks for the ids of a user, of whom there is none. MSAL for Python asks with every request.",
        senders=(MSAL,), scenarios=ITS_OWN),

    # MARK: Certificates
    Difference(
        r"form\.assertion\.header\.alg",
        "With a thumbprint by SHA-1, which azure-identity computes itself, MSAL for Python signs with RS256; given the "
        "certificate alone it signs with PS256, as Microsoft's page on certificate credentials asks.",
        values=((AZURE, "RS256"), (MSAL, "PS256")), scenarios="chain"),
    Difference(
        r"form\.assertion\.header\.x5t", "The thumbprint that goes with RS256 above.", senders=(AZURE,), scenarios="chain"),
    Difference(
        r"form\.assertion\.header\.x5t#S256", "The thumbprint that goes with PS256 above.", senders=(MSAL, OURS),
        scenarios="chain"),
    Difference(
        r"form\.assertion\.header\.x5c",
        "MSAL for Python takes the first certificate of the text that it is given, azure-identity each of the file.",
        values=((AZURE, "2 certificates"), (MSAL, "1 certificates")), scenarios="chain"),
]
