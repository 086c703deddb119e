#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Measures MSAL Python with a SerializableTokenCache in Redis, for the rows of the shared cache that it has in common.

usage: Benchmarks/msal_python_redis.py SOCKET FILE [--most N]     (with the interpreter of .venv)

SOCKET is the Unix socket of a Redis server. Each user has a serialized cache there, as in MSAL Python's sample of a web application:
each request reads the cache, creates an application object, gets a token silently, and writes the cache if it changed. So no
tokens stay in memory, and each request behaves like one at an instance that has not seen the user. Caches are not encrypted.

Writes JSON to FILE that `Benchmarks --peer FILE` reads. The Redis client in this file does less than redis-py, which would
increase the figures. A simulated service returns metadata at once, which MSAL Python fetches for each application object.
"""
import itertools
import json
import pathlib
import socket
import statistics
import sys
import time

import msal
from msal_python import SCOPE, TENANT, hit, service

# As many users as the library's row of misses has.
USERS = 1050
SECONDS = 3


class Redis:
    """Sends a command and waits for its reply."""

    def __init__(self, path):
        self.connection = connected(path)
        self.replies = self.connection.makefile("rb")

    def __call__(self, *words):
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.connection.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words))
        kind, text = (line := self.replies.readline())[:1], line[1:-2]
        if kind == b"$":
            return self.replies.read(int(text) + 2)[:-2] if text != b"-1" else None
        if kind not in (b"+", b":"):
            raise SystemExit(f"Redis replied: {line}")
        return text

    def used_memory(self):
        lines = self("INFO", "memory").decode().splitlines()
        return next(int(line.partition(":")[2]) for line in lines if line.startswith("used_memory:"))


def connected(path):
    """Waits for a server that was just started."""
    deadline = time.monotonic() + 10
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except OSError:
            connection.close()
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def name(number):
    return f"peer:{number}"


def sign_in(redis, number):
    """Gets the tokens of a user and writes the cache, as another instance does."""
    cache = msal.SerializableTokenCache()
    result = service(TENANT, cache).acquire_token_by_refresh_token(f"r{number}-", [SCOPE])
    if "access_token" not in result:
        raise SystemExit(f"The user cannot sign in: {result}")
    redis("SET", name(number), cache.serialize())


def token(redis, number):
    cache = msal.SerializableTokenCache()
    cache.deserialize(redis("GET", name(number)).decode())
    app = service(TENANT, cache)
    result = hit(app, app.get_accounts()[0])
    if result["token_source"] != "cache":
        raise SystemExit("The token does not come from Redis.")
    if cache.has_state_changed:
        redis("SET", name(number), cache.serialize())


def costs(work):
    """The medians of CPU and elapsed time, in microseconds. 50 calls warm up."""
    times, begin = [], time.monotonic()
    while len(times) < USERS and time.monotonic() - begin < SECONDS:
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        work()
        times.append(((time.process_time_ns() - cpu) / 1000, (time.perf_counter_ns() - wall) / 1000))
    cpu, wall = zip(*times[50:])
    return statistics.median(cpu), statistics.median(wall)


def measure(path, most):
    redis = Redis(path)
    before = redis.used_memory()
    for number in range(USERS):
        sign_in(redis, number)
    storage = (redis.used_memory() - before) / USERS
    numbers = itertools.cycle(range(USERS))
    round_trip, round_trip_wall = costs(lambda: redis("PING"))
    miss, miss_wall = costs(lambda: token(redis, next(numbers)))
    for number in range(USERS):
        redis("DEL", name(number))
    figures = {
        "question/0": round_trip, f"shared-miss/{USERS}": miss, f"shared-miss-beyond/{USERS}": miss_wall - round_trip_wall,
        f"shared-room/{min(1000, most)}": storage,
    }
    return {"name": f"MSAL Python {'.'.join(msal.__version__.split('.')[:2])}", "figures": figures}


if __name__ == "__main__":
    match sys.argv[1:]:
        case [path, file]:
            pathlib.Path(file).write_text(json.dumps(measure(path, 100_000)))
        case [path, file, "--most", most]:
            pathlib.Path(file).write_text(json.dumps(measure(path, int(most))))
        case _:
            sys.exit(__doc__)
