#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Tests the tables of docs/Performance.md with invented figures in a small repository, and checks the page itself.

usage: Tests/Docs/performance.py
"""
import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
sys.dont_write_bytecode = True
import figures  # noqa: E402
import tables  # noqa: E402

PARTS = ("source", "builds", "pairs", "times")
PAGE = "# Performance\n\n" + "\n".join(f"<!-- {name} -->\n<!-- end -->\n" for name in PARTS)
NAMES = ("Work: slower", "Work: the limit", "Work: faster", "Work: from zero", "Work: missed", "Work: never measured")
failures = 0


def check(condition, message):
    global failures
    failures += not condition
    print(f"{'ok ' if condition else 'FAILED'} {message}")


def time(median, **members):
    return {"unit": "microseconds", "median": median, "isMissed": False, **members}


class Repository:
    """A repository with the page, and Benchmarks with invented tables in it."""

    def __init__(self, folder):
        self.folder = folder
        figures.ROOT, figures.SAVED, figures.PAGE = folder, folder / "figures.json", folder / "Performance.md"
        tables.PLAIN = {"times": [tables.Entry(name.removeprefix("Work: "), name) for name in NAMES]}
        tables.PAIRS = [tables.Entry("ahead", "Work: ahead"), tables.Entry("behind", "Work: behind", "no: theirs does not encrypt")]
        tables.BUILT = {"app, debug": "app"}
        (folder / "Sources/MSALBase").mkdir(parents=True)
        figures.PAGE.write_text(PAGE)
        self.git("init", "--quiet")
        self.release("0.1.0")

    def git(self, *arguments):
        identity = ["-c", "user.name=Test", "-c", "user.email=test@contoso.example", "-c", "commit.gpgSign=false"]
        return subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Change")
        return self.git("rev-parse", "HEAD")

    def release(self, version):
        (self.folder / "Sources/MSALBase/LibraryVersion.swift").write_text(f'text = "{version}"\n')
        return self.commit()

    def saved(self, rows):
        """The lines of the page after a run with these rows, by the first cell of a table."""
        figures.save(rows)
        figures.update()
        return {line.split(" | ")[0].removeprefix("| "): line for line in figures.PAGE.read_text().splitlines()}


def first_release(repository):
    rows = {
        "Work: slower": time(100), "Work: the limit": time(100.0), "Work: faster": time(2000, minimum=1900, maximum=4000),
        "Work: from zero": time(0), "Work: missed": time(9, target=8, isMissed=True), "Work: not on the page": time(1),
        "Work: ahead": time(10, peers={"MSAL Go 1.9": 20, "MSAL Python 1.39": 300}),
        "Work: behind": time(10, minimum=10, maximum=10, peers={"MSAL Go 1.9": 5}),
    }
    lines = repository.saved(rows)
    page = figures.PAGE.read_text()
    check("**" not in page, "nothing is marked without an earlier release")
    check(lines["faster"] == "| faster | – | 2 ms (1.9–4) |", f"a row has its range in the unit of its median: {lines['faster']}")
    check(lines["missed"].endswith("| 8 µs | 9 µs, missed |"), "a missed target is named")
    check(lines["never measured"] == "| never measured | – | – |", "a row that was not measured is –")
    check(lines["app, debug"] == "| app, debug | – | – | – |", "a build that was not measured is –")
    check(list(lines).index("behind") < list(lines).index("ahead"), "rows in which MSAL Go is faster are first")
    check(lines["behind"].endswith("| 10 µs | 5 µs | – | no: theirs does not encrypt |"), "the difference of the work is named")
    check(lines["ahead"].endswith("| 10 µs | 20 µs | 300 µs | yes |"), "the same work is marked")
    check("not on the page" not in figures.SAVED.read_text(), "rows that the page does not show are not saved")
    named = re.search(r"commit `([0-9a-f]{7,40})`", page)
    check(named and repository.git("rev-parse", named[1]) == repository.git("rev-parse", "HEAD"), "the page names the commit")
    figures.update()
    check(figures.PAGE.read_text() == page, "the tables can be written again")


def next_release(repository):
    repository.release("0.2.0")
    rows = {"Work: slower": time(116), "Work: the limit": time(115), "Work: faster": time(1600), "Work: from zero": time(3)}
    lines = repository.saved(rows)
    check(lines["slower"].endswith("| 116 µs, **+16%** |"), f"an increase above the limit is marked: {lines['slower']}")
    check(lines["the limit"].endswith("| 115 µs |"), "a change up to the limit is not marked")
    check(lines["faster"].endswith("| 1.6 ms, **-20%** |"), "a decrease is marked")
    check(lines["from zero"].endswith("| 3 µs, **was 0 µs** |"), "a change from zero is marked")
    check(lines["missed"] == "| missed | – | – |", "rows of an earlier commit are dropped")
    check("since 0.1.0" in figures.PAGE.read_text(), "the page names the last release")
    lines = repository.saved({"Work: missed": time(7)})
    check(lines["slower"].endswith("**+16%** |") and lines["missed"].endswith("| 7 µs |"), "parts of one commit are collected")
    repository.commit()
    lines = repository.saved({"Work: slower": time(118)})
    check(lines["slower"].endswith("**+18%** |"), "a second run is compared with the last release, not with the first run")
    with contextlib.redirect_stdout(io.StringIO()) as output:
        figures.show({"Work: slower": time(100), "Work: ahead": time(5, peers={"MSAL Go 1.9": 20})})
    check("| slower | – | 100 µs |" in output.getvalue() and "missed" not in output.getvalue(), "a run prints its rows only")


def bad_input(repository):
    repository.commit()
    figures.SAVED.write_text(figures.SAVED.read_text() + "\n")
    check(figures.refuse_changes() is None, "changed figures can be replaced")
    (repository.folder / "change").touch()
    check(refused(figures.refuse_changes) == "change is not committed. Commit all changes before you run --save.",
          "uncommitted changes are refused")
    figures.PAGE.write_text(PAGE.replace("<!-- times -->", ""))
    check("<!-- times -->" in refused(figures.update), "a page without a table is refused")
    figures.SAVED.unlink()
    check("scripts/benchmark --save" in refused(figures.update), "a page without figures is refused")


def refused(work):
    try:
        work()
    except SystemExit as reason:
        return str(reason)
    return "it was accepted"


def printed_rows(folder):
    """Rows of programs other than Benchmarks."""
    os.environ["BENCHMARK_FIGURES"] = str(folder / "rows.jsonl")
    with contextlib.redirect_stdout(io.StringIO()) as output:
        group = figures.Group("Work")
        group.row("slower", [3000, 1000, 2000], "microseconds", 1500, remark="CPU 1 ms")
        group.row("rate", 90, "ratio", 100, is_floor=True)
    rows = figures.measured(folder / "rows.jsonl")
    check(rows["Work: slower"] == {"unit": "microseconds", "median": 2000, "isMissed": True, "target": 1500, "minimum": 1000,
                                   "maximum": 3000}, "a row is written with its range and target")
    check(rows["Work: rate"]["isMissed"] and output.getvalue().count("MISSED") == 2, "a value below its minimum is missed")


def page():
    """The page of this repository, before `Repository` replaces the tables."""
    text, saved = figures.PAGE.read_text(), json.loads(figures.SAVED.read_text())
    check(figures.replaced(text, figures.all_tables(saved)) == text, "the tables of the page are those of Benchmarks/figures.json")
    check(set(saved["rows"]) <= tables.names(), "every saved row is on the page")
    words = len([word for word in text.split() if word.strip("|-")])
    check(words <= 2500, f"the page has at most 2,500 words: {words}")


page()
with tempfile.TemporaryDirectory() as temporary:
    one = Repository(pathlib.Path(temporary) / "repository")
    first_release(one)
    next_release(one)
    bad_input(one)
    printed_rows(pathlib.Path(temporary))
raise SystemExit(f"{failures} failed" if failures else 0)
