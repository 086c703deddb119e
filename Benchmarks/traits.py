# Licensed under the MIT License. See LICENSE.
"""A hit in a build without the traits `Metrics` and `Tracing`, beside one in a build with them."""
import os
import pathlib
import statistics
import subprocess
import sys

TURNS = 101
# What a counted hit may cost beyond one that is not counted, in nanoseconds.
COUNTED = 60
# So that tables are searched in the same order in both.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


class Hits:
    """A program that has hits when it is told to."""

    def __init__(self, program, kind):
        self.process = subprocess.Popen([str(program), "hitting", kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=ENVIRONMENT)

    def nanoseconds(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return 1000 * float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def instructions(program):
    """Those of a hit with a token of the service itself. They are the same in each run, whatever else the machine does."""
    script = pathlib.Path(__file__).resolve().parent / "atomics.py"
    counted = subprocess.run([sys.executable, str(script), str(program), "server", "1"], capture_output=True, text=True,
                             env=ENVIRONMENT)
    return int(counted.stdout.split()[2]) if counted.returncode == 0 else None


def compare(bare, full):
    """Prints what the traits cost. `bare` is the program without them."""
    programs = {"bare": Hits(bare, "plain"), "full": Hits(full, "plain"), "counted": Hits(full, "counted")}
    # They take turns, so that all see the same machine.
    turns = [{name: hits.nanoseconds() for name, hits in programs.items()} for _ in range(TURNS)]
    for hits in programs.values():
        hits.end()
    print(f"\nA token of a session from the memory: processor time, medians of {TURNS} turns of 8,192 hits each")
    titles = {
        "bare": "without the traits Metrics and Tracing", "full": "with them, and nothing set up",
        "counted": "with them, and metrics that count it",
    }
    for name, title in titles.items():
        times = [turn[name] for turn in turns]
        print(f"  {title:56}{statistics.median(times):8.0f} ns, least {min(times):.0f}")
    low, middle, high = statistics.quantiles([turn["full"] - turn["bare"] for turn in turns])
    # Less than what the turns differ by cannot be told from nothing.
    missed = " MISSED" if low > 0 else ""
    print(f"  {'the traits cost, in the middle half of the turns':56}{middle:+8.0f} ns, {low:+.0f} to {high:+.0f}   [+0 ns]{missed}")
    more = statistics.median(turn["counted"] - turn["bare"] for turn in turns)
    print(f"  {'metrics that count it, beyond no traits':56}{more:+8.0f} ns   [{COUNTED} ns]{' MISSED' if more > COUNTED else ''}")
    counts = [instructions(bare), instructions(full)]
    if None in counts:
        print("  instructions: not counted (x86-64 and ptrace alone)")
    else:
        print(f"  {'instructions of a token of the service itself, both':56}{counts[0]:8} and {counts[1]}")
