# Licensed under the MIT License. See LICENSE.
"""The rows of a benchmark run, and the tables of docs/Performance.md.

The programs append each row as one line of JSON to the file in `BENCHMARK_FIGURES`. `save` keeps those that a table shows in
figures.json, with the commit and the values of the release before. `update` rewrites the tables of the page from that file.
"""
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess

import tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAVED = ROOT / "Benchmarks" / "figures.json"
PAGE = ROOT / "docs" / "Performance.md"
# A median that differs by more from that of the last release is marked.
CHANGE = 0.15
NOT_MEASURED = "–"


def text(value, unit):
    """A value with three significant digits and its unit."""
    scales = {"microseconds": ((1e6, "s"), (1e3, "ms"), (1, "µs")), "bytes": ((1e6, "MB"), (1e3, "KB"), (1, "B"))}.get(unit, ((1, ""),))
    scale, name = next(((scale, name) for scale, name in scales if abs(value) >= scale), scales[-1])
    value /= scale
    number = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{number} {name}".rstrip()


class Group:
    """Prints the rows of a program that is not Benchmarks under a title, and appends them to the file."""

    def __init__(self, title):
        self.title = title
        print(f"\n{title}\n  {'':56}{'minimum':>11}{'median':>11}{'maximum':>11}", flush=True)

    def row(self, name, values, unit, target=None, is_floor=False, remark=""):
        """Returns the median of the values."""
        values = list(values) if isinstance(values, (list, tuple)) else [values]
        median = statistics.median(values)
        is_missed = target is not None and (median < target if is_floor else median > target)
        ends = [text(min(values), unit), text(max(values), unit)] if len(values) > 1 else ["", ""]
        line = f"  {name:56}{ends[0]:>11}{text(median, unit):>11}{ends[1]:>11}   {remark}"
        if target is not None:
            line += f"   [{text(target, unit)}]{' MISSED' if is_missed else ''}"
        print(line.rstrip(), flush=True)
        if file := os.environ.get("BENCHMARK_FIGURES"):
            row = {"row": f"{self.title}: {name}", "unit": unit, "median": median, "isMissed": is_missed}
            row |= {"target": target} if target is not None else {}
            row |= {"minimum": min(values), "maximum": max(values)} if len(values) > 1 else {}
            with open(file, "a") as rows:
                rows.write(json.dumps(row) + "\n")
        return median


def measured(file):
    """The rows that the programs wrote to a file, by name."""
    rows = [json.loads(line) for line in pathlib.Path(file).read_text().splitlines()]
    return {row.pop("row"): row for row in rows}


def saved():
    return json.loads(SAVED.read_text()) if SAVED.exists() else None


def compared(rows, last):
    """Adds the median of the release before to each row, from what was saved last."""
    for name, row in rows.items():
        old = (last or {}).get("rows", {}).get(name, {})
        # Figures that were saved for this release before have the ones to compare with.
        before = old.get("before") if last and last["version"] == version() else old.get("median")
        row.pop("before", None)
        if before is not None:
            row["before"] = before
    return rows


def save(rows):
    """Replaces the saved figures, or adds to them if they are of the same commit."""
    last, commit = saved(), git("rev-parse", "HEAD")
    kept = last["rows"] if last and last["commit"] == commit else {}
    shown = {name: row for name, row in rows.items() if name in tables.names()}
    before = {name: last[name] for name in ("version", "commit")} if last else None
    SAVED.write_text(lines({
        "version": version(), "commit": commit, "date": datetime.date.today().isoformat(), "machine": machine(),
        "last": last["last"] if last and last["version"] == version() else before,
        "rows": {**kept, **compared(shown, last)},
    }))


def lines(figures):
    """JSON with one line for each row, so that a diff shows which rows changed."""
    rows = ",\n".join(f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(rounded(row), ensure_ascii=False)}"
                      for name, row in sorted(figures["rows"].items()))
    head = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
                      for name, value in figures.items() if name != "rows")
    return f'{{\n{head},\n  "rows": {{\n{rows}\n  }}\n}}\n'


def rounded(value):
    """Four significant digits, which is more than a run reproduces."""
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value


def version():
    return re.search(r'text = "(.*)"', (ROOT / "Sources/MSALBase/LibraryVersion.swift").read_text())[1]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def refuse_changes():
    """Figures name a commit, so what was measured must be that commit."""
    own = [str(path.relative_to(ROOT)) for path in (SAVED, PAGE)]
    names = git("diff", "--name-only", "HEAD").splitlines() + git("ls-files", "--others", "--exclude-standard").splitlines()
    changed = [name for name in names if name not in own]
    if changed:
        raise SystemExit(f"{changed[0]} is not committed. Commit all changes before you run --save.")


def machine():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    compiler = re.search(r"(Swift) version ([\d.]+)", swift)
    return ", ".join([f"{len(os.sched_getaffinity(0))} processors ({cpu[1] if cpu else platform.machine()})", system,
                      *([" ".join(compiler.groups())] if compiler else [])])


# The tables.

def figure(row):
    """The median, the range if there is one, and the change since the last release if it is large."""
    if row is None:
        return NOT_MEASURED
    cell = text(row["median"], row["unit"])
    if row.get("minimum") is not None and row["minimum"] != row["maximum"]:
        ends = [text(row[end], row["unit"]) for end in ("minimum", "maximum")]
        unit = cell.partition(" ")[2]
        if unit and all(end.endswith(f" {unit}") for end in ends):
            ends = [end.partition(" ")[0] for end in ends]
        cell += f" ({'–'.join(ends)})"
    return cell + (", missed" if row.get("isMissed") else "") + change(row)


def change(row):
    before, now = row.get("before"), row["median"]
    if before is None or before == now:
        return ""
    if not before:
        return f", **was {text(before, row['unit'])}**"
    share = now / before - 1
    return f", **{share:+.0%}**" if abs(share) > CHANGE else ""


def plain(rows, entries):
    yield ["measurement", "target", "measured"]
    for entry in entries:
        row = rows.get(entry.name)
        target = row.get("target") if row else None
        yield [entry.title, NOT_MEASURED if target is None else text(target, row["unit"]), figure(row)]


LIBRARIES = ("MSAL Go", "MSAL Python")


def peers(rows, entry):
    """The medians of MSAL Go and MSAL Python in a comparison."""
    own = rows.get(entry.name, {}).get("peers", {})
    inside = [next((value for name, value in own.items() if name.startswith(library)), None) for library in LIBRARIES]
    return [rows.get(other, {}).get("median", value) for other, value in zip(entry.others, inside)]


def pairs(rows, entries):
    """Rows next to those of MSAL Go and MSAL Python: first those in which MSAL Go is faster, by how much."""
    def lead(entry):
        go = peers(rows, entry)[0]
        return -rows[entry.name]["median"] / go if entry.name in rows and go else 0

    yield ["measurement", "this library", *LIBRARIES, "the same work"]
    for entry in sorted(entries, key=lead):
        row = rows.get(entry.name)
        unit = row["unit"] if row else None
        yield [entry.title, figure(row), *(NOT_MEASURED if value is None or not unit else text(value, unit)
                                           for value in peers(rows, entry)), entry.difference or "yes"]


def builds(rows):
    yield ["first build", "elapsed", "CPU", "steps"]
    for title, name in tables.BUILT.items():
        yield [title, *(figure(rows.get(f"{tables.BUILDS}: {name}, {what}")) for what in ("elapsed", "CPU", "steps"))]


def markdown(table):
    head, *rows = table
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def all_tables(figures):
    """The generated parts of the page, by name."""
    rows = figures["rows"]
    parts = {name: markdown(plain(rows, entries)) for name, entries in tables.PLAIN.items()}
    parts |= {"builds": markdown(builds(rows)), "pairs": markdown(pairs(rows, tables.PAIRS))}
    last = figures.get("last")
    parts["source"] = f"Measured at commit `{figures['commit'][:12]}` on {figures['date']}: {figures['machine']}."
    # Figures that no run saved.
    if "note" in figures:
        parts["source"] += f" {figures['note']}"
    if last:
        parts["source"] += f" Medians that changed by more than {CHANGE:.0%} since {last['version']} are bold."
    return parts


def replaced(page, parts):
    """The page with new text between `<!-- NAME -->` and `<!-- end -->`."""
    for name, part in parts.items():
        marked = f"<!-- {name} -->\n\n{part}\n\n<!-- end -->"
        page, count = re.subn(rf"<!-- {name} -->\n.*?<!-- end -->", lambda _: marked, page, flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"{PAGE.name} has {count} parts <!-- {name} -->. Add one, which ends with <!-- end -->.")
    return page


def update():
    """Rewrites the generated parts of the page."""
    figures = saved()
    if not figures:
        raise SystemExit(f"{SAVED.relative_to(ROOT)} does not exist. Run  scripts/benchmark --save  first.")
    PAGE.write_text(replaced(PAGE.read_text(), all_tables(figures)))


def show(rows):
    """Prints the tables of a run, compared with the saved figures."""
    rows = compared(rows, saved())
    if any(name.startswith(tables.BUILDS) for name in rows):
        print(f"\nbuilds\n\n{markdown(builds(rows))}")
    for name, entries in tables.PLAIN.items():
        if any(entry.name in rows for entry in entries):
            print(f"\n{name}\n\n{markdown(plain(rows, [entry for entry in entries if entry.name in rows]))}")
    if shown := [entry for entry in tables.PAIRS if entry.name in rows]:
        print(f"\npairs\n\n{markdown(pairs(rows, shown))}")
