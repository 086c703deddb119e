# Licensed under the MIT License. See LICENSE.
"""Flask-OIDC in a web app: client secret in the form, no PKCE, `userinfo`."""
from bench import check


def run(bench):
    with bench.app("flask_oidc_app") as address:
        person = bench.person()
        page = person.open(address)
        check(page.text == "Hello Megan Bowen", "Flask-OIDC signs Megan in, and shows her name")
        check(person.open(address).text == page.text, "the app recognizes her the next time")
        person.open(address + "/leave")
        check(person.pages[-1].startswith("You signed out"), "she signs out, and the page confirms it")
        seen = len(person.pages)
        person.open(address)
        check(any(title.startswith("Enter password") for title in person.pages[seen:]), "she has to sign in again")
