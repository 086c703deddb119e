# Licensed under the MIT License. See LICENSE.
"""A real Prometheus scrapes a service based on MSALServer, and evaluates the queries of the dashboard and the rules of the alerts.
The results must match the calls to the service. The service's spans are checked, too.

usage: observation.py BUILD_FOLDER

The service is Tests/ObservedService: it writes Prometheus' text format, and keeps its spans until they are read. It gets tokens from
the emulator and shares them through a store in another process. Everything happens twice, because Prometheus sees no increase in a
series that it has never seen before. Each query of the dashboard is evaluated unchanged, where an increase must have a positive
rate, and once more without its rates, where the sums must be those of the calls. The emulator knows the number of requests.
"""
import collections
import contextlib
import json
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from harness import PASSWORD, TENANT, USER, check, free_port, running_emulator

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "observation"
SECRET = "Emulator-secret-1"
SERVICE, CLIENT = (f"99999999-0000-4000-8000-0000000000c{number}" for number in range(2))
TOKEN = "/oauth2/v2.0/token"
APIS = [f"99999999-0000-4000-8000-0000000000d{number:x}" for number in range(15)]
DIRECTORY = {
    "tenants": [{"id": TENANT, "domain": "contoso.example", "displayName": "Contoso", "allowsPasswordGrant": True}],
    "users": [{"id": "99999999-0000-4000-8000-00000000000a", "userPrincipalName": USER, "displayName": "Megan Bowen",
               "password": PASSWORD}],
    "applications": [
        {"clientId": SERVICE, "displayName": "Service", "type": "api", "secrets": [SECRET],
         "grantedScopes": {f"api://{APIS[0]}": ["*"]}},
        {"clientId": CLIENT, "displayName": "Client", "type": "public", "redirectUris": ["http://localhost"],
         "grantedScopes": {f"api://{SERVICE}": ["*"]}},
    ],
    "apis": [{"clientId": api, "displayName": api[-2:], "identifierUris": [f"api://{api}"], "scopes": ["Things.Read"],
              "accessTokenAcceptedVersion": 2} for api in [SERVICE, *APIS]],
}
# No proxy from the environment: everything is on this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def until(what, holds, seconds=60):
    """Waits for a condition, and returns its first true value."""
    deadline = time.monotonic() + seconds
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > deadline:
            raise SystemExit(f"FAILED: not within {seconds} seconds: {what() if callable(what) else what}")
        time.sleep(0.05)


def answers(url):
    try:
        with OPENER.open(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


@contextlib.contextmanager
def program(folder, command, environment=None):
    """A program that ends with the test. Its output is in a file with its name."""
    log = folder / f"{pathlib.Path(command[0]).name}.log"
    with open(log, "wb") as output:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   env=environment)

    def is_ready(holds):
        def look():
            if process.poll() is not None:
                raise SystemExit(f"FAILED: {log.name} has ended:\n{log.read_text(errors='replace')[-3000:]}")
            return holds(log)
        return look

    try:
        yield is_ready
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()


class Service:
    """The service, and the calls to it."""

    def __init__(self, port, emulator):
        self.base, self.emulator = f"http://127.0.0.1:{port}", emulator
        self.calls = collections.Counter()
        self.store = collections.Counter()
        self.refreshes = collections.Counter()
        self.checks = collections.Counter()
        self.fetches = collections.Counter()
        # The tokens that the first instance has in memory.
        self.scopes = 0
        # The sessions that were ended.
        self.removed = 0

    def ask(self, path, method="POST", token=None, **query):
        request = urllib.request.Request(f"{self.base}/{path}?{urllib.parse.urlencode(query)}", method=method)
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        with OPENER.open(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else {}

    def spans(self, until_ended=None):
        """The spans that have ended since the last call, by name. Waits for a span with a certain name."""
        found = collections.defaultdict(list)

        def read():
            for span in self.ask("spans", "GET"):
                found[span["name"]].append(span)
            return not until_ended or until_ended in found

        until(f"the span {until_ended} ends", read)
        return dict(found)

    def values(self, metric):
        """The values of a metric by label, from the service itself."""
        with OPENER.open(f"{self.base}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return {frozenset(re.findall(r'(\w+)="([^"]*)"', line)): float(line.rpartition(" ")[2])
                for line in lines if line.partition("{")[0] == metric}

    def value(self, metric, **labels):
        return sum(value for known, value in self.values(metric).items() if labels.items() <= known)

    def gives(self, source, path, flow="client_credentials", reason="none", error="none", **query):
        """A call with the expected result, which is counted."""
        answer = self.ask(path, **query)
        shown = {"cache": "cache", "l2": "cache", "service": "service", "extended": "cacheExtended", "error": None}[source]
        wanted = None if error == "none" else error
        if (answer.get("source"), answer.get("error")) != (shown, wanted):
            raise SystemExit(f"FAILED: {path} returned {answer} and not {source} {error}")
        self.calls[flow, source, reason, error] += 1
        return answer

    def checks_token(self, outcome, cached="false", token="no-token"):
        answer = self.ask("check", token=token)
        if answer.get("error", "accept") != outcome:
            raise SystemExit(f"FAILED: a check returned {answer} and not {outcome}")
        self.checks[outcome, cached] += 1

    def stores(self, **outcomes):
        """Records the expected operations of the store, `write_hit=2`, and waits for those after the calls."""
        for name, count in outcomes.items():
            self.store[tuple(name.split("_"))] += count
        until(lambda: f"the store was asked {dict(self.store)}, and not {self.asked()}", lambda: self.asked() == dict(self.store))

    def asked(self):
        """The operations of the store according to the service."""
        found = {}
        for labels, count in self.values("msal_l2_operations_total").items():
            names = dict(labels)
            found[names["operation"], names["outcome"]] = count
        return nonzero(found)

    def user_token(self):
        """A token for the service, issued to a user of its client."""
        form = {"grant_type": "password", "client_id": CLIENT, "username": USER, "password": PASSWORD,
                "scope": f"api://{SERVICE}/Things.Read"}
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=self.emulator.ca_file)))
        with opener.open(f"{self.emulator.base}/{TENANT}{TOKEN}", urllib.parse.urlencode(form).encode(), timeout=30) as answer:
            return json.load(answer)["access_token"]


class Prometheus:
    """Debian's Prometheus, with the alerts, a scrape every half second, and its data in a folder."""

    def __init__(self, folder, target):
        self.port, self.folder = free_port(), folder
        self.base = f"http://127.0.0.1:{self.port}"
        # JSON is YAML.
        (folder / "prometheus.yml").write_text(json.dumps({
            "global": {"scrape_interval": "500ms", "evaluation_interval": "500ms"},
            "rule_files": [str(FOLDER / "alarms.yml")],
            "scrape_configs": [{"job_name": "service", "static_configs": [{"targets": [target]}]}],
        }))

    def command(self):
        return ["prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
                f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"]

    def get(self, path, **query):
        try:
            with OPENER.open(f"{self.base}/api/v1/{path}?{urllib.parse.urlencode(query)}", timeout=30) as answer:
                body = json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"FAILED: Prometheus responds with {error.code} to {query}: {error.read().decode()}") from error
        assert body["status"] == "success", body
        return body["data"]

    def query(self, expression, at=None):
        """The values of an expression by the values of its labels, in the order of the labels' names. `at` is a time: later scrapes
        change nothing."""
        found = self.get("query", query=expression, time=at or time.time())["result"]
        return {tuple(value for name, value in sorted(one["metric"].items())): float(one["value"][1]) for one in found}

    def alarms(self):
        """The state of each alert. A rule that cannot be evaluated ends the test."""
        rules = [rule for group in self.get("rules", type="alert")["groups"] for rule in group["rules"]]
        failed = {rule["name"]: rule["lastError"] for rule in rules if rule["health"] == "err"}
        assert not failed, failed
        return {rule["name"]: rule["state"] for rule in rules}


def scope(number):
    return f"api://{APIS[number]}/.default"


def answers_once(service, **members):
    """Sets the next token response of the emulator."""
    service.emulator.steer("POST", "/faults", {
        "pathSuffix": TOKEN, "count": 1, "status": 200, "headers": {"Content-Type": "application/json"},
        "body": json.dumps({"access_token": "opaque", "token_type": "Bearer", **members})})


def own_tokens(service, first, hits, failures):
    """Tokens of the application: from the service, from memory, and from the store."""
    service.gives("service", "first/token", reason="no_token", scope=first)
    service.stores(read_miss=1, write_hit=1)
    for _ in range(hits):
        service.gives("cache", "first/token", scope=first)
    service.gives("service", "first/token", reason="forced", scope=first, force="yes")
    service.stores(write_hit=1)
    service.gives("l2", "second/token", scope=first)
    service.stores(read_hit=1)
    for _ in range(failures):
        service.gives("error", "refused/token", error="invalidClient", scope=first)


def refresh(service, number, outcome):
    """A token that is due for a refresh after a second, and the refresh after the call that returns it."""
    answers_once(service, expires_in=7200, refresh_in=1)
    answer = service.gives("service", "first/token", reason="no_token", scope=scope(number))
    service.stores(read_miss=1, write_hit=1)
    until("the refresh is due", lambda: time.time() > answer["refreshOn"])
    if outcome == "failure":
        service.emulator.steer("POST", "/faults", {"pathSuffix": TOKEN, "count": 1, "refusal": 7000222})
    service.gives("cache", "first/token", reason="refresh_ahead", scope=scope(number))
    service.refreshes[outcome] += 1
    # It checks whether another instance was faster, and finds the token that it has.
    service.stores(read_hit=1, write_hit=1 if outcome == "success" else 0)
    until(f"a refresh behind a call ends in {outcome}",
          lambda: service.value("msal_background_refresh_total", outcome=outcome) == service.refreshes[outcome])


def outage(service, number):
    """An expired token that is still used while the service is down."""
    answers_once(service, expires_in=200, ext_expires_in=3600)
    service.gives("service", "first/token", reason="no_token", scope=scope(number))
    service.stores(read_miss=1, write_hit=1)
    service.emulator.steer("POST", "/faults", {"pathSuffix": TOKEN, "status": 503, "always": True})
    service.gives("extended", "first/token", reason="expired", scope=scope(number))
    service.emulator.steer("DELETE", "/faults")
    service.stores(read_hit=1)


def callers(service):
    """Tokens of a user: validated, exchanged, and in a session that continues at the other instance."""
    token = service.user_token()
    service.checks_token("accept", token=token)
    service.checks_token("accept", cached="true", token=token)
    service.checks_token("malformedToken", token="no-token")
    wanted = {"token": token, "scope": f"api://{APIS[0]}/Things.Read"}
    service.gives("service", "first/behalf", flow="on_behalf_of", reason="no_token", **wanted)
    service.gives("cache", "first/behalf", flow="on_behalf_of", **wanted)
    session = service.gives("service", "first/sessions", flow="long_running", reason="no_token", **wanted)["session"]
    # The user and the token are written, and the store's result is read.
    service.stores(read_miss=1, write_hit=2, read_hit=1)
    for source in ("l2", "cache"):
        service.gives(source, f"second/sessions/{session}", flow="long_running", scope=wanted["scope"])
    service.ask(f"second/sessions/{session}", "DELETE")
    service.removed += 1
    service.stores(read_hit=1, remove_hit=1)


def store_away(service, number):
    """The store performs an operation, and closes the connection. The service continues without it."""
    service.ask("store/hangsUp")
    service.gives("service", "first/token", reason="no_token", scope=scope(number))
    service.stores(read_error=1, write_error=1)
    service.ask("store/good")


def life(service, turn, hits, failures):
    """Everything once, except that the numbers of cached tokens and of rejections can be chosen."""
    first = 1 + 6 * turn
    own_tokens(service, scope(first), hits, failures)
    refresh(service, first + 1, "success")
    refresh(service, first + 2, "failure")
    outage(service, first + 3)
    callers(service)
    store_away(service, first + 4)
    # The memory reports its contents after a call that it could not serve.
    service.gives("l2", "second/token", scope=scope(first + 1))
    service.stores(read_hit=1)
    service.gives("service", "first/token", reason="no_token", scope=scope(first + 5))
    service.stores(read_miss=1, write_hit=1)


def without_rates(query):
    return re.sub(r"\b(?:rate|increase)\((.+?)\[\w+\]\)", r"\1", query)


def summed(counter, *places):
    """A counter of tuples, summed by some of their positions."""
    found = collections.Counter()
    for labels, count in counter.items():
        found[tuple(labels[place] for place in places)] += count
    return dict(found)


def requests(emulator):
    """The library's requests in the emulator's journal, by endpoint and status class. Repetitions count once."""
    last = {}
    for entry in emulator.journal():
        if "msal-swift" in entry["headers"].get("user-agent", ""):
            last[entry.get("correlation_id") or entry["id"], entry["path"]] = entry["status"]
    return dict(collections.Counter(
        ("token" if path.endswith(TOKEN) else "keys" if path.endswith("/keys") else "discovery", f"{status // 100}xx")
        for (_, path), status in last.items()))


def sums(service):
    """The results of the dashboard's counting queries without their rates, by the titles of its panels."""
    calls = service.calls
    hits = {labels: count for labels, count in calls.items() if labels[1] == "cache"}
    failures = {labels: count for labels, count in calls.items() if labels[1] == "error"}
    flows = summed(calls, 0)
    return {
        "Calls for tokens, by source": summed(calls, 1),
        "Failures, by kind": summed(failures, 3, 0),
        "Share of the memory": {flow: summed(hits, 0).get(flow, 0) / count for flow, count in flows.items()},
        "Responses, by endpoint and class": requests(service.emulator),
        "Shared store, by operation and outcome": dict(service.store),
        "Refreshes ahead of time": summed({(outcome,): count for outcome, count in service.refreshes.items()}, 0),
        "Tokens of callers, by outcome": summed(service.checks, 0),
        "Fetches of signing keys": dict(service.fetches),
        "Evictions from the memory, by cause": {("removed",): service.removed},
    }


def times(service):
    """The labels in the results of the queries for durations."""
    return {
        "Time of a call that the memory could not serve, 99 %": set(summed(service.calls, 1)) - {("cache",)},
        "Time of a request, 99 %": {(endpoint,) for endpoint, _ in requests(service.emulator)},
        "Time of the shared store, 99 %": {(operation,) for operation, _ in service.store},
        "Proof of the client, 99 %": {("secret",)},
    }


def nonzero(values):
    """Without the counters of what has not happened."""
    return {labels: value for labels, value in values.items() if value}


def near(found, expected):
    found, expected = nonzero(found), nonzero(expected)
    return found.keys() == expected.keys() and all(abs(found[labels] - expected[labels]) < 1e-9 for labels in expected)


def numbers(values):
    """Without values that are not numbers, such as the share of no calls."""
    return {labels: value for labels, value in values.items() if value == value}


def scraped(prometheus, service):
    """Waits until Prometheus has all calls to the service, and returns a time at which it has."""
    calls = "sum by (flow, source, reason, error) (msal_token_requests_total) > 0"
    store = "sum by (operation, outcome) (msal_l2_operations_total) > 0"

    def time_of_all():
        now = time.time()
        # In the order of the labels' names.
        found = {(flow, source, reason, error): count
                 for (error, flow, reason, source), count in prometheus.query(calls, now).items()}
        return found == dict(service.calls) and prometheus.query(store, now) == dict(service.store) and now

    return until(f"Prometheus has {dict(service.calls)} and {dict(service.store)} of the store", time_of_all)


def board(prometheus, service, at, before=None):
    """Each query of the dashboard, without its rates and unchanged. `before` is the previous result of this function."""
    panels = json.loads((FOLDER / "board.json").read_text())["panels"]
    queries = {panel["title"]: target["expr"] for panel in panels for target in panel["targets"]}
    expected, labels = sums(service), times(service)
    seen = {}
    for title, query in queries.items():
        total, rate = numbers(prometheus.query(without_rates(query), at)), numbers(prometheus.query(query, at))
        seen[title] = total
        if title in expected:
            check(near(total, expected[title]), f"{title}: {shown(total)}"
                  + ("" if near(total, expected[title]) else f" instead of {shown(expected[title])}"))
        elif title in labels:
            check(total.keys() == labels[title] and all(0 < value <= 10 for value in total.values()), f"{title}: {shown(total)}")
        else:
            check_quietly(title == "Bytes in the memory", f"this test has no expectation for the panel {title}")
            entries = prometheus.query("sum by (level) (msal_cache_entries)", at)
            check(entries == {("application",): service.scopes, ("long_running",): service.removed,
                              ("on_behalf_of",): service.removed, ("users",): 0},
                  f"{title}: {shown(total)}, of entries: {shown(entries)}")
            check(all((total[level] > 0) == (count > 0) for level, count in entries.items()), "  zero bytes only without entries")
        if before and "rate(" in query and title not in labels and title != "Share of the memory":
            grown = {label for label, value in total.items() if value > before[title].get(label, 0)}
            # The keys are fetched only once.
            check((grown or title == "Fetches of signing keys") and all(rate.get(label, 0) > 0 for label in grown),
                  f"  unchanged: {len(rate)} values, {len(grown)} of which increase")
        elif before:
            check(bool(rate), f"  unchanged: {len(rate)} values")
    missing = (set(expected) | set(labels)) - set(queries)
    check(not missing, f"the dashboard has all panels of this test {missing or ''}".strip())
    return seen


def check_quietly(holds, what):
    if not holds:
        raise SystemExit(f"FAILED: {what}")


def shown(values):
    return ", ".join(f"{' '.join(labels)} {value:g}" for labels, value in sorted(nonzero(values).items()))


def series(prometheus, at):
    every, buckets = (sum(prometheus.query(f'count({{__name__=~"{names}"}})', at).values())
                      for names in ("msal_.+", "msal_.+_(bucket|sum)"))
    check(0 < every - buckets <= 600, f"{every - buckets:g} series; with the buckets and sums of histograms {every:g}")
    failures = prometheus.query('count by (flow) (msal_token_requests_total{source="error"})', at)
    check(len(failures) == 7 and len(set(failures.values())) == 1, f"all failures have series: {shown(failures)}")


def alarm(prometheus, name, state):
    until(lambda: f"{name} is {state}: {prometheus.alarms()}", lambda: prometheus.alarms()[name] == state)
    print(f"ok  {name} is {state}")


def keys_away(prometheus, service):
    """The first tokens arrive while the issuer's keys cannot be fetched. A service that never had them raises the alert, too."""
    service.emulator.steer("POST", "/faults", {"pathSuffix": "/keys", "status": 404, "always": True})
    token = service.user_token()
    for count in (1, 2):
        def fails():
            service.checks_token("keysUnavailable", token=token)
            return service.value("msal_key_refresh_total", outcome="failure") == count

        until("the keys cannot be fetched", fails)
        service.fetches["first", "failure"] = count
        until("Prometheus has this count", lambda: prometheus.query("sum(msal_key_refresh_total)") == {(): count})
    alarm(prometheus, "MSALKeysNotRefreshed", "pending")
    service.emulator.steer("DELETE", "/faults")
    service.spans()

    def accepts():
        answer = service.ask("check", token=token)
        service.checks[answer.get("error", "accept"), "false"] += 1
        return "error" not in answer

    until("the keys can be fetched", accepts)
    service.fetches["first", "success"] = 1
    spans = service.spans("msal.validate")
    fetches = {span["id"] for span in spans["msal.validate"]}
    check(any(span["parent"] in fetches for span in spans["msal.http"]), "a fetch of keys is a span, with its request below it")
    alarm(prometheus, "MSALKeysNotRefreshed", "inactive")


def traces(service):
    """The spans of a token from the service, of one from memory, of a refresh after a call, and of a failure."""
    service.spans()
    answer = service.gives("service", "first/token", reason="no_token", scope=scope(13))
    service.stores(read_miss=1, write_hit=1)
    spans = service.spans("msal.background")
    (request,), (call,), (http,), (sign,) = (spans[name] for name in ("request", "msal.acquire_token", "msal.http", "msal.sign"))
    check(call["parent"] == request["id"] and http["parent"] == sign["parent"] == call["id"],
          "a token from the service is a span below the one of its request, with its proof and its HTTP request below it")
    attributes = call["attributes"]
    check((attributes["msal.flow"], attributes["msal.source"]) == ("client_credentials", "service"), f"  its attributes: {attributes}")
    check(attributes["correlation-id"] == http["attributes"]["correlation-id"] == answer["correlationID"],
          "  correlation-id is the ID of the result, here and in the HTTP request's span")
    sent = [entry for entry in service.emulator.journal() if entry.get("correlation_id") == answer["correlationID"].lower()]
    check(len(sent) == 1, "  the service received the same ID")
    (write,) = spans["msal.background"]
    check(write["links"] == [call["id"]] and not write.get("parent"), "the later write is a separate span, linked to it")
    operations = {(span["attributes"]["msal.l2.operation"], span["parent"]) for span in spans["msal.l2"]}
    check(operations == {("read", call["id"]), ("write", write["id"])}, "  the store was read during the call, and written after it")

    service.gives("cache", "first/token", scope=scope(13))
    spans = service.spans("request")
    check(list(spans) == ["request"], "a token from memory has no span")

    answers_once(service, expires_in=7200, refresh_in=1)
    answer = service.gives("service", "first/token", reason="no_token", scope=scope(14))
    service.stores(read_miss=1, write_hit=1)
    until("the refresh is due", lambda: time.time() > answer["refreshOn"])
    service.spans("msal.background")
    service.gives("cache", "first/token", reason="refresh_ahead", scope=scope(14))
    service.refreshes["success"] += 1
    service.stores(read_hit=1, write_hit=1)
    spans = service.spans("msal.http")
    until("the refresh ends", lambda: merge(spans, service.spans()) and len(spans.get("msal.background", ())) == 2)
    (request,), (http,) = spans["request"], spans["msal.http"]
    behind = next(span for span in spans["msal.background"] if span["links"] == [request["id"]])
    check(not behind.get("parent") and http["parent"] == behind["id"] and "msal.acquire_token" not in spans,
          "a refresh after a call is a separate span, linked to the request that caused it")
    check("correlation-id" in http["attributes"], f"  with its HTTP request: {http['attributes']}")

    answer = service.gives("error", "refused/token", error="invalidClient", scope=scope(13))
    (call,) = service.spans("msal.acquire_token")["msal.acquire_token"]
    attributes = call["attributes"]
    check(call["isFailure"] and (attributes["msal.source"], attributes["msal.error"]) == ("error", "invalidClient")
          and attributes["correlation-id"] == answer["correlationID"], f"a failure: {attributes}")


def merge(spans, more):
    for name, found in more.items():
        spans.setdefault(name, []).extend(found)
    return True


def silence(service, spans):
    """No span contains a tenant, a client or an address; no request carries a trace header."""
    names = {name for name in spans if name != "request" and not name.startswith("msal.")}
    check(not names, f"all spans are the library's own {names or ''}".strip())
    texts = [text for found in spans.values() for span in found for text in span["attributes"].values()]
    wrong = [text for text in texts if TENANT in text or "99999999-" in text or "/" in text]
    check(texts and not wrong, f"none of their {len(texts)} attributes contains a tenant, a client or an address {wrong or ''}".strip())
    headers = {name.lower() for entry in service.emulator.journal() for name in entry["headers"]}
    wrong = {name for name in headers if "trace" in name or "span" in name or name == "baggage"}
    check("client-request-id" in headers and not wrong, f"no request has a header of the trace {wrong or ''}".strip())


def store_lost(prometheus, service):
    """The store stays down. After five failures in a row, the library stops using it."""
    service.ask("store/hangsUp")
    for _ in range(5):
        service.gives("service", "first/token", reason="forced", scope=scope(1), force="yes")
        service.stores(write_error=1)
    # In the second run, Prometheus sees an increase.
    for lonely in (1, 40):
        writes = service.store["write", "error"] + service.store["write", "open"]
        for _ in range(lonely):
            service.gives("service", "first/token", reason="forced", scope=scope(1), force="yes")

        def left_alone():
            asked = service.asked()
            # Every ten seconds one call checks whether it is back.
            for outcome in ("error", "open"):
                service.store["write", outcome] = asked.get(("write", outcome), 0)
            return service.store["write", "error"] + service.store["write", "open"] == writes + lonely

        until("the store is no longer used", left_alone)
        check_quietly(service.store["write", "open"] > 0, "the store was no longer used")
        at = scraped(prometheus, service)
    alarm(prometheus, "MSALStoreAway", "pending")
    return at


def run(prometheus, service):
    keys_away(prometheus, service)
    life(service, 0, hits=30, failures=1)
    service.scopes = 6
    at = scraped(prometheus, service)
    check(list(prometheus.query("up", at).values()) == [1], "Prometheus scrapes the service")
    alarm(prometheus, "MSALCredentialRefused", "firing")
    before = board(prometheus, service, at)

    spans = service.spans()
    traces(service)
    life(service, 1, hits=50, failures=10)
    service.scopes = 14
    board(prometheus, service, scraped(prometheus, service), before)
    alarm(prometheus, "MSALTokensFail", "pending")
    for name in ("MSALMemoryMisses", "MSALStoreAway", "MSALStoreUnreadable", "MSALKeysNotRefreshed"):
        alarm(prometheus, name, "inactive")
    series(prometheus, store_lost(prometheus, service))
    merge(spans, service.spans())
    silence(service, spans)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "directory.json").write_text(json.dumps(DIRECTORY))
        emulator = stack.enter_context(running_emulator(build, options=["--seed", folder / "directory.json"]))
        ready = stack.enter_context(program(folder, [build / "StoreServer", folder / "store"]))
        until("the store is ready", ready(lambda log: b"ready" in log.read_bytes()))
        port = free_port()
        ready = stack.enter_context(program(folder, [build / "ObservedService"], {
            "PORT": str(port), "STORE": str(folder / "store"), "CLIENT": SERVICE, "AUTHORITY": f"{emulator.base}/{TENANT}",
            "SECRET": SECRET, "CA_FILE": emulator.ca_file}))
        service = Service(port, emulator)
        until("the service is ready", ready(lambda _: answers(f"{service.base}/health")))
        prometheus = Prometheus(folder, f"127.0.0.1:{port}")
        ready = stack.enter_context(program(folder, prometheus.command()))
        until("Prometheus is ready", ready(lambda _: answers(f"{prometheus.base}/-/ready")))
        run(prometheus, service)


if __name__ == "__main__":
    main()
