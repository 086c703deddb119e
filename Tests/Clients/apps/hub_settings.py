# Licensed under the MIT License. See LICENSE.
"""A JupyterHub whose users sign in with oauthenticator.    usage: jupyterhub -f hub_settings.py, with the variables below"""
import os

from jupyterhub.proxy import Proxy

hub = f"http://localhost:{os.environ['HUB_PORT']}"


class NoProxy(Proxy):
    """Stands in for the proxy: the hub handles the sign-in, and no test starts a notebook."""

    should_start = False

    async def add_route(self, *_):
        pass

    async def delete_route(self, *_):
        pass

    async def get_all_routes(self):
        return {}


c = get_config()  # noqa: F821, JupyterHub defines it.
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.hub_port = int(os.environ["HUB_PORT"])
c.JupyterHub.db_url = "sqlite:///" + os.path.join(os.environ["BENCH"], "hub.sqlite")
c.JupyterHub.cookie_secret_file = os.path.join(os.environ["BENCH"], "cookie-secret")
c.JupyterHub.cleanup_servers = False
c.JupyterHub.authenticator_class = "azuread"
c.AzureAdOAuthenticator.graph_url = os.environ["ENTRA_EMULATOR_URL"]
c.AzureAdOAuthenticator.tenant_id = os.environ["HUB_TENANT"]
c.AzureAdOAuthenticator.client_id = os.environ["HUB_CLIENT_ID"]
c.AzureAdOAuthenticator.client_secret = os.environ["HUB_SECRET"]
c.AzureAdOAuthenticator.scope = ["openid", "profile"]
c.AzureAdOAuthenticator.username_claim = "unique_name"
c.AzureAdOAuthenticator.oauth_callback_url = f"{hub}/hub/oauth_callback"
c.AzureAdOAuthenticator.allow_all = True
