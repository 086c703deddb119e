# Licensed under the MIT License. See LICENSE.
"""A Django site with one page, for any signed-in user."""
import os
import pathlib
import sys

from django.conf import settings


def run(port, login, apps, urls, below, backend, middleware=(), **others):
    """Serves the page. `login` is the address to which the sign-in page posts; `urls` are the library's, below a path."""
    settings.configure(
        DEBUG=True, SECRET_KEY="for this test only", ALLOWED_HOSTS=["localhost"], ROOT_URLCONF="django_site", USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": pathlib.Path(os.environ["BENCH"]) / "django.sqlite"}},
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages",
                        *apps],
        MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
                    "django.contrib.messages.middleware.MessageMiddleware", *middleware],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                                   "django.contrib.messages.context_processors.messages"]}}],
        AUTHENTICATION_BACKENDS=[backend], LOGIN_URL="/sign-in", LOGIN_REDIRECT_URL="/", **others)

    import django
    django.setup()

    from django.contrib.auth.decorators import login_required
    from django.core.management import call_command, execute_from_command_line
    from django.http import HttpResponse
    from django.middleware.csrf import get_token
    from django.urls import include, path

    def sign_in(request):
        return HttpResponse(f'<title>Sign in</title><form method="post" action="{login}"><input type="hidden" '
                            f'name="csrfmiddlewaretoken" value="{get_token(request)}"><button>Go</button></form>')

    sys.modules["django_site"].urlpatterns = [
        path("sign-in", sign_in),
        path("", login_required(lambda request: HttpResponse(f"Hello {request.user.email}"))),
        path("ready", lambda _: HttpResponse("ready")),
        path(below, include(urls)),
    ]
    call_command("migrate", verbosity=0)
    execute_from_command_line(["manage", "runserver", "--noreload", f"localhost:{port}"])
