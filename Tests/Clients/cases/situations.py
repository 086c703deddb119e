# Licensed under the MIT License. See LICENSE.
"""The page “Situations”: every line of its tables, with an unmodified client."""
import json
import pathlib
import re
import subprocess
import urllib.parse

import msal

from bench import CLIENT_ID, GRAPH, PASSWORD, SERVICE_ID, SERVICE_SECRET, USER, check
from cases import agents
from person import Person

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "emulator" / "Situations.md"
ROW = re.compile(r"^\| (?P<name>[^|`]+) \| `(?P<method>[A-Z]+) (?P<path>\S+) ?(?P<body>.*)` \| `(?P<expected>[^`]+)` \|$")
REDIRECT = "http://localhost:5000"
READ = ["User.Read"]


def rows():
    """The tables of situations on the page: pairs of a heading and a row. A malformed row is an error."""
    title, found, is_table = None, [], False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            title = line[3:]
        elif not line.startswith("| "):
            is_table = False
        elif line.startswith("| situation |"):
            is_table = True
        elif is_table and not line.startswith("| ---"):
            row = ROW.match(line)
            assert row, f"not a situation: {line}"
            found.append((title, row))
    return found


def run(bench):
    acts = {"An app refreshes its token": refresh, "A daemon requests a token": daemon, "A user signs in": sign_in,
            "An API is called": call, "An agent requests a token": agent}
    situations = rows()
    check(len(situations) >= 40 and {title for title, _ in situations} == set(acts), f"the page has {len(situations)} situations")
    for title, row in situations:
        bench.emulator.reset()
        if acts[title] is agent:
            bench.emulator.steer("POST", "/directory", {
                **{name: agents.DIRECTORY[name] for name in ("applications", "apis", "agents")},
                "users": agents.DIRECTORY["users"][1:]})
        app = msal.PublicClientApplication(CLIENT_ID, authority=bench.authority, instance_discovery=False,
                                           client_capabilities=["CP1"])
        result = begin(bench, app)
        bench.emulator.steer(row["method"], row["path"], json.loads(row["body"]) if row["body"] else None)
        got = acts[title](bench, app, result)
        check(row["expected"] in got, f"{title}: {row['name']}" + ("" if row["expected"] in got else f", not {got[:300]}"))
    bench.emulator.reset()


def begin(bench, app):
    """Megan signs in."""
    flow = app.initiate_auth_code_flow(READ, redirect_uri=REDIRECT)
    done = bench.person().open(flow["auth_uri"], until=REDIRECT)
    response = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(done.url).query))
    return app.acquire_token_by_auth_code_flow(flow, response)


def refresh(_, app, __):
    account, = app.get_accounts()
    return attempted(lambda: app.acquire_token_silent_with_error(READ, account=account, force_refresh=True))


def daemon(bench, _, __):
    app = msal.ConfidentialClientApplication(SERVICE_ID, client_credential=SERVICE_SECRET, authority=bench.authority,
                                             instance_discovery=False)
    return attempted(lambda: app.acquire_token_for_client([f"{GRAPH}/.default"]))


def agent(bench, _, __):
    own = agents.agent(bench)

    def token():
        blueprint = agents.application(bench, agents.BLUEPRINT, agents.SECRET)
        result = blueprint.acquire_token_for_client(agents.EXCHANGE, fmi_path=agents.AGENT)
        if "access_token" in result:
            proof = own.acquire_token_for_client(agents.EXCHANGE)
            result = own.acquire_token_by_user_federated_identity_credential(
                [f"{GRAPH}/User.Read"], proof["access_token"], username=agents.ASSISTANT)
        return result
    return attempted(token)


def attempted(ask):
    """A result without its tokens, or the error that MSAL raises if the service cannot respond."""
    try:
        result = ask() or {}
    except msal.exceptions.MsalServiceError as error:
        return str(error)
    return str({name: "…" if name.endswith("token") else value for name, value in result.items()})


def sign_in(bench, app, _):
    flow = app.initiate_auth_code_flow(READ, redirect_uri=REDIRECT, prompt=None)
    person = Onlooker(bench.ca_file, USER, PASSWORD)
    try:
        end = person.open(flow["auth_uri"], until=REDIRECT)
        person.seen.append(end.url)
    except AssertionError:
        pass  # The person sees the page but has no action for it.
    return " | ".join(urllib.parse.unquote_plus(text) for text in person.seen)


class Onlooker(Person):
    """A person who remembers the text of the pages."""

    def __init__(self, *who):
        super().__init__(*who)
        self.seen = []
        send = self.browser.send

        def remembered(*arguments, **more):
            response = send(*arguments, **more)
            self.seen.append(re.sub(r"<[^>]+>", " ", response.text))
            return response
        self.browser.send = remembered


def call(bench, _, result):
    # The token is in the program's input, because other users can read arguments.
    done = subprocess.run(
        ["curl", "--silent", "--include", "--cacert", bench.ca_file, "--config", "-", f"{bench.base}/v1.0/me"],
        input=f'header = "Authorization: Bearer {result["access_token"]}"\n', capture_output=True, text=True, timeout=20)
    return done.stdout
