#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Checks that every test named in docs/reference/Attacks.md exists.

usage: attacks.py
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    tests = {name for path in (ROOT / "Tests").rglob("*.swift") for name in re.findall(r"func `([^`]+)`", path.read_text())}
    page = (ROOT / "docs" / "reference" / "Attacks.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| attack", "| ---"))]
    missing = [name for row in rows for name in re.findall(r"`([^`]+)`", row.rsplit(" | ", 1)[1]) if name not in tests]
    empty = [row for row in rows if not row.rsplit(" | ", 1)[1].strip(" |")]
    for name in missing + empty:
        print(f"FAILED docs/reference/Attacks.md: there is no test `{name}`")
    print(f"{len(rows)} attacks, {len(missing) + len(empty)} without a test")
    raise SystemExit(1 if missing or empty else 0)


if __name__ == "__main__":
    main()
