#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Tries scripts/release with commits that cannot be released, in a small repository. Nothing is built.

usage: Tests/Release/refusals.py
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPIED = ["scripts/release", "scripts/lib.sh", "scripts/needs.sh", "scripts/build.sh", "Packaging/lib.sh", "Packaging/version"]
CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 0.10.0 – 2026-11-29\n\n## 0.9.0 – 2026-11-23\n"
failures = 0


class Repository:
    """A commit that can be released as 0.10.0, after 0.9.0."""

    def __init__(self, folder):
        self.folder = folder
        for name in COPIED:
            self.write(name, (ROOT / name).read_text())
            shutil.copymode(ROOT / name, folder / name)
        self.git("init", "--quiet")
        self.write(".gitignore", ".build\n")
        self.write("CHANGELOG.md", "# Changelog\n\n## 0.9.0 – 2026-11-23\n")
        self.write("docs/Performance.md", "")
        self.version("0.9.0")
        self.commit("0.9.0")
        self.git("tag", "0.9.0")
        self.write("CHANGELOG.md", CHANGELOG)
        self.version("0.10.0")
        self.commit("0.10.0")
        self.measured(self.head())
        self.passed()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *arguments):
        identity = ["-c", "user.name=Test", "-c", "user.email=test@contoso.example"]
        return subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()

    def head(self):
        return self.git("rev-parse", "HEAD")

    def commit(self, subject):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", subject)

    def version(self, number):
        self.write("Sources/MSALBase/LibraryVersion.swift", f'enum LibraryVersion {{\n    package static let text = "{number}"\n}}\n')
        self.write("kits/pytest/pyproject.toml", f'version = "{number}"\n')
        self.write("README.md", f"sudo apt install ./msal_{number}_amd64.deb\n")

    def measured(self, commit):
        self.write("docs/Performance.md", f"Measured at commit `{commit[:12]}`.\n")
        self.commit("Publish the figures")

    def passed(self):
        self.write(".build/passed-full", self.head() + "\n")

    def release(self, *arguments):
        done = subprocess.run(["scripts/release", *arguments], cwd=self.folder, text=True, capture_output=True)
        return done.returncode, done.stdout + done.stderr


def refused(claim, change, sentence, arguments=("0.10.0",)):
    """A release after the change ends with the sentence."""
    global failures
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(pathlib.Path(folder))
        change(repository)
        status, output = repository.release(*arguments)
        holds = status == 1 and sentence in output
        # Everything else about the commit is correct, so there is one complaint.
        holds = holds and len(output.strip().splitlines()) == 1 and not (repository.folder / "dist").exists()
    print(f"{'ok' if holds else 'FAILED'}: {claim}")
    if not holds:
        failures += 1
        print("    status", status, output.replace("\n", "\n    "))


def committed(change):
    """The change as a commit that passed the tests."""
    def changed(repository):
        change(repository)
        repository.commit("Change")
        repository.passed()
    return changed


refused("a dirty tree", lambda one: one.write("new.txt", ""), "uncommitted changes")
refused("a changelog without the version", committed(lambda one: one.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n")),
        'no heading "## 0.10.0 – ')
refused("a heading without a date", committed(lambda one: one.write("CHANGELOG.md", "## 0.10.0\n")), 'no heading "## 0.10.0 – ')
refused("a commit that has not passed the tests", lambda one: one.commit("Change"), "scripts/test --full has not passed")
refused("a clone in which the tests never ran", lambda one: (one.folder / ".build/passed-full").unlink(), "scripts/test --full has not passed")
refused("figures without a commit", committed(lambda one: one.write("docs/Performance.md", "0.3 ms\n")), "names no commit")
refused("figures of an unknown commit", committed(lambda one: one.measured("0" * 40)), "not in the history")
refused("figures of the last release", committed(lambda one: one.measured(one.git("rev-parse", "0.9.0"))), "before 0.9.0, the last release")
refused("a page with the version before", committed(lambda one: one.write("docs/Install.md", "\nsudo dnf install ./msal-0.9.0-1.x86_64.rpm\n")),
        "Lines that still name 0.9.0: docs/Install.md:2")
refused("a kit with the version before", committed(lambda one: one.write("kits/pytest/pyproject.toml", 'version = "0.9.1"\n')),
        "kits/pytest/pyproject.toml is not 0.10.0")
refused("another version than the library's", lambda one: None, "The library is 0.10.0, not 0.11.0", ("--draft", "0.11.0"))
refused("a tag at another commit", lambda one: one.git("tag", "0.10.0", "HEAD^"), "The tag 0.10.0 is at ")
refused("something that is no version", lambda one: None, "'0.10' is not a version", ("0.10",))
with tempfile.TemporaryDirectory() as folder:
    repository = Repository(pathlib.Path(folder))
    repository.commit("Change")
    repository.git("tag", "0.10.0")
    done = subprocess.run(["Packaging/version", "--check", "0.10.0"], cwd=folder, check=True, capture_output=True, text=True)
    print(f"{'FAILED' if done.stdout else 'ok'}: a tagged commit", done.stdout)
    failures += bool(done.stdout)
    subprocess.run(["Packaging/version", "0.11.0"], cwd=folder, check=True, capture_output=True)
    changed = set(repository.git("diff", "--name-only").splitlines())
    holds = changed == {"README.md", "Sources/MSALBase/LibraryVersion.swift", "kits/pytest/pyproject.toml"}
    print(f"{'ok' if holds else 'FAILED'}: one command writes the next version into every file", *([] if holds else changed))
    failures += not holds
sys.exit(failures > 0)
