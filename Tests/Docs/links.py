#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Finds dead paths, links, and anchors in tracked Markdown files and in the comments of tracked sources, and faults of pages.

usage: links.py

A path such as `Tests/Docs/links.py` must be in the repository, a page that is named by its file name must exist, and so must
each anchor of a page. A table with the contents of a folder must name exactly its folders. Addresses of other sites are left alone. rules.py says what pages need in addition. Exits with 1 and names
the lines. It needs no build.
"""
import collections
import functools
import os
import pathlib
import re
import subprocess
import sys

import rules

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(([^)\s:]*?)(?:#([\w.-]+))?\)")
PAGE = re.compile(r"(?<![\w/.+-])((?:[\w.-]+/)*[\w-]+\.md)\b(?:#([\w-]+))?")
# The anchors after the first in a list, as in "Page#one, #two and #three".
MORE = re.compile(r"\s*(?:,|and|to|, and)\s+#([\w-]+)")
# A file that a script writes, a placeholder, and a pattern are not paths of the repository.
PATH = re.compile(
    r"(?<![\w/.+$}<>-])(?:\./)?((?:Adapters|Benchmarks|Examples|Packaging|Sources|Tests|\.github|docs|kits|scripts)/[\w./+-]*\w/?)"
    r"(?![\w$<{*…-]|[.(/]*[*$<{…])")
# A table with a row for each folder of a folder.
FOLDERS = re.compile(r"^\| `([\w/]+)` \| contents \|\n\|[-| ]+\n((?:\|.*\n)+)", re.M)
# Files of a reader's own package, and a placeholder.
ELSEWHERE = {"Sources/Hello/Hello.swift", "Tests/HelloTests", "Tests/HelloTests/SignInTests.swift",
             ".github/workflows/report.yml", "Packaging/manual/PROGRAM.mdoc"}
COMMENTS = {".swift": "//", ".c": "//", ".h": "//", ".js": "//", ".go": "//", ".py": "#", ".sh": "#", ".yml": "#", ".yaml": "#"}
# Its pages have faults on purpose.
INVENTED = "Tests/Docs/bad_pages.py"


@functools.cache
def tracked():
    """The tracked files that exist, and the folders that they are in."""
    names = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-z"], text=True).rstrip("\0").split("\0")
    files = [name for name in names if (ROOT / name).is_file()]
    return files, set(files) | {str(folder) for name in files for folder in pathlib.PurePath(name).parents}


@functools.cache
def pages():
    """The pages of each file name."""
    found = collections.defaultdict(list)
    for name in tracked()[0]:
        found[pathlib.PurePath(name).name].append(name)
    return found


@functools.cache
def anchors(name):
    """Those that a code host makes of headings, and those that the page sets."""
    text = (ROOT / name).read_text(encoding="utf-8")
    headings = re.findall(r"^#{1,6} +(.*?)\s*$", text, re.M)
    plain = [re.sub(r"<[^>]*>", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)) for heading in headings]
    return set(re.findall(r'<a id="([^"]+)">', text)) | {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def resolved(name, source):
    """The tracked file or folder that `name` means: beside the file that names it, from the root, or a page by its file name."""
    for start in (str(pathlib.PurePath(source).parent), ""):
        path = os.path.normpath(os.path.join(start, name))
        if path in tracked()[1]:
            return path
    return pages()[name][0] if pages().get(name) else None


def faults(text, source):
    """What is dead in a line of a page or a comment."""
    targets = [(found[1], [found[2]]) for found in LINK.finditer(text)] if source.endswith(".md") else []
    for found in PAGE.finditer(text):
        if "://" not in text[:found.start()].rpartition(" ")[2]:
            names, end = [found[2]], found.end()
            while found[2] and (more := MORE.match(text, end)):
                names, end = [*names, more[1]], more.end()
            targets.append((found[1], names))
    targets += [(found[1].rstrip("/"), [None]) for found in PATH.finditer(text) if not found[1].endswith(".md")]
    for name, names in (target for target in targets if target[0] not in ELSEWHERE):
        target = resolved(name, source) if name else source
        if target is None:
            yield f"there is no {name}"
        elif target.endswith(".md"):
            yield from (f"{target} has no anchor #{anchor}" for anchor in names if anchor and anchor not in anchors(target))


def folder_faults(text):
    """The folders that a page's table of a folder omits or invents, each with the table's line."""
    for table in FOLDERS.finditer(text):
        parts = [pathlib.PurePath(file).relative_to(table[1]).parts for file in tracked()[0] if file.startswith(f"{table[1]}/")]
        folders = {part[0] for part in parts if len(part) > 1 and not part[0].endswith(".docc")}
        for folder in sorted(folders ^ set(re.findall(r"^\| `([\w.-]+)`", table[2], re.M))):
            said = "omits" if folder in folders else "names no folder:"
            yield text.count("\n", 0, table.start()) + 1, f"the table of {table[1]} {said} {folder}"


def comments(name, text):
    """Numbered comments; one that continues on the next lines is in one piece, so that a path or a list may be split."""
    mark = COMMENTS.get(pathlib.PurePath(name).suffix, "#")
    start, piece, is_documentation = 0, "", False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        quotes = line.count('"""') if mark == "#" else 0
        code, found, said = line.partition(mark)
        said = line if is_documentation or quotes else said.lstrip("/!# ")
        continues = (found and not code.strip()) or is_documentation
        is_documentation ^= quotes % 2 == 1
        if piece and not continues:
            yield start, piece
            piece = ""
        if found or is_documentation or quotes:
            start, piece = (start, f"{piece} {said.strip()}") if piece else (number, said.strip())


def main():
    count = 0
    for name in tracked()[0]:
        path = ROOT / name
        is_source = path.suffix in COMMENTS or not path.suffix and path.parent.name in ("scripts", "Packaging", ".ci")
        if path.is_symlink() or name == INVENTED or not (is_source or path.suffix == ".md"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1) if path.suffix == ".md" else comments(name, text):
            for fault in faults(line, name):
                print(f"{name}:{number}: {fault}")
                count += 1
        for number, fault in folder_faults(text) if path.suffix == ".md" else ():
            print(f"{name}:{number}: {fault}")
            count += 1
    for name, number, fault in rules.faults(tracked()[0], anchors):
        print(f"{name}:{number}: {fault}")
        count += 1
    print(f"{count} faults of pages, links, and paths")
    return 1 if count else 0


sys.exit(main())
