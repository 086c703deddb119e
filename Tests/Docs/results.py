# Licensed under the MIT License. See LICENSE.
"""Collects the results of a run of scripts/test: a JSON line for each step and each test, {"test": ID, "result": RESULT}.

usage: results.py FOLDER     reads what the steps left in FOLDER, and writes FOLDER/results.jsonl

The ID of a Swift test is that of `swift test list`, and the ID of a pytest test its node ID. A line that another step prints for
a test, such as `ok  a wrong secret is rejected`, has the ID `STEP: TEXT`, and the section in between if there is one. A step has
its title. The results are passed, failed, and skipped.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

LINE = re.compile(r"(ok|FAILED|skipped):? +(?:\d+\.\d s +)?(\S.*?)(?: \(\d+\.\d s\))? *")
PYTEST = re.compile(r"(\S+::\S+) (PASSED|FAILED|ERROR|SKIPPED)\b.*")
SECTION = re.compile(r"--- (\w+)")
RESULTS = {"ok": "passed", "PASSED": "passed", "FAILED": "failed", "ERROR": "failed", "SKIPPED": "skipped", "skipped": "skipped"}
# A test that runs twice has failed if it failed once, and was run if it was not skipped twice.
RANK = ["skipped", "passed", "failed"]


def steps(folder):
    """The title and the result of each step."""
    file = folder / "steps.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def printed(title, log):
    """The tests of a step that prints a line for each."""
    section = ""
    for line in log.read_text(errors="replace").splitlines():
        if found := SECTION.fullmatch(line):
            section = f"{found[1]}: "
        elif found := PYTEST.fullmatch(line):
            yield found[1], RESULTS[found[2]]
        elif found := LINE.fullmatch(line):
            yield f"{title}: {section}{found[2]}", RESULTS[found[1]]


def swift(file):
    """The tests in a file that `--xunit-output` wrote."""
    for case in xml.etree.ElementTree.parse(file).iter("testcase"):
        result = "failed" if case.find("failure") is not None else "skipped" if case.find("skipped") is not None else "passed"
        yield f"{case.get('classname')}/{case.get('name')}", result


def collected(folder):
    """The results by ID."""
    found = {}

    def add(test, result):
        found[test] = max(found.get(test, "skipped"), result, key=RANK.index)

    for step in steps(folder):
        add(step["test"], step["result"])
        log = folder / (re.sub("[^A-Za-z0-9]", "-", step["test"]) + ".log")
        for test, result in printed(step["test"], log) if log.exists() else ():
            add(test, result)
    for file in sorted(folder.glob("*.xml")):
        for test, result in swift(file):
            add(test, result)
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    results = collected(folder)
    lines = [json.dumps({"test": test, "result": result}, ensure_ascii=False) for test, result in results.items()]
    (folder / "results.jsonl").write_text("".join(f"{line}\n" for line in lines))
    counts = [f"{list(results.values()).count(result)} {result}" for result in reversed(RANK)]
    print(f"{len(results)} results in {folder}/results.jsonl: {', '.join(counts)}")


if __name__ == "__main__":
    main()
