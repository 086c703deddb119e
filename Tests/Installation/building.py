#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Tests the kept dependencies of CI and the selection of scripts/test --changed, in a small repository with a fake `swift`.

usage: Tests/Installation/building.py
"""
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# A fake SwiftPM: two targets of the package and one of a dependency, "built" as files with SwiftPM's names.
SWIFT = """#!/bin/bash
case $1 in
    --version) echo "Swift version $(cat {folder}/version)" ;;
    package)
        [[ " $* " != *" resolve "* ]] || {{ [ ! -e {folder}/offline ] || exit 1; cp {folder}/pins Package.resolved; exit 0; }}
        cat {folder}/dump ;;
    build)
        while [ "$1" != --scratch-path ]; do shift; done
        mkdir -p "$2/x86_64-linux-gnu/debug/Modules"
        [ -e "$2/debug.yaml" ] || pwd > "$2/debug.yaml"
        touch "$2/x86_64-linux-gnu/debug/description.json"
        ln -sfn x86_64-linux-gnu/debug "$2/debug"
        for name in Core App Dependency; do
            echo "$name" >> {folder}/compiled
            [ ! -e "$2/debug/$name.build/done" ] || continue
            mkdir -p "$2/debug/$name.build"
            touch "$2/debug/$name.build/done" "$2/debug/Modules/$name.swiftmodule"
        done
        exit "$(cat {folder}/status)" ;;
esac
"""
TARGETS = [
    {"name": "Core", "type": "regular", "dependencies": []},
    {"name": "App", "type": "executable", "dependencies": [{"byName": ["Core", None]}]},
    {"name": "Probe", "type": "executable", "dependencies": []},
    {"name": "CoreTests", "type": "test", "dependencies": [{"byName": ["Core", None]}]},
    {"name": "ProbeTests", "type": "test", "dependencies": [{"byName": ["Probe", None]}]},
    {"name": "EndToEndTests", "type": "test", "dependencies": []},
]
failures = []


def check(holds, claim, details=""):
    print(f"{'ok' if holds else 'FAILED'}: {claim}")
    if not holds:
        failures.append(claim)
        print("    " + str(details).replace("\n", "\n    "))


class Clone:
    def __init__(self, folder):
        self.folder, self.root = folder, folder / "clone"
        self.home, self.kept = folder / "home", folder / "home" / ".cache" / "msal-swift-linux"
        programs = folder / "bin"
        for path in (self.root / "scripts", self.home, programs):
            path.mkdir(parents=True)
        for name in [path.name for path in (ROOT / "scripts").glob("*.sh")] + ["affected"]:
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts")
        (programs / "swift").write_text(SWIFT.format(folder=folder))
        (programs / "swift").chmod(0o755)
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(self.home), "CI": "true",
                            "XDG_CACHE_HOME": str(self.home / ".cache"),
                            "GIT_CONFIG_GLOBAL": "/dev/null"}
        self.set(version="6.3.1", status="0", dump=json.dumps({"targets": TARGETS}),
                 pins='{"pins": [\n"identity" : "swift-nio",\n"version" : "2.0.0"\n]}')

    def set(self, **values):
        for name, value in values.items():
            (self.folder / name).write_text(value)

    def shell(self, body, **variables):
        return subprocess.run(["bash", "-c", f"set -euo pipefail; . scripts/lib.sh; {body}"], cwd=self.root, text=True,
                              capture_output=True, env=self.environment | variables, timeout=60, check=False)

    def build(self, **variables):
        """A build of CI: its output, and whether the module of the dependency existed before."""
        done = self.shell('keep_dependencies; echo "kept=$kept folder=$(scratch_folder)"; ls "$(build_folder)/Modules" 2> /dev/null'
                          ' || true; status=0; swift_build --build-tests || status=$?; '
                          '[ $status -ge 128 ] || [ -z "$kept_lock" ] || close_kept debug', **variables)
        return done.stdout + done.stderr

    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), "-c", "user.name=check", "-c", "user.email=check@contoso.example", *arguments],
                       check=True, capture_output=True, env=self.environment)

    def affected(self, *arguments):
        done = subprocess.run([sys.executable, str(self.root / "scripts" / "affected"), *arguments], text=True, capture_output=True,
                              env=self.environment, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr


def kept_dependencies(clone):
    said = clone.build()
    check(f"kept=false folder={clone.kept}/debug" in said and (clone.kept / "debug" / "key").is_file(), "the first build compiles", said)
    said = clone.build()
    check("kept=true" in said and "Dependency.swiftmodule" in said, "the second build finds the dependencies", said)
    kept = clone.kept / "debug"
    (kept / "debug.yaml").write_text("another checkout")
    clone.build()
    check((kept / "debug.yaml").read_text().strip() == str(clone.root), "the plan of another checkout is not used")
    check("Core.swiftmodule" not in said and "App.swiftmodule" not in said, "nothing of this package is left over", said)

    gone = [target for target in TARGETS if target["name"] != "Core"]
    clone.set(dump=json.dumps({"targets": gone}))
    said = clone.build()
    check("kept=true" in said and "Core.swiftmodule" not in said, "the module of a removed target is deleted", said)
    clone.set(dump=json.dumps({"targets": TARGETS}))

    for name, new in (("version", "6.4"), ("pins", '"identity" : "swift-nio"\n"version" : "2.0.1"')):
        before = (clone.folder / name).read_text()
        clone.set(**{name: new})
        said = clone.build()
        check("kept=false" in said and "Dependency.swiftmodule" not in said, f"another value of {name} empties the folder", said)
        clone.set(**{name: before})
        clone.build()

    clone.set(status="137")
    clone.build()
    clone.set(status="0")
    said = clone.build()
    check("kept=false" in said and "Dependency.swiftmodule" not in said, "after a killed build, the folder is emptied", said)
    clone.set(status="1")
    clone.build()
    clone.set(status="0")
    check("kept=true" in clone.build(), "after a failed build, the dependencies are kept")

    (clone.kept / "debug" / "key").rename(clone.kept / "debug" / "next-key")
    (clone.folder / "offline").touch()
    clone.build()
    (clone.folder / "offline").unlink()
    check("kept=false" in clone.build(), "a build elsewhere does not complete a folder that an interrupted run left")

    with open(clone.kept / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = clone.build()
    check("Another run uses" in said and f"folder={clone.root}/.build" in said, "while another run uses it, .build is used", said)
    said = clone.build(MSAL_BUILD="fresh")
    check(f"folder={clone.root}/.build" in said, "MSAL_BUILD=fresh ignores the folder", said)
    said = clone.build(CI="")
    check(f"folder={clone.root}/.build" in said, "without CI there is no kept folder", said)
    said = clone.build(XDG_CACHE_HOME="/proc/no-such-home")
    check("Cannot write to /proc/no-such-home" in said and f"folder={clone.root}/.build" in said, "without a writable cache folder, .build is used", said)
    (clone.folder / "offline").touch()
    said = clone.build()
    check("could not be resolved" in said and f"folder={clone.root}/.build" in said, "if the versions cannot be resolved, .build is used", said)


def selection(clone):
    for file in ("Sources/Core/Core.swift", "Sources/App/App.swift", "Sources/Probe/Probe.swift", "Tests/CoreTests/CoreTests.swift",
                 "README.md", "Package.swift", "docs/Page.md"):
        (clone.root / file).parent.mkdir(parents=True, exist_ok=True)
        (clone.root / file).write_text("// one\n")
    clone.git("init", "--quiet")
    clone.git("add", "--all")
    clone.git("commit", "--quiet", "--message", "One")
    status, said, errors = clone.affected("no-such-revision")
    check(status == 1 and said == "" and "no-such-revision" in errors and "Traceback" not in errors, "an unknown revision is reported", errors)
    status, said, errors = clone.affected()
    check("suite ProbeTests" in said and "no commit has passed" in said, "without a base everything is selected", said + errors)
    check("everything: no file differs" in clone.affected("HEAD")[1], "no change selects nothing")

    def after(file, *arguments):
        path = clone.root / file
        before = path.read_text() if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// two\n")
        said = clone.affected(*arguments or ("HEAD",))[1]
        path.unlink() if before is None else path.write_text(before)
        return said

    said = after("Sources/Core/Core.swift")
    check("suite CoreTests" in said and "suite ProbeTests" not in said and "ProbeTests" in said, "a library selects its dependents", said)
    said = after("Sources/Core/New.swift")
    check("suite CoreTests" in said, "an untracked file counts", said)
    said = after("README.md")
    check("suite" not in said and "step links" in said, "a page selects the check of links", said)
    check("Package.swift can affect every result" in after("Package.swift"), "the manifest selects everything")
    said = after("unknown.bin")
    check("suite ProbeTests" in said and "no rule of scripts/affected matches unknown.bin" in said, "a file that no rule matches selects everything", said)
    (clone.root / ".build").mkdir(exist_ok=True)
    commit = subprocess.check_output(["git", "-C", str(clone.root), "rev-parse", "HEAD"], text=True)
    (clone.root / ".build" / "passed").write_text(commit)
    (clone.root / ".gitignore").write_text(".build\n.gitignore\n__pycache__\nPackage.resolved\n")
    check("suite ProbeTests" in after("Sources/Probe/Probe.swift"), "the last commit that passed is used as the base")


def main():
    for part in (kept_dependencies, selection):
        with tempfile.TemporaryDirectory() as folder:
            part(Clone(pathlib.Path(folder)))
    print(f"{len(failures)} failures")
    return int(bool(failures))


sys.exit(main())
