# Licensed under the MIT License. See LICENSE.
"""Joins the claims in docs/evidence.yaml with the results of a run of scripts/test. Fails if a claim is malformed, if a test does
not exist or failed, or if docs/Evidence.md is not what it writes; only the results "passed" and "not run here" may differ there.

usage: evidence.py [--full] [--write] FOLDER
    FOLDER     the output of scripts/test, with the results.jsonl that results.py wrote
    --full     a test that was not run is a failure, too
    --write    writes docs/Evidence.md
"""
import collections
import json
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/Evidence.md"
LIMIT = 150
MEMBERS = {"id", "claim", "page", "kind", "source", "tests"}
# The description of each kind, and the form of its sources.
KINDS = {
    "recording": ("a response of the service that was recorded", r"recordings/\S+\.json|https://github\.com/\S+\.json"),
    "page": ("a page or a source file that Microsoft publishes",
             r"https://(?:learn\.microsoft\.com|docs\.github\.com|github\.com/(?:AzureAD|Azure))/\S+"),
    "client": ("another program or library, unmodified, that depends on the claim", r".+"),
    "standard": ("a specification", r"(?:RFC \d{4}|OpenID Connect) ?.*"),
    "double": ("only programs of this repository", r".+"),
}
NOT_RUN = "not run here"
INTRODUCTION = """\
# Evidence

Look up how far a claim of these pages about Microsoft's platform is verified, and by which tests. This page is generated from
[evidence.yaml](evidence.yaml) and the results of `scripts/test --ci`; the check that it is up to date is part of that script.

**No test in this repository signs in at Microsoft's service.** You can do that yourself, with
[a free tenant](https://learn.microsoft.com/entra/identity-platform/quickstart-create-new-tenant):

```sh
msal setup                                       # registers an app, step by step
scripts/demo --client-id CLIENT-ID               # the demo, in your tenant
scripts/test --real TENANT-ID CLIENT-ID          # the checks in Tests/Real/real.py
```

`scripts/test --real` signs you in once, in your browser or with `--device-code`, and then only reads: metadata and keys, a
token from the cache and a refreshed one, the claims of the token, Microsoft Graph, errors with their AADSTS numbers, and the
sign-out. Each check has a time limit. Tokens are in a temporary folder. The report, `.build/real-report.txt`, contains only the names and
results of the checks, times, statuses, error numbers, and names of claims, so you can attach it to an issue. It refuses to start
in CI; there, the same checks run against the emulator, under Microsoft's names.

| kind | evidence | claims |
| --- | --- | --- |
"""
NOTES = """
Claims of the kind *double* are verified only by programs of this project, so the service may differ. The other kinds say where a
claim comes from: its tests still run against the emulator, a server that plays back recorded responses, or a scripted
transport. A recorded response is in `recordings/` if it is not public; it is not in the repository, and without it the result is
“not run here”.
"""


def pinned():
    """The versions of the Python packages that the tests use, by name."""
    return {name.lower(): version for file in ROOT.glob("Tests/*/*requirements.txt")
            for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", file.read_text(), re.M)}


def faults(claims):
    """What is wrong with the file."""
    versions = pinned()
    if len(claims) > LIMIT:
        yield f"{len(claims)} claims, at most {LIMIT}"
    for name, count in collections.Counter(claim.get("id") for claim in claims).items():
        if count > 1:
            yield f"{name}: not unique"
    for claim in claims:
        name = claim.get("id")
        if set(claim) != MEMBERS or not claim["tests"]:
            yield f"{name}: a claim has {', '.join(sorted(MEMBERS))}"
            continue
        if not (ROOT / claim["page"].partition("#")[0]).is_file() or "#" not in claim["page"]:
            yield f"{name}: {claim['page']} is not an anchor of a page"
        if claim["kind"] not in KINDS or not re.fullmatch(KINDS[claim["kind"]][1], claim["source"]):
            yield f"{name}: {claim['source']} is not a source of the kind {claim['kind']}"
        for package, version in re.findall(r"([\w.-]+) (\d[\w.]*\d)", claim["source"]) if claim["kind"] == "client" else ():
            if versions.get(package.lower(), version) != version:
                yield f"{name}: the tests use {package} {versions[package.lower()]}"


def result(test, results, titles):
    """Whether a test passed. `None` for a test that does not exist."""
    if test in results:
        return {"passed": "passed", "failed": "FAILED", "skipped": NOT_RUN}[results[test]]
    step = "pytest kit" if "::" in test else "Tests" if "/" in test.partition(" ")[0] else test.partition(": ")[0]
    # A step that failed may have ended before the test.
    return {"failed": "FAILED", "passed": None}.get(results.get(step), NOT_RUN if step in titles else None)


def judged(claim, results, titles):
    """The result of a claim, and its tests that do not exist."""
    found = {test: result(test, results, titles) for test in claim["tests"]}
    ranked = [value for value in ("FAILED", NOT_RUN, "passed") if value in found.values()]
    return (ranked or ["FAILED"])[0], [test for test, value in found.items() if value is None]


def shown(text):
    """Text for a cell of a table."""
    return re.sub(r"([|<*])", r"\\\1", text)


def shown_test(test):
    """A Swift test without its backticks and parameters."""
    return shown(re.sub(r"\([\w:]*\)$", "", test).replace("`", "") if re.match(r"\w+\.\w+/", test) else test)


def shown_source(source):
    return f"[{pathlib.PurePosixPath(source).stem}]({source})" if source.startswith("https:") else shown(source)


def page(subjects, outcomes):
    counts = collections.Counter(claim["kind"] for subject in subjects for claim in subject["claims"])
    lines = [INTRODUCTION + "\n".join(f"| {kind} | {text} | {counts[kind]} |" for kind, (text, _) in KINDS.items()) + "\n" + NOTES]
    for subject in subjects:
        lines += [f"## {subject['subject']}", "", "| claim | evidence | tests | result |", "| --- | --- | --- | --- |"]
        for claim in subject["claims"]:
            link = claim["page"].removeprefix("docs/") if claim["page"].startswith("docs/") else f"../{claim['page']}"
            lines.append(f"| [{shown(claim['claim'])}]({link}) | {claim['kind']}: {shown_source(claim['source'])} | "
                         f"{'<br>'.join(shown_test(test) for test in claim['tests'])} | {outcomes[claim['id']]} |")
        lines.append("")
    return "\n".join(lines)


def steady(text):
    """The page without what differs from one machine to another."""
    return re.sub(rf"\| (?:passed|{NOT_RUN}) \|$", "| |", text, flags=re.M)


def main():
    folder = pathlib.Path(sys.argv[-1])
    results = {entry["test"]: entry["result"] for entry in map(json.loads, (folder / "results.jsonl").read_text().splitlines())}
    titles = set(re.findall(r'(?:step|skip) "([^"$]+)"', (ROOT / "scripts/test").read_text()))
    subjects = yaml.safe_load((ROOT / "docs/evidence.yaml").read_text())
    claims = [claim for subject in subjects for claim in subject["claims"]]
    problems, outcomes = list(faults(claims)), {}
    if problems:
        print(*(f"docs/evidence.yaml: {problem}" for problem in problems), sep="\n")
        return 1
    for claim in claims:
        outcomes[claim["id"]], missing = judged(claim, results, titles)
        problems += [f"{claim['id']}: there is no test {test}" for test in missing]
        if outcomes[claim["id"]] == "FAILED" and not missing:
            problems.append(f"{claim['id']}: a test failed")
        elif outcomes[claim["id"]] == NOT_RUN and "--full" in sys.argv:
            problems.append(f"{claim['id']}: a test was not run")
    text = page(subjects, outcomes)
    if "--write" in sys.argv:
        PAGE.write_text(text)
    elif not PAGE.exists() or steady(PAGE.read_text()) != steady(text):
        problems.append("docs/Evidence.md is out of date. Run: .venv/bin/python Tests/Docs/evidence.py --write .build/test-output")
    counts = collections.Counter(outcomes.values())
    print(*problems, f"{len(claims)} claims: {', '.join(f'{count} {name}' for name, count in sorted(counts.items()))}", sep="\n")
    return 1 if problems else 0


sys.exit(main())
