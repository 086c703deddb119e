# Licensed under the MIT License. See LICENSE.
"""fastapi-azure-auth in an API: it takes a user's token, and none of those that `entra-emulator probe` makes wrong."""
import subprocess

import requests

from bench import API, API_ID, CLIENT_ID, TENANT, USER, check


def run(bench):
    with bench.at_standard_port("--public-url", "https://login.microsoftonline.com") as place:
        if place:
            ask(place)


def ask(place):
    with place.app("fastapi_app", API_ID, TENANT) as address:
        answer = requests.get(f"{address}/tasks", headers={"Authorization": f"Bearer {token(place, 'ToDoList.Read')}"}, timeout=10)
        check(answer.json() == {"of": USER}, "fastapi-azure-auth takes a user's token, and knows the user")
        answer = requests.get(f"{address}/tasks", headers={"Authorization": f"Bearer {token(place, 'ToDoList.ReadWrite')}"}, timeout=10)
        check(answer.status_code == 403, "and wants the scope of the operation")
        check(requests.get(f"{address}/tasks", timeout=10).status_code == 401, "without a token it refuses")
        done = subprocess.run(
            [str(place.build / "entra-emulator"), "probe", f"{address}/tasks", "--api", API, "--scope", "ToDoList.Read",
             "--control-port", place.emulator.control.rpartition(":")[2], "--state", str(place.emulator.folder / "state")],
            capture_output=True, text=True, timeout=60)
        check(done.returncode == 0, f"and refuses every flaw of probe{done.stdout if done.returncode else ''}")


def token(bench, scope):
    minted = bench.emulator.steer("POST", "/tokens", {
        "user": USER, "application": CLIENT_ID, "api": API, "scopes": [scope]})
    return minted["access_token"]
