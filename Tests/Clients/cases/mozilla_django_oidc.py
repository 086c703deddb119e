# Licensed under the MIT License. See LICENSE.
"""mozilla-django-oidc in a web app: client secret in the form or in a header, with and without PKCE, RS256 with the key set."""
from bench import USER, check


def run(bench):
    for way, variables in {"in the form": {}, "in a header, with PKCE": {"BASIC": "1", "PKCE": "1"}}.items():
        with bench.app("django_app", **variables) as address:
            person = bench.person()
            page = person.open(address)
            check(page.text == f"Hello {USER}", f"mozilla-django-oidc signs Megan in with a secret {way}")
            check(person.open(address + "/oidc/logout/").text == "Goodbye", "she signs out")
            person.open(address)
            check(person.pages[-1] == "" and len(person.pages) > 3, "she signs in again without a password, with the same browser")
