# Licensed under the MIT License. See LICENSE.
"""The rows of the comparison, and the sources that decide what a response should be.

A row is a function of a client. It returns the expected value, which is taken from the source and never from the
emulator, and the value that the emulator sent. The row agrees if both are equal.
"""

import pathlib
from dataclasses import dataclass
from typing import Callable

# Microsoft's documentation: MicrosoftDocs/entra-docs docs/…, MicrosoftDocs/azure-docs
# articles/active-directory/azuread-dev/…, and microsoftgraph/microsoft-graph-docs-contrib.
ED, AD, GD = "entra-docs identity-platform/", "azure-docs azuread-dev/", "graph-docs "
# Responses of the service that others have published: calvinchengx/entra-emulator
# e2e/differential/testdata/fixtures (captured on 2026-08-13), and test resources of Microsoft's libraries.
FX, RC = "captured ", "recorded "

CODE = ED + "v2-oauth2-auth-code-flow.md"
CREDENTIALS = ED + "v2-oauth2-client-creds-grant-flow.md"
ON_BEHALF_OF = ED + "v2-oauth2-on-behalf-of-flow.md"
ERRORS = ED + "reference-error-codes.md"
OIDC = ED + "v2-protocols-oidc.md"
OPTIONAL = ED + "optional-claims-reference.md"
ACCESS_TOKEN = ED + "access-token-claims-reference.md"
ID_TOKEN = ED + "id-token-claims-reference.md"
SCOPES = ED + "scopes-oidc.md"
REDIRECTS = ED + "reply-url.md"
IMPLICIT = ED + "v2-oauth2-implicit-grant-flow.md"
DEVICE = ED + "v2-oauth2-device-code.md"
CHALLENGES = ED + "claims-challenge.md"
REFRESH = ED + "refresh-tokens.md"
PASSWORD = ED + "v2-oauth-ropc.md"
USERINFO = ED + "userinfo.md"
CAE = "entra-docs identity/conditional-access/concept-continuous-access-evaluation.md"
V1_CODE = AD + "v1-protocols-oauth-code.md"
V1_CREDENTIALS = AD + "v1-oauth2-client-creds-grant-flow.md"
ADVANCED = GD + "concepts/aad-advanced-queries.md"
FILTER = GD + "concepts/filter-query-parameter.md"
BATCH = GD + "concepts/json-batching.md"

KNOWN = pathlib.Path(__file__).with_name("known-differences.txt")


@dataclass(frozen=True)
class Row:
    id: str
    area: str
    title: str
    source: str
    check: Callable


ROWS = []


def row(id, area, title, source):
    """Adds a row to the comparison. The decorated function takes a client, and returns the expected and the sent value."""

    def add(check):
        assert all(other.id != id for other in ROWS), f"two rows are called {id}"
        ROWS.append(Row(id, area, title, source, check))
        return check

    return add


def known_differences():
    """The reasons of rows that are known to differ, by ID."""
    lines = (line.split("#")[0].strip() for line in KNOWN.read_text().splitlines())
    return dict(line.split(maxsplit=1) for line in lines if line)
