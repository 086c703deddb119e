# Licensed under the MIT License. See LICENSE.
"""A function or an initialiser with eight parameters or more.

Nobody reads such a call at a glance: the parameters belong into a value. `scripts/structure/parameters.txt` has those that stay, as
FILE NAME(LABELS) and the reason.
"""
import importlib.machinery
import importlib.util

from .house import ROOT, reasons

MOST = 7


def check(house):
    excepted, found = reasons("parameters"), {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        for offset, name, labels in declarations(text):
            if len(labels) > MOST:
                key = f"{path.relative_to(ROOT / 'Sources')} {name}({''.join(label + ':' for label in labels)})"
                found[key] = f"Sources/{path.relative_to(ROOT / 'Sources')}:{text.count(chr(10), 0, offset) + 1}"
    problems = [f"{place}: {key.split(' ', 1)[1]} has more than {MOST} parameters" for key, place in sorted(found.items())
                if key not in excepted]
    for key in sorted(set(excepted) - set(found)):
        print(f"scripts/structure/parameters.txt: {key} has fewer now, or is gone: take its line out")
    print(f"{len(excepted)} functions have more than {MOST} parameters, each with a reason")
    return problems


def declarations(text):
    """The functions of a text, as `scripts/check-labels` finds them."""
    return labels_check().declarations(text)


def labels_check(loaded={}):
    if not loaded:
        path = str(ROOT / "scripts" / "check-labels")
        loader = importlib.machinery.SourceFileLoader("check_labels", path)
        loaded["module"] = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_labels", loader))
        loader.exec_module(loaded["module"])
    return loaded["module"]
