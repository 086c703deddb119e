#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Tries scripts/api as a whole: in a repository with a small package, whose older revision it has to build.

usage: Tests/API/against.py
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "small", products: [.library(name: "Small", targets: ["Small"])], targets: [.target(name: "Small")])
"""
failures = []


def check(holds, claim, details):
    print(f"{'ok' if holds else 'FAILED'}: {claim}")
    if not holds:
        failures.append(claim)
        print("    " + details.replace("\n", "\n    "))


class Repository:
    def __init__(self, folder):
        self.folder = folder
        for path in ("api", "scripts", "Sources/Small", "Sources/MSALBase"):
            (folder / path).mkdir(parents=True)
        for path in [*(ROOT / "api").glob("*.py"), ROOT / "scripts" / "api"]:
            shutil.copy(path, folder / path.relative_to(ROOT))
        (folder / "Package.swift").write_text(MANIFEST)
        (folder / ".gitignore").write_text(".build\n.build-api\n")
        self.run("git", "init", "--quiet")

    def run(self, *command):
        done = subprocess.run(command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def release(self, version, source):
        """Writes a version, and builds it."""
        (self.folder / "Sources/MSALBase/LibraryVersion.swift").write_text(f'let text = "{version}"\n')
        (self.folder / "Sources/Small/Small.swift").write_text(source)
        status, said = self.run("swift", "build", "--quiet")
        assert status == 0, said

    def tag(self, name):
        self.run("git", "add", "--all")
        self.run("git", "-c", "user.name=Test", "-c", "user.email=test@contoso.example", "commit", "--quiet", "-m", name)
        status, said = self.run("git", "tag", name)
        assert status == 0, said

    def api(self, *arguments):
        return self.run("scripts/api", *arguments)


def main():
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(pathlib.Path(folder))
        repository.release("0.9.0", "public func kept() {}\npublic func gone() {}\n")
        status, said = repository.api("--check")
        check(status == 1 and "2 added" in said, "a missing text is no agreement", said)
        status, said = repository.api()
        check(status == 0 and "api/Small.txt: 2 declarations" in said, "the text is written", said)
        status, said = repository.api("--check")
        check(status == 0 and "0 added, 0 removed, 0 altered" in said, "and agrees with what is built", said)
        repository.tag("0.9.0")
        text = repository.folder / "api" / "Small.txt"
        text.write_text(re.sub("as Swift [0-9.]+ prints", "as Swift 5.0 prints", text.read_text()))
        status, said = repository.api("--check")
        check(status == 0 and "were written with Swift 5.0" in said, "another compiler's text is not judged", said)
        repository.run("git", "checkout", "--quiet", ".")

        repository.release("0.9.1", "public func kept(_ number: Int = 1) {}\npublic func new() {}\n")
        status, said = repository.api("--check")
        check(status == 1 and "+ At the top: func new()" in said and "- At the top: func gone()" in said
              and "~ At the top: func kept()" in said, "the check says what is added, removed and altered", said)
        status, said = repository.api("--against", "0.9.0")
        check(status == 1 and "breaking: Func gone() has been removed" in said and "from 0.9.0 to 0.9.1, which" in said,
              "a patch may not break", said)
        check("new" not in "".join(line for line in said.splitlines() if "breaking:" in line), "what is new breaks nothing", said)
        repository.release("0.10.0", "public func kept() {}\n")
        status, said = repository.api("--against", "0.9.0")
        check(status == 0 and "1 breaking changes from 0.9.0 to 0.10.0\n" in said, "a minor version before 1.0 may", said)
        repository.release("0.9.1", "public func kept() {}\npublic func gone() {}\npublic func new() {}\n")
        status, said = repository.api("--against", "0.9.0")
        check(status == 0 and "0 breaking changes" in said, "a patch may add", said)
        status, said = repository.api("--against", "0.8.0")
        check(status == 2 and "0.8.0 is no revision" in said, "an unknown revision is an error of its own", said)
    print(f"{len(failures)} failures")
    return int(bool(failures))


sys.exit(main())
