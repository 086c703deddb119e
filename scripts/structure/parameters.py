# Licensed under the MIT License. See LICENSE.
"""A function or an initialiser with eight parameters or more, and a call with as many arguments.

Nobody reads such a call at a glance: the parameters belong into a value. Calls count too, because the compiler writes the
memberwise initialiser of a struct, and no declaration shows it. `scripts/structure/parameters.txt` has those that stay. A
declaration is FILE NAME(LABELS); a call is FILE NAME, because its labels change with each new part. Two spaces and the reason
follow. At most ten stay for a reason of ours.
"""
import importlib.machinery
import importlib.util
import re

from .house import ROOT, reasons

MOST = 7
MOST_REASONS = 10
MICROSOFT = "Microsoft's name"
CALL = re.compile(r"(?<![@\w])(\w+)(?:<[^<>()]*>)?\(")


def labels_check():
    """`scripts/check-labels`, which reads declarations."""
    loader = importlib.machinery.SourceFileLoader("check_labels", str(ROOT / "scripts" / "check-labels"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_labels", loader))
    loader.exec_module(module)
    return module


LABELS = labels_check()


def check(house):
    excepted, found = reasons("parameters"), {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        file, code = path.relative_to(ROOT / "Sources"), LABELS.blanked(path.read_text(encoding="utf-8"))
        declared = list(LABELS.declarations(code))
        long = [(offset, signature(name, labels), "has") for offset, name, labels in declared if len(labels) > MOST]
        # A call of a long function is not the fault of the caller.
        known = {name for _, name, _ in long}
        long += [(offset, name, "is called with") for offset, name, labels in calls(code, declared)
                 if len(labels) > MOST and signature(name, labels) not in known]
        for offset, name, verb in long:
            place = f"Sources/{file}:{code.count(chr(10), 0, offset) + 1}"
            found[f"{file} {name}"] = f"{place}: {name} {verb} more than {MOST} parameters"
    problems = [problem for key, problem in sorted(found.items()) if key not in excepted]
    for key in sorted(set(excepted) - set(found)):
        print(f"scripts/structure/parameters.txt: {key} has fewer now, or is gone: take its line out")
    own = sum(reason != MICROSOFT for reason in excepted.values())
    if own > MOST_REASONS:
        problems.append(f"scripts/structure/parameters.txt: {own} lines have a reason of ours; {MOST_REASONS} are the most")
    print(f"{len(excepted)} functions and calls have more than {MOST} parameters, each with a reason")
    return problems


def calls(code, declared):
    """The calls of a blanked source: offset, the last part of the name, and the label of each argument (`_` for none)."""
    opened = {code.index("(", offset) for offset, _, _ in declared}
    for match in CALL.finditer(code):
        start = match.end() - 1
        if start in opened:
            continue
        parts = LABELS.parameters(code[start + 1:LABELS.balanced(code, start, "(", ")") - 1])
        labels = [re.match(r"`?(\w+)`?\s*:", part) for part in parts]
        yield match.start(), match.group(1), [label.group(1) if label else "_" for label in labels]


def signature(name, labels):
    return f"{name}({''.join(label + ':' for label in labels)})"
