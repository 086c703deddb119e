# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with mozilla-django-oidc and the settings of docs/emulator/Clients.md.    usage: django_app.py PORT"""
import os
import pathlib
import sys

from django.conf import settings

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import snippets  # noqa: E402

text, = snippets.blocks("mozilla-django-oidc", "python")
page = {}
exec(text, page)
settings.configure(
    DEBUG=True, SECRET_KEY="for this test only", ALLOWED_HOSTS=["localhost"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": pathlib.Path(os.environ["BENCH"]) / "django.sqlite"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "mozilla_django_oidc"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware"],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    LOGIN_URL="/oidc/authenticate/", LOGIN_REDIRECT_URL="/", LOGOUT_REDIRECT_URL="/farewell", ALLOW_LOGOUT_GET_METHOD=True,
    OIDC_TOKEN_USE_BASIC_AUTH="BASIC" in os.environ, OIDC_USE_PKCE="PKCE" in os.environ,
    **{name: value for name, value in page.items() if name.startswith("OIDC_")})

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
execute_from_command_line(["manage", "runserver", "--noreload", f"localhost:{sys.argv[1]}"])
