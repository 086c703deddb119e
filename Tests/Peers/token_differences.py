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
        if not re.fullmatch(self.scenarios, scenario) or not re.fullmatch(rf"(\d\.)?(?:{self.key})", key):
            return False
        if self.senders:
            sent = {value for name, value in values.items() if name in self.senders}
            return len(sent) <= 1 and all((value is None) == (name not in self.senders) for name, value in values.items())
        expected = dict(self.values)
        known = set(expected.values())
        return all(value == expected[name] if name in expected else value in known for name, value in values.items())


# The ways in which azure-identity sends the token request itself, not through MSAL for Python.
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
        "azure-identity's pipeline adds it to every request. The others send it to virtual machines only, which document it.",
        senders=(AZURE,), scenarios=f"{CLIENTS}|{APP_SERVICE}|{OTHER_MACHINES}"),
    Difference(
        r"header\.client-request-id|header\.x-client-(sku|ver|os)|header\.x-ms-lib-capability",
        "The names of the request and of the library, and what it can do when it is throttled. Where azure-identity exchanges "
        "an assertion it does so without MSAL for Python, and without its header fields.",
        senders=(MSAL, OURS), scenarios=ITS_OWN),
    Difference(
        r"header\.x-client-cpu|header\.return-client-request-id",
        "What MSAL for iOS and macOS sends, and this library with all its requests: the size of a word, and the wish that the "
        "service repeats the request's name.",
        senders=(OURS,), scenarios=CLIENTS),
    Difference(
        r"header\.x-client-(current|last)-telemetry",
        "MSAL for Python counts its calls for the service, and azure-identity through it. Nothing answers to them.",
        senders=(AZURE, MSAL), scenarios=THROUGH_MSAL),
    Difference(
        r"header\.x-client-(current|last)-telemetry", "The same, where azure-identity does without it.", senders=(MSAL,),
        scenarios=ITS_OWN),
    Difference(
        r"header\.x-client-(sku|ver)",
        "MSAL for Python tells a virtual machine its name, and azure-identity through it. The page on virtual machines has no "
        "such field.",
        senders=(AZURE, MSAL), scenarios=IMDS),
    Difference(
        r"header\.accept",
        "`*/*` is what Python's HTTP clients send in place of nothing; the token endpoint answers with JSON all the same.",
        values=((AZURE, "*/*"), (MSAL, "application/json"), (OURS, "application/json")), scenarios="assertion|pod|default-pod"),
    Difference(
        r"2\.header\.accept", "The same, after the pipeline's token.", values=((AZURE, "*/*"), (OURS, "application/json")),
        scenarios="pipeline"),
    Difference(
        r"header\.accept", "The same. A machine has one kind of answer.", senders=(AZURE, MSAL), scenarios=f"{MACHINES}|pipeline"),

    # MARK: Forms
    Difference(
        r"form\.client_info",
        "It asks for the ids of a user, of whom there is none. MSAL for Python asks with every request, and azure-identity "
        "through it.",
        senders=(AZURE, MSAL), scenarios=THROUGH_MSAL),
    Difference(
        r"form\.client_info", "The same, where azure-identity does without it.", senders=(MSAL,), scenarios=ITS_OWN),

    # MARK: Certificates
    Difference(
        r"form\.assertion\.claim\.nbf",
        "Microsoft's page on certificate credentials lists it. Peers leave it out, and the service takes both.",
        senders=(OURS,), scenarios=CERTIFICATES),
    Difference(
        r"form\.assertion\.header\.alg",
        "Microsoft's page on certificate credentials asks for PS256, which this library uses. With a thumbprint by SHA-1, which "
        "azure-identity always computes, MSAL for Python signs with RS256; given the certificate alone, with PS256.",
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
        "azure-identity sends each certificate of the file. MSAL for Python takes the first of the text that it is given, and "
        "this library the chain without its root, which the service has.",
        values=((AZURE, "2 certificates"), (MSAL, "1 certificates"), (OURS, "1 certificates")), scenarios="chain"),

    # MARK: Machines
    Difference(
        r"header\.metadata",
        "The pages on App Service ask for `X-IDENTITY-HEADER` alone. The field is that of virtual machines.",
        senders=(AZURE, MSAL), scenarios=APP_SERVICE),
    Difference(
        r"query\.clientid",
        "Azure Machine Learning has no identity of the system: the variable DEFAULT_IDENTITY_CLIENT_ID names the one that "
        "serves instead, and this library sends it. Peers leave the choice to the host.",
        senders=(OURS,), scenarios="machine-learning"),
]
