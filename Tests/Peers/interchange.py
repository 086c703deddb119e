# Licensed under the MIT License. See LICENSE.
"""Exchanges token caches between `msal cache` and Microsoft's Python libraries, in both directions, without a network.

usage: interchange.py BUILD_FOLDER
"""
import base64
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import msal
import msal_extensions

from harness import check

AUTHORITY = "https://login.microsoftonline.com"
TENANT = "11111111-1111-4111-8111-111111111111"
CLIENT_ID = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
USER_ID = "a11ce000-0000-4000-8000-000000000001"
USER = "alice@contoso.example"
SCOPES = ["User.Read"]


def encoded(members):
    return base64.urlsafe_b64encode(json.dumps(members).encode()).decode().rstrip("=")


class Reply:
    def __init__(self, status, body):
        self.status_code, self.text, self.headers = status, json.dumps(body), {}

    def raise_for_status(self):
        if self.status_code >= 400:
            raise RuntimeError(self.text)


class Service:
    """The identity service in memory: metadata, one code, and responses to the refresh tokens that it issued."""

    def __init__(self, name="first"):
        self.name, self.posts = name, []

    def get(self, url, **_):
        if "/discovery/instance" in url:
            aliases = ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"]
            return Reply(200, {"metadata": [
                {"preferred_network": aliases[0], "preferred_cache": aliases[1], "aliases": aliases}]})
        root = url[:url.index("/v2.0/")]
        return Reply(200, {"issuer": root + "/v2.0", "authorization_endpoint": root + "/oauth2/v2.0/authorize",
                           "token_endpoint": root + "/oauth2/v2.0/token"})

    def post(self, url, data=None, **_):
        self.posts.append(dict(data or {}))
        now = int(time.time())
        claims = {"aud": CLIENT_ID, "iss": f"{AUTHORITY}/{TENANT}/v2.0", "iat": now, "exp": now + 3600, "sub": "fake-sub",
                  "oid": USER_ID, "tid": TENANT, "preferred_username": USER, "name": "Alice Fake",
                  "nonce": self.posts[-1].get("nonce")}
        return Reply(200, {
            "token_type": "Bearer", "expires_in": 3600, "scope": "User.Read openid profile",
            "access_token": f"fake-at-{self.name}", "refresh_token": f"fake-rt-{self.name}",
            "client_info": encoded({"uid": USER_ID, "utid": TENANT}),
            "id_token": f"{encoded({'alg': 'none'})}.{encoded(claims)}."})

    def close(self):
        pass


class Command:
    """The `msal` command with a separate store."""

    def __init__(self, build, folder):
        self.program = str(build / "msal")
        self.environment = dict(os.environ, MSAL_STORE_DIR=str(folder), MSAL_STORE_KEY="key-file",
                                MSAL_CLIENT_ID=CLIENT_ID, HOME=str(folder))

    def run(self, *arguments, stdin=None, status=0):
        done = subprocess.run([self.program, *arguments], input=stdin, env=self.environment, text=True,
                              capture_output=True, timeout=60, check=False)
        if done.returncode != status:
            raise SystemExit(f"FAILED: msal {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def json(self, *arguments, **options):
        return json.loads(self.run(*arguments, "--output", "json", **options))


def application(cache, service):
    return msal.PublicClientApplication(
        CLIENT_ID, authority=f"{AUTHORITY}/{TENANT}", token_cache=cache, http_client=service)


def signed_in_cache():
    """A cache that MSAL Python filled."""
    cache, service = msal.SerializableTokenCache(), Service()
    result = application(cache, service).acquire_token_by_authorization_code("fake-code", SCOPES)
    check(result.get("access_token") == "fake-at-first", f"MSAL Python signs in {result.get('error_description', '')}")
    return cache.serialize()


def python_to_msal(command, folder):
    text = signed_in_cache()
    path = folder / "python.json"
    path.write_text(text)
    report = command.json("cache", "import", str(path))
    check(report["added"] == {"access_tokens": 1, "refresh_tokens": 1, "id_tokens": 1, "accounts": 1, "app_metadata": 1},
          "msal imports MSAL Python's complete cache")
    accounts = command.json("accounts")["accounts"]
    check([a["username"] for a in accounts] == [USER], "msal lists the imported account")
    token = command.run("token", "--scope", "User.Read", "--output", "raw",
                        "--authority", f"{AUTHORITY}/{TENANT}").strip()
    check(token == "fake-at-first", "msal returns the imported token without a request")
    again = command.json("cache", "import", "-", stdin=text)
    check(sum(again["added"].values()) + sum(again["updated"].values()) == 0, "a second import changes nothing")


def msal_to_python(command, folder):
    path = folder / "exported.json"
    command.run("cache", "export", str(path))
    check(path.stat().st_mode & 0o777 == 0o600, "msal exports with mode 0600")
    command.run("cache", "export", str(path), status=2)
    command.run("cache", "export", str(path), "--force")
    check(command.run("cache", "export", "-") == path.read_text(), "two exports of one state are equal")

    cache, service = msal.SerializableTokenCache(), Service("second")
    cache.deserialize(path.read_text())
    app = application(cache, service)
    account, = app.get_accounts()
    check(account["username"] == USER, "unmodified MSAL Python lists the account of the export")
    result = app.acquire_token_silent_with_error(SCOPES, account)
    check(result["access_token"] == "fake-at-first" and not service.posts, "MSAL Python returns its token from the export")
    fresh = app.acquire_token_silent_with_error(SCOPES, account, force_refresh=True)
    check(service.posts[-1]["refresh_token"] == "fake-rt-first", "MSAL Python uses its refresh token")
    check(fresh["access_token"] == "fake-at-second", "MSAL Python gets a new token")

    back = command.json("cache", "import", "-", stdin=cache.serialize())
    check(back["updated"]["access_tokens"] + back["added"]["access_tokens"] == 1, "msal imports the new token")
    token = command.run("token", "--scope", "User.Read", "--output", "raw", "--authority", f"{AUTHORITY}/{TENANT}")
    check(token.strip() == fresh["access_token"], "and serves")

    app.remove_account(account)
    left = json.loads(cache.serialize())
    check(not any(left.get(section) for section in ("AccessToken", "RefreshToken", "IdToken", "Account")),
          "MSAL Python can remove everything that came from the export")


def extensions(command, folder):
    path = folder / "extensions.json"
    cache = msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(str(path)))
    result = application(cache, Service()).acquire_token_by_authorization_code("fake-code", SCOPES)
    check("access_token" in result, "msal-extensions keeps a cache in a file")
    check(sum(command.json("cache", "import", str(path))["unchanged"].values()) > 0, "msal imports that file")
    exported = folder / "for-extensions.json"
    command.run("cache", "export", str(exported))
    other = msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(str(exported)))
    names = [a["username"] for a in application(other, Service()).get_accounts()]
    check(names == [USER], "msal-extensions opens an export")


def azure_cli(command, folder):
    home = folder / ".azure"
    message = json.loads(command.run("cache", "import", "--azure-cli", "--output", "json", status=1))["error"]["message"]
    check(str(home) in message, "without Azure CLI the message says where msal looked")
    home.mkdir()
    (home / "msal_token_cache.json").write_text(signed_in_cache())
    check(command.json("cache", "import", "--azure-cli")["kept_aside"] == 0, "Azure CLI's cache is found and imported")


def damage(command, folder):
    before = command.run("cache", "export", "-")
    path = folder / "damaged.json"
    path.write_text(before[:-40])
    error = json.loads(command.run("cache", "import", str(path), "--output", "json", status=1))["error"]
    check("line" in error["message"], "a truncated file is rejected with the position of the error")
    check(command.run("cache", "export", "-") == before, "a rejected file changes nothing")
    stats = command.run("cache", "stats", "--output", "json") + command.run("cache", "doctor")
    check("fake-" not in stats and USER not in stats, "stats and doctor show no token and no name")
    command.run("cache", "clear", status=2)
    command.run("cache", "clear", "--yes")
    check(command.json("accounts")["accounts"] == [], "clear removes all accounts")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = pathlib.Path(name)
        command = Command(build, folder)
        python_to_msal(command, folder)
        msal_to_python(command, folder)
        extensions(command, folder)
        azure_cli(command, folder)
        damage(command, folder)
    print("caches can be exchanged in both directions")


main()
