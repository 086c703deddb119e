# Licensed under the MIT License. See LICENSE.
"""Compares hits in builds with and without the traits `Metrics` and `Tracing`."""
import os
import pathlib
import statistics
import subprocess
import sys

import figures

TURNS = 101
# The target for the extra time of a counted hit, in microseconds.
COUNTED = 0.06
# So that dictionaries have the same order in both builds.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


class Hits:
    """A program that has hits on demand."""

    def __init__(self, program, kind):
        self.process = subprocess.Popen([str(program), "hitting", kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=ENVIRONMENT)

    def microseconds(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def instructions(program):
    """The instructions of a hit with an application token. Unlike times, they are the same in each run."""
    script = pathlib.Path(__file__).resolve().parent / "atomics.py"
    counted = subprocess.run([sys.executable, str(script), str(program), "server", "1"], capture_output=True, text=True,
                             env=ENVIRONMENT)
    return int(counted.stdout.split()[2]) if counted.returncode == 0 else None


def compare(bare, full):
    """Prints the cost of the traits. `bare` is the program without them."""
    programs = {"bare": Hits(bare, "plain"), "full": Hits(full, "plain"), "counted": Hits(full, "counted")}
    # They take turns, so that machine load affects all equally.
    turns = [{name: hits.microseconds() for name, hits in programs.items()} for _ in range(TURNS)]
    for hits in programs.values():
        hits.end()
    group = figures.Group(f"Cached token of a session, processor time, {TURNS} turns of 8,192 hits each")
    for name, title in {"bare": "without the traits Metrics and Tracing", "full": "with them, without a metrics system",
                        "counted": "with them, and metrics that count it"}.items():
        group.row(title, [turn[name] for turn in turns], "microseconds")
    low, middle, high = statistics.quantiles([turn["full"] - turn["bare"] for turn in turns])
    # A difference within the variation between turns does not count.
    group.row("cost of the traits", middle, "microseconds", 0 if low > 0 else None,
              remark=f"middle half of the turns {1000 * low:+.0f} to {1000 * high:+.0f} ns")
    group.row("extra time of metrics that count it", statistics.median(turn["counted"] - turn["bare"] for turn in turns),
              "microseconds", COUNTED)
    counts = [instructions(bare), instructions(full)]
    if None in counts:
        print("  instructions are not counted: this requires x86-64 and ptrace")
    else:
        group.row("instructions of an application token, without the traits", counts[0], "ratio")
        group.row("instructions of an application token, with them", counts[1], "ratio")
