#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Measures MSAL Python with msal-extensions on the content that `Benchmarks store` has, and prints milliseconds.

usage: Benchmarks/msal_python.py TOKENS spread|one-account     (with the interpreter of .venv)

Prints JSON with medians: `first` (a new process's first lookup), `hit` (in memory, unchanged), `foreign` (after
another process wrote) and `save` (one response). Nothing is asked of a network: metadata come from a stand-in.
"""
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import msal
from msal_extensions import FilePersistence, PersistedTokenCache

CLIENT = "00000000-0000-4000-8000-000000000001"
TENANT = "11111111-1111-1111-1111-111111111111"
HOST = "login.microsoftonline.com"
ROUNDS = 5


class Reply:
    def __init__(self, body):
        self.status_code, self.text, self.headers = 200, json.dumps(body), {}

    def raise_for_status(self):
        pass


class StandIn:
    def get(self, url, **_):
        root = f"https://{HOST}/{TENANT}"
        return Reply({
            "issuer": f"{root}/v2.0", "authorization_endpoint": f"{root}/authorize", "token_endpoint": f"{root}/token",
        })

    def post(self, url, **_):
        raise SystemExit("A token was to be fetched: the content does not serve the lookup.")

    def close(self):
        pass


def account_of(number, spread):
    return f"user-{number // 10 if spread == 'spread' else 0}.{TENANT}"


def content(tokens, spread):
    now = int(time.time())
    sections = {name: {} for name in ("AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata")}
    for number in range(tokens):
        home, scope = account_of(number, spread), f"api://service-{number}/read"
        key = f"{home}-{HOST}-accesstoken-{CLIENT}-{TENANT}-{scope}".lower()
        sections["AccessToken"][key] = {
            "credential_type": "AccessToken", "secret": "t" * 1600, "home_account_id": home, "environment": HOST,
            "client_id": CLIENT, "target": scope, "realm": TENANT, "token_type": "Bearer",
            "cached_at": str(now - 60), "expires_on": str(now + 7200), "extended_expires_on": str(now + 7200),
        }
        if number % 10 and spread == "spread" or number and spread != "spread":
            continue
        sections["RefreshToken"][f"{home}-{HOST}-refreshtoken-{CLIENT}--".lower()] = {
            "credential_type": "RefreshToken", "secret": "r" * 1200, "home_account_id": home, "environment": HOST,
            "client_id": CLIENT, "last_modification_time": str(now),
        }
        sections["Account"][f"{home}-{HOST}-{TENANT}".lower()] = {
            "home_account_id": home, "environment": HOST, "realm": TENANT, "authority_type": "MSSTS",
            "local_account_id": home.split(".")[0], "username": f"{home.split('.')[0]}@contoso.example",
        }
    return json.dumps(sections)


def application(path):
    cache = PersistedTokenCache(FilePersistence(str(path)))
    return msal.PublicClientApplication(
        CLIENT, authority=f"https://{HOST}/{TENANT}", token_cache=cache, http_client=StandIn(),
        instance_discovery=False,
    ), cache


def milliseconds(work, rounds=ROUNDS):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


def look_up(app, number, spread):
    account = {"home_account_id": account_of(number, spread), "environment": HOST}
    result = app.acquire_token_silent([f"api://service-{number}/read"], account=account)
    if not result or "access_token" not in result:
        raise SystemExit("The lookup found nothing.")


def save(cache, number):
    cache.add({
        "client_id": CLIENT, "scope": [f"api://service-{number}/read"], "environment": HOST,
        "token_endpoint": f"https://{HOST}/{TENANT}/token",
        "response": {
            "access_token": "s" * 1600, "expires_in": 3600, "token_type": "Bearer",
            "client_info": "eyJ1aWQiOiJ1c2VyLTAiLCJ1dGlkIjoiMTExMTExMTEtMTExMS0xMTExLTExMTEtMTExMTExMTExMTExIn0",
        },
    })


def measure(tokens, spread):
    number = tokens // 2
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cache.json"
        path.write_text(content(tokens, spread))
        first = []
        for _ in range(3):
            command = [sys.executable, __file__, "first", str(path), str(number), spread]
            first.append(float(subprocess.run(command, capture_output=True, check=True, text=True).stdout))
        app, _ = application(path)
        _, other = application(path)
        look_up(app, number, spread)
        hit = milliseconds(lambda: look_up(app, number, spread))
        saves, foreign = [], []
        for _ in range(ROUNDS):
            saves.append(milliseconds(lambda: save(other, number), 1))
            foreign.append(milliseconds(lambda: look_up(app, number, spread), 1))
        return {
            "first": statistics.median(first), "hit": hit,
            "foreign": statistics.median(foreign), "save": statistics.median(saves),
        }


def first(path, number, spread):
    """From the application object to the token; the interpreter's own start and the imports do not count."""
    begin = time.perf_counter()
    app, _ = application(path)
    look_up(app, number, spread)
    print(1000 * (time.perf_counter() - begin))


if sys.argv[1] == "first":
    first(sys.argv[2], int(sys.argv[3]), sys.argv[4])
else:
    with contextlib.redirect_stderr(None):
        print(json.dumps(measure(int(sys.argv[1]), sys.argv[2])))
