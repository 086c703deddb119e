# Licensed under the MIT License. See LICENSE.
"""fastapi-azure-auth in an API: it accepts a user's token, and none of the flawed tokens of `entra-emulator probe`."""
import requests

from bench import API_ID, TENANT, USER, check, probe, test_token


def run(bench):
    with bench.at_standard_port("--public-url", "https://login.microsoftonline.com") as place:
        if place:
            ask(place)


def ask(place):
    with place.app("fastapi_app", API_ID, TENANT) as address:
        answer = requests.get(f"{address}/tasks", headers={"Authorization": f"Bearer {test_token(place, 'ToDoList.Read')}"}, timeout=10)
        check(answer.json() == {"of": USER}, "fastapi-azure-auth accepts a user's token, and identifies the user")
        answer = requests.get(f"{address}/tasks", headers={"Authorization": f"Bearer {test_token(place, 'ToDoList.ReadWrite')}"}, timeout=10)
        check(answer.status_code == 403, "it requires the scope of the operation")
        check(requests.get(f"{address}/tasks", timeout=10).status_code == 401, "a call without a token is rejected")
        probe(place, f"{address}/tasks")
