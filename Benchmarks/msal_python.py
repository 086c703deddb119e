#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Measures MSAL Python with msal-extensions and tokens of the same sizes, for the rows that it has in common with the library.

usage: Benchmarks/msal_python.py FILE [--most N]     (with the interpreter of .venv)
       Benchmarks/msal_python.py token FILE          (prints the token of the only account of a cache)

The first form writes JSON that `Benchmarks --peer FILE` reads: median CPU time in microseconds, by row and number of accounts.
"memory" is a cache in memory, "store" the plain file of msal-extensions. No form uses a network: a simulated service returns
metadata and tokens, so its refreshes do not include TLS.
"""
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import msal
from msal_extensions import FilePersistence, PersistedTokenCache

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Peers"))
sys.dont_write_bytecode = True
from harness import CLIENT_ID as CLIENT, TENANT, encoded, home_account_id, id_token, shared_cache, user_name  # noqa: E402

HOST = "login.microsoftonline.com"
SCOPE = "https://graph.microsoft.com/user.read"
SECONDS = 0.8  # for each row


def client_info(number):
    uid, _, utid = home_account_id(number).partition(".")
    return encoded({"uid": uid, "utid": utid})


class Reply:
    def __init__(self, body):
        self.status_code, self.text, self.headers = 200, json.dumps(body), {}

    def raise_for_status(self):
        pass


class StandIn:
    def get(self, url, **_):
        root = f"https://{HOST}/{url.split('/')[3]}"
        return Reply({
            "issuer": f"{root}/v2.0", "authorization_endpoint": f"{root}/authorize", "token_endpoint": f"{root}/token",
        })

    def post(self, url, data=None, **_):
        nonce = time.monotonic_ns()
        subject = data.get("refresh_token") or data.get("assertion")
        if not subject:
            return Reply({"token_type": "Bearer", "expires_in": 86400, "access_token": f"a-{nonce}-".ljust(1600, "a")})
        number = int(subject.partition("-")[0].lstrip("ru"))
        return Reply({
            "token_type": "Bearer", "scope": SCOPE, "expires_in": 86400, "ext_expires_in": 86400,
            "access_token": f"t{number}-{nonce}-".ljust(1600, "t"),
            "refresh_token": f"r{number}-{nonce}-".ljust(1400, "r"), "id_token": id_token(number, HOST),
            "client_info": client_info(number),
        })

    def close(self):
        pass


def application(cache):
    return msal.PublicClientApplication(
        CLIENT, authority=f"https://{HOST}/{TENANT}", token_cache=cache, http_client=StandIn(), instance_discovery=False
    )


def in_memory(text):
    cache = msal.SerializableTokenCache()
    cache.deserialize(text)
    return application(cache)


def over_file(path):
    return application(PersistedTokenCache(FilePersistence(str(path))))


def microseconds(work, seconds=SECONDS):
    """The median CPU time of one call. The first call warms up and is not counted."""
    times, begin = [], time.monotonic()
    while len(times) < 2000 and (len(times) < 2 or time.monotonic() - begin < seconds):
        start = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - start) / 1000)
    return statistics.median(times[1:])


def hit(app, account, **options):
    result = app.acquire_token_silent([SCOPE], account=account, **options)
    if not result or "access_token" not in result:
        raise SystemExit(f"The lookup found nothing: {result}")
    return result


def by_name(app, number):
    return app.get_accounts(username=user_name(number))[0]


def by_id(app, number):
    return next(a for a in app.get_accounts() if a["home_account_id"] == home_account_id(number))


def lookups(app, place, accounts, figures):
    def note(row, work, parts=1):
        figures[f"{place}-{row}/{accounts}"] = microseconds(work) / parts

    account = by_name(app, 0)
    # MSAL Python caches no lookups, so no account has to be looked up before.
    working = min(accounts, 1000)
    ids = {home_account_id(number) for number in range(working)}
    chosen = [account for account in app.get_accounts() if account["home_account_id"] in ids]
    note("account-id", lambda: by_id(app, random.randrange(working)))
    note("account-name", lambda: by_name(app, random.randrange(working)))
    note("all-accounts", app.get_accounts, accounts)
    note("name-hit", lambda: hit(app, by_name(app, random.randrange(working))))
    note("hit", lambda: hit(app, account))
    note("hit-random", lambda: hit(app, random.choice(chosen)))


def refreshes(app, place, accounts, figures):
    all_accounts = app.get_accounts()
    figures[f"{place}-refresh/{accounts}"] = microseconds(
        lambda: hit(app, random.choice(all_accounts), force_refresh=True)
    )


def service(tenant, cache=None):
    return msal.ConfidentialClientApplication(
        CLIENT, "not-a-secret", authority=f"https://{HOST}/{tenant}", token_cache=cache, http_client=StandIn(),
        instance_discovery=False
    )


def application_tokens(tenants, figures):
    """Cached tokens of the application itself. Each tenant needs a separate application object; they share a cache."""
    cache = msal.TokenCache()
    apps = [service(f"33333333-3333-4333-8333-{number:012}", cache) for number in range(tenants)]
    scopes = ["https://graph.microsoft.com/.default"]
    for app in apps:
        app.acquire_token_for_client(scopes)

    def request():
        if random.choice(apps).acquire_token_for_client(scopes)["token_source"] != "cache":
            raise SystemExit("The token does not come from the cache.")

    figures[f"application-token/{tenants}"] = microseconds(request)


def on_behalf(users, figures):
    """MSAL Python calls the service each time. The simulated service responds at once."""
    app = service(TENANT)
    assertions = [f"u{number}-".ljust(1600, "u") for number in range(users)]
    for assertion in assertions:
        app.acquire_token_on_behalf_of(assertion, [SCOPE])
    figures[f"on-behalf/{users}"] = microseconds(
        lambda: app.acquire_token_on_behalf_of(random.choice(assertions), [SCOPE])
    )


def commits(path):
    """Runs in the other process: stores a new token for each account whose number it reads."""
    cache = PersistedTokenCache(FilePersistence(path))
    for line in sys.stdin:
        number = int(line)
        cache.add({
            "client_id": CLIENT, "scope": [SCOPE], "environment": HOST,
            "token_endpoint": f"https://{HOST}/{TENANT}/token",
            "response": {
                "access_token": f"c{number}-".ljust(1600, "t"), "expires_in": 86400, "token_type": "Bearer",
                "client_info": client_info(number),
            },
        })
        print("done", flush=True)


def changes(path, accounts, figures):
    app = over_file(path)
    all_accounts = app.get_accounts()
    command = [sys.executable, __file__, "commits", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        def commit():
            other.stdin.write(f"{random.randrange(min(accounts, 1000))}\n")
            other.stdin.flush()
            other.stdout.readline()

        times, begin = [], time.monotonic()
        while len(times) < 2 or (len(times) < 30 and time.monotonic() - begin < 2):
            commit()
            time.sleep(0.02)  # It detects the change by the file's time, which has the resolution of a clock tick.
            start = time.process_time_ns()
            hit(app, random.choice(all_accounts))
            times.append((time.process_time_ns() - start) / 1000)
        figures[f"store-after-commit/{accounts}"] = statistics.median(times)

        for per_second in (1, 10) if accounts == 1000 else ():
            stopped = threading.Event()

            def keep_committing():
                while not stopped.wait(1 / per_second):
                    commit()

            thread = threading.Thread(target=keep_committing)
            thread.start()
            hits, begin, start = 0, time.monotonic(), time.process_time_ns()
            while time.monotonic() - begin < 3:
                # It may find no token, because the other process rewrites the file meanwhile.
                app.acquire_token_silent([SCOPE], account=random.choice(all_accounts))
                hits += 1
            figures[f"store-during-commits-{per_second}/{accounts}"] = (time.process_time_ns() - start) / 1000 / hits
            stopped.set()
            thread.join()
        other.stdin.close()


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(accounts):
    """Prints the memory per account, including the cache."""
    text = shared_cache(accounts, HOST, SCOPE)
    before = resident() - len(text)
    app = in_memory(text)
    del text
    for account in app.get_accounts():
        hit(app, account)
    print((resident() - before) / accounts)


def importing(source, target):
    """Imports a serialized cache into a file of msal-extensions."""
    start = time.process_time_ns()
    persistence = FilePersistence(target)
    cache = msal.SerializableTokenCache()
    cache.deserialize(pathlib.Path(source).read_text())
    persistence.save(cache.serialize())
    print((time.process_time_ns() - start) / 1000, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def child(*arguments):
    command = [sys.executable, __file__, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def measure(most):
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for accounts in [size for size in (1, 100, 1000, 10_000) if size <= most]:
            text = shared_cache(accounts, HOST, SCOPE)
            path = folder / f"{accounts}.json"
            path.write_text(text)
            app = in_memory(text)
            lookups(app, "memory", accounts, figures)
            refreshes(app, "memory", accounts, figures)
            lookups(over_file(path), "store", accounts, figures)
            if accounts != 100:
                changes(path, accounts, figures)
            refreshes(over_file(path), "store", accounts, figures)
            if accounts >= 1000:
                path.write_text(text)
                cpu, peak = child("importing", path, folder / "imported.json")
                figures[f"import/{accounts}"] = float(cpu)
                figures[f"import-memory/{accounts}"] = float(peak) / path.stat().st_size
        # Filling a cache for 10,000 tenants takes more than ten minutes.
        for tenants in [size for size in (1, 1000) if size <= most]:
            application_tokens(tenants, figures)
        for users in [size for size in (1, 10_000) if size <= most]:
            on_behalf(users, figures)
        if most >= 4000:
            figures["memory-growth/4000"] = float(child("growth", 4000)[0])
    return {"name": f"MSAL Python {'.'.join(msal.__version__.split('.')[:2])}", "figures": figures}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["token", path]:
            app = over_file(path)
            print(hit(app, app.get_accounts()[0])["access_token"])
        case ["commits", path]:
            commits(path)
        case ["growth", accounts]:
            growth(int(accounts))
        case ["importing", source, target]:
            importing(source, target)
        case [file]:
            pathlib.Path(file).write_text(json.dumps(measure(100_000)))
        case [file, "--most", most]:
            pathlib.Path(file).write_text(json.dumps(measure(int(most))))
        case _:
            sys.exit(__doc__)
