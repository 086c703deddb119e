# Licensed under the MIT License. See LICENSE.
"""APIs that validate tokens with PyJWT or joserfc, Authlib's JWT library: none accepts the flawed tokens of `entra-emulator probe`."""
import requests

from bench import API_ID, USER, check, probe, test_token


def run(bench):
    for library in ("pyjwt", "joserfc"):
        with bench.app("checking_api", library, bench.authority, API_ID) as address:
            answer = requests.get(f"{address}/tasks", headers={"Authorization": f"Bearer {test_token(bench, 'ToDoList.Read')}"}, timeout=10)
            check(answer.json() == {"of": USER}, f"{library} accepts a user's token")
            check(requests.get(f"{address}/tasks", timeout=10).status_code == 401, "a call without a token is rejected")
            probe(bench, f"{address}/tasks")
