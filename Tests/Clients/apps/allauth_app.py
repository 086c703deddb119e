# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with django-allauth's provider for Microsoft.    usage: allauth_app.py PORT CLIENT_ID SECRET"""
import os
import sys

import django_site

port, client_id, secret = sys.argv[1:]
authority, tenant = os.environ["ENTRA_EMULATOR_AUTHORITY"].rsplit("/", 1)
django_site.run(
    port, "/accounts/microsoft/login/",
    ["allauth", "allauth.account", "allauth.socialaccount", "allauth.socialaccount.providers.microsoft"],
    "allauth.urls", "accounts/", "allauth.account.auth_backends.AuthenticationBackend",
    middleware=["allauth.account.middleware.AccountMiddleware"],
    ACCOUNT_EMAIL_VERIFICATION="none", SOCIALACCOUNT_AUTO_SIGNUP=True,
    SOCIALACCOUNT_PROVIDERS={"microsoft": {"APPS": [{
        "client_id": client_id, "secret": secret,
        "settings": {"tenant": tenant, "login_url": authority, "graph_url": os.environ["ENTRA_EMULATOR_URL"]}}]}})
