# Licensed under the MIT License. See LICENSE.
"""A file name that stands twice in Sources.

Two files of one name are told apart by their folders only, so that searches and messages of the compiler lead to the wrong one.
`scripts/structure/names.txt` has the names that stand twice for a reason.
"""
import collections

from .house import ROOT, reasons


def check(house):
    found = collections.defaultdict(list)
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if not any(part.endswith(".docc") for part in path.parts):
            found[path.name].append(str(path.relative_to(ROOT)))
    excepted = reasons("names")
    twice = {name: paths for name, paths in found.items() if len(paths) > 1}
    problems = [f"{name} stands {len(paths)} times: {', '.join(paths)}" for name, paths in sorted(twice.items())
                if name not in excepted]
    for name in sorted(set(excepted) - set(twice)):
        print(f"scripts/structure/names.txt: {name} stands once now, or is gone: take its line out")
    print(f"{len(found)} file names; {len(excepted)} stand more than once, each with a reason")
    return problems
