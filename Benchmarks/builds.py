# Licensed under the MIT License. See LICENSE.
"""Measures what a developer waits for: the demo in a new clone, and the first builds of an app and of a service. Each build
resolves, downloads, and compiles all dependencies. `swift build` uses the cache of downloads that the user's other builds share.
"""
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import time

import figures
import tables
from products import ROOT

SERVICE = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Service",
    dependencies: [.package(name: "MSAL", path: "{clone}", traits: [])],
    targets: [.executableTarget(name: "Service", dependencies: [.product(name: "MSALServer", package: "MSAL")])]
)
"""
MAIN = """import MSALServer

let configuration = MSALConfidentialClientConfiguration(
    clientId: "00000000-0000-4000-8000-000000000001",
    authority: .tenant("contoso.example"),
    credential: .secret("not-a-secret")
)
_ = try MSALConfidentialClientApplication(configuration: configuration)
"""
# SwiftPM prints [STEP/STEPS] for each step.
PROGRESS = re.compile(r"\[\d+/(\d+)\]")


def measure(group, title, command, folder):
    """Runs a command that builds, and prints its time, the CPU time of all its processes, and the steps of the build."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MSAL_", "CI"))}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    elapsed, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{title} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    group.row(f"{title}, elapsed", 1e6 * elapsed, "microseconds")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    group.row(f"{title}, CPU", 1e6 * cpu, "microseconds")
    group.row(f"{title}, steps", max(map(int, PROGRESS.findall(done.stdout)), default=0), "ratio")


def run():
    group = figures.Group(tables.BUILDS)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        clone, app, service = folder / "clone", folder / "Greeter", folder / "Service"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        measure(group, "scripts/demo --headless in a new clone", ["scripts/demo", "--headless"], clone)
        subprocess.run([str(clone / "scripts" / "new-app"), "Greeter", str(app)], check=True, stdout=subprocess.DEVNULL)
        (service / "Sources" / "Service").mkdir(parents=True)
        (service / "Package.swift").write_text(SERVICE.format(clone=clone))
        (service / "Sources" / "Service" / "main.swift").write_text(MAIN)
        for title, package in (("app on MSAL", app), ("service on MSALServer", service)):
            for mode in ("debug", "release"):
                # Separate scratch folders, so that no build reuses another one's.
                command = ["swift", "build", "--configuration", mode, "--scratch-path", f".build-{mode}"]
                measure(group, f"{title}, {mode}", command, package)
