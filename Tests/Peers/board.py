# Licensed under the MIT License. See LICENSE.
"""Prometheus reads the Grafana dashboard and the alerts, and they query only metrics that exist.

usage: board.py

The dashboard is JSON. Each of its queries, and each alert, is a rule that Debian's promtool checks. Each names a metric that
docs/services/Observation.md lists; a test of the library compares that list with the metrics of a run.
"""
import json
import pathlib
import re
import subprocess
import tempfile

from harness import check

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs"


def promtool(path):
    done = subprocess.run(["promtool", "check", "rules", str(path)], text=True, capture_output=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    board = json.loads((FOLDER / "observation/board.json").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    check(len(queries) >= 10, f"the dashboard is JSON and has {len(queries)} queries")

    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "board.yml"
        # JSON is YAML.
        rules.write_text(json.dumps({"groups": [{"name": "board", "rules": [
            {"record": f"board:query:{number}", "expr": query} for number, query in enumerate(queries)]}]}))
        accepted, words = promtool(rules)
        check(accepted, "Prometheus reads each query of the dashboard" + ("" if accepted else f":\n{words}"))
        broken = pathlib.Path(folder) / "broken.yml"
        broken.write_text(rules.read_text().replace("sum by", "sum bye", 1))
        check(not promtool(broken)[0], "  and reports an invalid query")

    alarms = FOLDER / "observation/alarms.yml"
    accepted, words = promtool(alarms)
    check(accepted, "Prometheus reads the alerts" + ("" if accepted else f":\n{words}"))

    page = (FOLDER / "services/Observation.md").read_text()
    known = set(re.findall(r"^\| `(msal_\w+)`", page, re.M)) | set(re.findall(r"^\| `msal_\w+`, `(msal_\w+)`", page, re.M))
    for place, text in (("the board", " ".join(queries)), ("the alarms", alarms.read_text())):
        named = {re.sub(r"_(bucket|count|sum)$", "", name) for name in re.findall(r"\bmsal_\w+", text)}
        check(named and named <= known, f"{place} queries {len(named)} metrics, all of which are on the page"
              + ("" if named <= known else f"; unknown: {sorted(named - known)}"))
    missing = [name for name in re.findall(r"^      - alert: (\w+)", alarms.read_text(), re.M) if f"`{name}`" not in page]
    check(not missing, f"the page says what to do for each alert {missing or ''}")


if __name__ == "__main__":
    main()
