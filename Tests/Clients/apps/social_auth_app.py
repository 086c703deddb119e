# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with a backend of social-auth.    usage: social_auth_app.py PORT BACKEND CLIENT_ID SECRET TENANT"""
import os
import sys

import django_site

port, backend, client_id, secret, tenant = sys.argv[1:]
classes = {"azuread-oauth2": "azuread.AzureADOAuth2", "azuread-tenant-oauth2": "azuread_tenant.AzureADTenantOAuth2",
           "azuread-v2-tenant-oauth2": "azuread_tenant.AzureADV2TenantOAuth2"}
settings = {"KEY": client_id, "SECRET": secret, "TENANT_ID": tenant,
            "AUTHORITY_URL": f"{os.environ['ENTRA_EMULATOR_URL']}/{tenant}"}
prefix = "SOCIAL_AUTH_" + backend.upper().replace("-", "_")
django_site.run(
    port, f"/login/{backend}/", ["social_django"], "social_django.urls", "", f"social_core.backends.{classes[backend]}",
    SOCIAL_AUTH_URL_NAMESPACE="social", **{f"{prefix}_{name}": value for name, value in settings.items()})
