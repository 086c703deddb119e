# Licensed under the MIT License. See LICENSE.
"""Code of Sources that no other code of Sources uses.

It fails on a function, a type or a property that only tests use, unless `scripts/structure/unused.txt` lists it with a reason.
Public declarations are for apps. What a protocol requires, and what the compiler or a macro reads, counts as used.
"""
import re

from .package import ROOT, reasons
from .index import IMPLICIT, OVERRIDE

# IndexStore's symbol kinds: enum, struct, class, protocol, type alias, function, instance method, class method, static method,
# instance property, class property, static property.
KINDS = {5, 6, 7, 8, 11, 12, 16, 17, 18, 19, 20, 21}
READ_BY_COMPILER = {"main", "CodingKeys", "appendInterpolation", "callAsFunction"}
DECLARATION = r"\b(?:func|var|let|struct|class|enum|protocol|actor|typealias|case)\s+`?{}\b"


def check(package):
    excepted, texts, found = reasons("unused"), {}, {}
    for usr, (file, symbol) in package.definitions.items():
        if symbol.kind not in KINDS or symbol.roles & (OVERRIDE | IMPLICIT) or ":" in symbol.name.split("(")[0]:
            continue
        if any(user.startswith("Sources/") for user in package.users[usr]):
            continue
        texts.setdefault(file, (ROOT / file).read_text(encoding="utf-8"))
        if is_for_show(texts[file], symbol.name.split("(")[0]):
            found[f"{file.removeprefix('Sources/')} {symbol.name}"] = sorted(package.users[usr])
    problems = [f"Sources/{one}: {'only tests use it, such as ' + users[0] if users else 'it is never used'}"
                for one, users in sorted(found.items()) if one not in excepted]
    problems += [f"scripts/structure/unused.txt: {one} is used now, or does not exist" for one in sorted(set(excepted) - set(found))]
    print(f"{len(package.definitions)} symbols; {len(excepted)} are unused in Sources, each with a reason")
    return problems


def is_for_show(text, name):
    """Whether a file declares the name with `package` access, and no attribute or compiler reads it."""
    # An attribute on a separate line belongs to the line below.
    text = re.sub(r"^(\s*@\w+(?:\([^\n]*\))?)\n\s*", r"\1 ", text, flags=re.MULTILINE)
    lines = [line for line in text.splitlines() if re.search(DECLARATION.format(re.escape(name)), line)]
    if not lines or name in READ_BY_COMPILER:
        return False
    return not any(re.search(r"\b(?:public|open)\b|@\w+|\bcase\b|\bdidSet\b|\{ get\b", line) for line in lines)
