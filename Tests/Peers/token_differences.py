# Licensed under the MIT License. See LICENSE.
"""The differences between the token requests of three libraries, with reasons. Everything else must be equal."""
import dataclasses
import re

AZURE, MSAL, OURS = "azure-identity", "MSAL for Python", "ours"


@dataclasses.dataclass(frozen=True)
class Difference:
    """A fact that differs in these scenarios: the libraries that send it, or what each sends."""
    key: str
    reason: str
    # The libraries that send it, all with the same value; the others do not.
    senders: tuple = ()
    # What each library sends; a library that is not listed may send any of the others' values.
    values: tuple = ()
    scenarios: str = ".*"

    def explains(self, scenario, key, values):
        if not re.fullmatch(self.scenarios, scenario) or not re.fullmatch(rf"(\d\.)?(?:{self.key})", key):
            return False
        if self.senders:
            sent = {value for name, value in values.items() if name in self.senders}
            return len(sent) <= 1 and all((value is None) == (name not in self.senders) for name, value in values.items())
        expected = dict(self.values)
        known = set(expected.values())
        return all(value == expected[name] if name in expected else value in known for name, value in values.items())


# The scenarios in which azure-identity sends the token request itself, not through MSAL for Python.
ITS_OWN = "assertion|pod|pipeline|default-pod"
THROUGH_MSAL = "on-behalf-of(-claims)?|secret|claims|capability|certificate|chain|default-account|default-certificate"
CLIENTS = f"{ITS_OWN}|{THROUGH_MSAL}"
CERTIFICATES = "certificate|chain|default-certificate"
IMDS, APP_SERVICE = "(default-)?imds(-.*)?", "(default-)?app-service(-.*)?"
OTHER_MACHINES = "(azure-arc|cloud-shell|machine-learning)(-.*)?"
MACHINES = f"{IMDS}|{APP_SERVICE}|{OTHER_MACHINES}|service-fabric"

DIFFERENCES = [
    # MARK: Names of requests and of libraries
    Difference(
        r"header\.x-ms-client-request-id",
        "azure-identity's pipeline adds it to every request. The others send it only to virtual machines, which document it.",
        senders=(AZURE,), scenarios=f"{CLIENTS}|{APP_SERVICE}|{OTHER_MACHINES}"),
    Difference(
        r"header\.client-request-id|header\.x-client-(sku|ver|os)|header\.x-ms-lib-capability",
        "The names of the request and of the library, and its support for throttling. Where azure-identity exchanges "
        "an assertion it does so without MSAL for Python, and without its header fields.",
        senders=(MSAL, OURS), scenarios=ITS_OWN),
    Difference(
        r"header\.x-client-cpu|header\.return-client-request-id",
        "MSAL for iOS and macOS sends it, and this library with all requests: the word size, and the request that the "
        "service return the correlation ID.",
        senders=(OURS,), scenarios=CLIENTS),
    Difference(
        r"header\.x-client-(current|last)-telemetry",
        "MSAL for Python sends telemetry about its calls, and azure-identity through it. It has no effect on the response.",
        senders=(AZURE, MSAL), scenarios=THROUGH_MSAL),
    Difference(
        r"header\.x-client-(current|last)-telemetry", "The same, where azure-identity does not use it.", senders=(MSAL,),
        scenarios=ITS_OWN),
    Difference(
        r"header\.x-client-(sku|ver)",
        "MSAL for Python sends its name to a virtual machine, and azure-identity through it. The page on virtual machines has no "
        "such field.",
        senders=(AZURE, MSAL), scenarios=IMDS),
    Difference(
        r"header\.accept",
        "`*/*` is the default of Python's HTTP clients; the token endpoint responds with JSON in any case.",
        values=((AZURE, "*/*"), (MSAL, "application/json"), (OURS, "application/json")), scenarios="assertion|pod|default-pod"),
    Difference(
        r"2\.header\.accept", "The same, after the pipeline's token.", values=((AZURE, "*/*"), (OURS, "application/json")),
        scenarios="pipeline"),
    Difference(
        r"header\.accept", "The same. A machine has only one response format.", senders=(AZURE, MSAL), scenarios=f"{MACHINES}|pipeline"),

    # MARK: Forms
    Difference(
        r"form\.client_info",
        "It requests the IDs of a user, although there is none. MSAL for Python sends it with every request, and azure-identity "
        "through it.",
        senders=(AZURE, MSAL), scenarios=THROUGH_MSAL),
    Difference(
        r"form\.client_info", "The same, where azure-identity does not use it.", senders=(MSAL,), scenarios=ITS_OWN),

    # MARK: Certificates
    Difference(
        r"form\.assertion\.claim\.nbf",
        "Microsoft's page on certificate credentials lists it. Peers omit it, and the service accepts both.",
        senders=(OURS,), scenarios=CERTIFICATES),
    Difference(
        r"form\.assertion\.header\.alg",
        "Microsoft's page on certificate credentials requires PS256, which this library uses. With a thumbprint by SHA-1, which "
        "azure-identity always computes, MSAL for Python signs with RS256; given only the certificate, with PS256.",
        values=((AZURE, "RS256"), (OURS, "PS256")), scenarios=CERTIFICATES),
    Difference(
        r"form\.assertion\.header\.x5t", "The thumbprint that goes with RS256 above.", senders=(AZURE, MSAL),
        scenarios="certificate|default-certificate"),
    Difference(
        r"form\.assertion\.header\.x5t", "The same.", senders=(AZURE,), scenarios="chain"),
    Difference(
        r"form\.assertion\.header\.x5t#S256", "The thumbprint that goes with PS256 above.", senders=(OURS,),
        scenarios="certificate|default-certificate"),
    Difference(
        r"form\.assertion\.header\.x5t#S256", "The same.", senders=(MSAL, OURS), scenarios="chain"),
    Difference(
        r"form\.assertion\.header\.x5c",
        "azure-identity sends each certificate of the file. MSAL for Python sends the first one of the given text, and "
        "this library the chain without its root, which the service has.",
        values=((AZURE, "2 certificates"), (MSAL, "1 certificates"), (OURS, "1 certificates")), scenarios="chain"),

    # MARK: Machines
    Difference(
        r"header\.metadata",
        "The pages on App Service require only `X-IDENTITY-HEADER`. The field is that of virtual machines.",
        senders=(AZURE, MSAL), scenarios=APP_SERVICE),
    Difference(
        r"query\.clientid",
        "Azure Machine Learning has no system-assigned identity: the variable DEFAULT_IDENTITY_CLIENT_ID names the one that "
        "is used instead, and this library sends it. Peers leave the choice to the host.",
        senders=(OURS,), scenarios="machine-learning"),
]
