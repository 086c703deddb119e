# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with mozilla-django-oidc.    usage: django_app.py PORT AUTHORITY CLIENT_ID SECRET"""
import os
import pathlib
import sys

from django.conf import settings

port, authority, client_id, secret = sys.argv[1:]
settings.configure(
    DEBUG=True, SECRET_KEY="for this test only", ALLOWED_HOSTS=["localhost"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": pathlib.Path(os.environ["BENCH"]) / "django.sqlite"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "mozilla_django_oidc"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware"],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    LOGIN_URL="/oidc/authenticate/", LOGIN_REDIRECT_URL="/", LOGOUT_REDIRECT_URL="/farewell", ALLOW_LOGOUT_GET_METHOD=True,
    OIDC_RP_CLIENT_ID=client_id, OIDC_RP_CLIENT_SECRET=secret, OIDC_RP_SIGN_ALGO="RS256",
    OIDC_OP_AUTHORIZATION_ENDPOINT=f"{authority}/oauth2/v2.0/authorize",
    OIDC_OP_TOKEN_ENDPOINT=f"{authority}/oauth2/v2.0/token",
    OIDC_OP_JWKS_ENDPOINT=f"{authority}/discovery/v2.0/keys",
    OIDC_OP_USER_ENDPOINT=authority.rpartition("/")[0] + "/oidc/userinfo",
    OIDC_TOKEN_USE_BASIC_AUTH="BASIC" in os.environ, OIDC_USE_PKCE="PKCE" in os.environ)

import django  # noqa: E402

django.setup()

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.core.management import call_command, execute_from_command_line  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402


def home(request):
    return HttpResponse(f"Hello {request.user.email}")


urlpatterns = [
    path("", login_required(home)),
    path("ready", lambda _: HttpResponse("ready")),
    path("farewell", lambda _: HttpResponse("Goodbye")),
    path("oidc/", include("mozilla_django_oidc.urls")),
]
call_command("migrate", verbosity=0)
execute_from_command_line(["manage", "runserver", "--noreload", f"localhost:{port}"])
