# Licensed under the MIT License. See LICENSE.
"""The window's startup time, its responsiveness under load, and its activity while idle."""
import pathlib
import statistics
import time

RUNS, IDLE = 5, 60


def programs(screen):
    folder = pathlib.Path(screen.program).parent
    return folder / "Empty", folder / "OtherApp"


def first_frame(screen):
    """At most 400 ms later than an empty program's. Each window is found by its process, because both have the title."""
    empty, _ = programs(screen)
    seconds = {screen.program: [], empty: []}
    for _ in range(RUNS):
        for program, found in seconds.items():
            begin = time.monotonic()
            running = screen.machine.begin(str(program))
            # Polled without a pause, because xdotool's own wait polls only twice a second.
            while not screen.windows(running):
                assert running.poll() is None and time.monotonic() < begin + 30, "no window is shown"
            found.append(time.monotonic() - begin)
            running.stop()
    own, other = (1000 * statistics.median(found) for found in seconds.values())
    print(f"        first frame {own:.0f} ms, of the empty program {other:.0f} ms")
    assert own <= other + 400, "the window appears too late"


def under_load(screen):
    """The loop responds within 50 ms while 1,000 silent tokens are fetched, and serves the queue without a descriptor, too."""
    app = screen.app()
    app.press("Sign In")
    screen.sign_in(app)
    app.process.stop()
    _, other = programs(screen)
    said = screen.machine.run(str(other), "load", seconds=60).text
    print("        " + " ".join(said.split()))
    assert "tokens 1000" in said and "descriptor true" in said, said
    assert int(said.split("pause ")[1].split()[0]) <= 50, said
    polled = screen.machine.run(str(other), "load-without-descriptor", seconds=60).text
    assert "has no descriptor here" in polled and "tokens 1000" in polled and "descriptor false" in polled, polled


def wakes(process):
    """How often the thread of GLib's loop has waited. libdispatch has a thread that wakes once a second in every program with
    tasks, to count its workers."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("voluntary_ctxt_switches"))


def idle(screen):
    """At most two more wake-ups per minute than an empty program's."""
    empty, _ = programs(screen)
    app = screen.app()
    other = screen.machine.begin(str(empty))
    app.find("Sign In")
    time.sleep(10)  # Timers from the start have ended: those of GTK, the bus and connections.
    processes = [app.process.process, other.process]
    before = [wakes(process) for process in processes]
    time.sleep(IDLE)
    own, others = (wakes(process) - count for process, count in zip(processes, before))
    print(f"        wake-ups in {IDLE} s: {own}, of the empty program {others}")
    assert own <= others + 2, "the window wakes up for nothing"


CASES = {
    "the first frame": first_frame,
    "the loop under load": under_load,
    "idle": idle,
}
