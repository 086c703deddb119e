# Licensed under the MIT License. See LICENSE.
"""JupyterHub with oauthenticator: its hub signs users in with the v1 endpoints."""
import pathlib
import sys

from bench import HERE, OWN_ID, TENANT, USER, check, free_port

SECRET = "A-secret-1"


def run(bench):
    port = free_port()
    program = pathlib.Path(sys.executable).parent / "jupyterhub"
    with bench.with_application(redirectUris=["http://localhost/hub/oauth_callback"], secrets=[SECRET]) as place, \
            place.server([str(program), "-f", str(HERE / "apps" / "hub_settings.py")], port, "/hub/health", HUB_PORT=str(port),
                         HUB_CLIENT_ID=OWN_ID, HUB_SECRET=SECRET, HUB_TENANT=TENANT) as address:
        person = place.person()
        person.open(f"{address}/hub/oauth_login", until=f"{address}/hub/spawn")
        page = person.browser.get(f"{address}/hub/token", timeout=10)  # It has forms that this test does not fill in.
        check(page.status_code == 200 and USER in page.text, "JupyterHub signs Megan in, and shows her name")
