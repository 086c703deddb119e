#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Tries what scripts/api tells of a change, with a small module that is compiled before and after it.

usage: Tests/API/api.py
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "api"))
sys.dont_write_bytecode = True

import breaking  # noqa: E402
import declarations  # noqa: E402
import modules  # noqa: E402

# A change, the declarations before it and after it, what the text must say (+ added, - removed, ~ altered), and whether the
# digester must call it breaking. Each declaration has a name that no other row uses.
CHANGES = [
    ("a function goes", "public func gone() {}", "", "-", True),
    ("a function comes", "", "public func come() {}", "+", False),
    ("a default differs", "public func other(_ a: Int = 1) {}", "public func other(_ a: Int = 2) {}", "~", False),
    ("a default goes", "public func bare(_ a: Int = 1) {}", "public func bare(_ a: Int) {}", "~", True),
    ("a type differs", "public func typed() -> Int { 1 }", 'public func typed() -> String { "" }', "~", True),
    ("a function throws", "public func calm() {}", "public func calm() throws {}", "~", True),
    ("a member is deprecated", "public struct Old { public var aged: Int }",
     'public struct Old { @available(*, deprecated, message: "Use new: it, too.") public var aged: Int }', "~", False),
    ("a name may change", "public func unsettled() {}",
     "/// Sends; a minor version\n/// may change this name.\npublic func unsettled() {}", "~", False),
    ("a case comes", "public enum Kind { case one }", "public enum Kind { case one, two }", "+", True),
    ("a requirement comes", "public protocol Port { func send() }",
     "public protocol Port { func send(); func receive() }", "+", True),
    ("a member of an extension comes", "public protocol Wide { func send() }",
     "public protocol Wide { func send() }\nextension Wide { public func twice() { send(); send() } }", "+", False),
    ("a conformance goes", "public struct Text: Sendable, Hashable { }", "public struct Text: Sendable { }", "-", True),
    ("a setter goes", "public struct Box { public var size = 1 }",
     "public struct Box { public private(set) var size = 1 }", "~", True),
    ("a foreign type is extended", "", "extension String { public func shouted() -> String { uppercased() } }", "+", False),
    ("the package's own goes", "package func hidden() {}", "", "", False),
    ("a body differs", "public func body() -> Int { 1 }", "public func body() -> Int { 2 }", "", False),
]
VERSIONS = [
    ("0.9.0", "0.9.1", False), ("0.9.0", "0.10.0", True), ("0.9.0", "1.0.0", True), ("0.9.0", "0.9.0", False),
    ("1.2.3", "1.2.4", False), ("1.2.3", "1.3.0", False), ("1.2.3", "2.0.0", True), ("1.0.0-beta.1", "1.0.0", False),
]


def compiled(folder, sources):
    """What the tools say of a module of these files: its text and its digest."""
    paths = []
    for number, source in enumerate(sources):
        paths.append(folder / f"File{number}.swift")
        paths[-1].write_text(source, encoding="utf-8")
    subprocess.run(["swiftc", "-emit-module", "-parse-as-library", "-swift-version", "6", "-module-name", "Small",
                    "-package-name", "small", "-emit-module-path", folder / "Small.swiftmodule", *paths], check=True)
    flags = ["-I", str(folder), "-module-cache-path", str(folder.parent / "cache")]
    return declarations.text("Small", modules.symbol_graphs("Small", flags), "6.3"), modules.digest("Small", flags)


def sides(root):
    """The texts and digests before and after all changes, and those of the first in another order of files."""
    before = [before for _, before, _, _, _ in CHANGES]
    for name, sources in (("before", before), ("after", [after for _, _, after, _, _ in CHANGES]),
                          ("reversed", before[::-1])):
        folder = root / name
        folder.mkdir()
        yield compiled(folder, sources)


def word(source):
    """The name that is the row's own."""
    found = declarations.NAME.search(source.replace("extension String {", ""))
    return found[2]


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        (text, digest), (new_text, new_digest), (reversed_text, _) = sides(pathlib.Path(folder))
    if text != reversed_text:
        failures.append("the text depends on the order of files")
    if declarations.differences(text, text) != ([], [], []):
        failures.append("a text differs from itself")
    if found := breaking.breaking(digest, digest):
        failures.append(f"a module breaks itself: {found}")

    added, removed, altered = declarations.differences(text, new_text)
    sentences = breaking.breaking(digest, new_digest)
    lines = [("+", *pair) for pair in added] + [("-", *pair) for pair in removed] + [("~", *new) for _, new in altered]
    for title, before, after, sign, breaks in CHANGES:
        name = word(before or after)
        signs = "".join(one for one, heading, line in lines if name in f"{heading} {line}".replace("(", " ").split())
        told = [sentence for sentence in sentences if name in sentence.replace("(", " ").replace(".", " ").split()]
        if signs.strip(sign) or bool(signs) != bool(sign):
            failures.append(f"{title}: the text says {signs!r}, not {sign!r}")
        if bool(told) != breaks:
            failures.append(f"{title}: the digester says {told or 'nothing'}")
    for old, new, expected in VERSIONS:
        if breaking.allows(old, new) != expected:
            failures.append(f"{new} after {old} may {'not ' if expected else ''}break")

    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{len(CHANGES)} changes and {len(VERSIONS)} pairs of versions: {len(failures)} failures")
    return int(bool(failures))


sys.exit(main())
