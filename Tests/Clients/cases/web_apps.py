# Licensed under the MIT License. See LICENSE.
"""Web apps that sign in with django-allauth, social-auth, Flask-Dance, and Microsoft's package `identity`."""
from bench import OWN_ID, TENANT, USER, check
from names import leading

SECRET = "A-secret-1"
BACKENDS = ("azuread-oauth2", "azuread-tenant-oauth2", "azuread-v2-tenant-oauth2")


def run(bench):
    redirects = ["/accounts/microsoft/login/callback/", "/getAToken", "/login/azure/authorized"]
    redirects += [f"/complete/{backend}/" for backend in BACKENDS]
    with bench.with_application(
            redirectUris=["http://localhost" + path for path in redirects], secrets=[SECRET],
            options=["--service-names"]) as place:
        with place.app("allauth_app", OWN_ID, SECRET) as address:
            greets(place, address, f"Hello {USER}", "django-allauth")
        for backend in BACKENDS:
            with place.app("social_auth_app", backend, OWN_ID, SECRET, TENANT) as address:
                greets(place, address, "Hello ", f"social-auth's {backend}")
        with place.app("identity_app", OWN_ID, SECRET) as address:
            greets(place, address, "Hello Megan Bowen", "identity")
        port = place.emulator.port
        # Its documentation names the first one for an app without TLS; the second is for scopes, as with requests-oauthlib.
        with place.app("flask_dance_app", OWN_ID, SECRET, TENANT, str(port), OAUTHLIB_INSECURE_TRANSPORT="1",
                       OAUTHLIB_RELAX_TOKEN_SCOPE="1") as address, \
                leading({".microsoftonline.com": port}):
            greets(place, address, "Hello Megan Bowen", "Flask-Dance")


def greets(place, address, words, client):
    person = place.person()
    page = person.open(address)
    check(page.text.startswith(words), f"{client} signs Megan in" + ("" if page.text.startswith(words) else f": {page.text[:500]}"))
    check(person.open(address).text == page.text, f"{client} recognizes her the next time")
