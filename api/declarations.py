# Licensed under the MIT License. See LICENSE.
"""The public declarations of a module as a text: sorted, one line each, below the type they belong to.

The compiler's symbol graph is what it is made of. The order of files and of the graph leaves no trace in it.
"""
import collections
import json
import re

# Every type has these unless it says otherwise.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
# What a subclass of NSObject is anyway, and what a Hashable type is.
OF_NSOBJECT = {"Equatable", "Hashable", "CustomStringConvertible", "CustomDebugStringConvertible", "NSObjectProtocol"}
TOP = "At the top"
# With either phrase, a documentation comment excludes its declaration from what a version promises.
EXCLUDED = re.compile("a minor version may |is a preview at Microsoft")


def constraints(listed, known=()):
    """` where T : Hashable` of an extension, without what holds for the type anyway."""
    signs = {"conformance": ":", "superclass": ":", "sameType": "=="}
    texts = {f"{one['lhs']} {signs[one['kind']]} {one['rhs']}" for one in listed or ()} - set(known)
    texts = {text for text in texts if text.rpartition(" : ")[2] not in IMPLIED}
    return " where " + ", ".join(sorted(texts)) if texts else ""


def attribute(item):
    """One entry of a symbol's availability, as Swift writes it."""
    def version(number):
        return ".".join(str(number[part]) for part in ("major", "minor", "patch") if part in number)

    parts = [item.get("domain", "*")]
    for name, unconditional in (("introduced", None), ("deprecated", "isUnconditionallyDeprecated"),
                                ("obsoleted", None), ("unavailable", "isUnconditionallyUnavailable")):
        if unconditional and item.get(unconditional):
            parts.append(name)
        elif name in item:
            parts.append(f"{name}: {version(item[name])}")
    parts += [f"{name}: {json.dumps(item[name], ensure_ascii=False)}" for name in ("renamed", "message") if name in item]
    return f"@available({', '.join(parts)})"


def declaration(symbol, parents):
    """A declaration in one line: availability, access where it is `open`, what the compiler prints, and whether it may change."""
    text = re.sub(r"\s+", " ", "".join(part["spelling"] for part in symbol["declarationFragments"])).strip()
    if parents:
        head, where, rest = text.partition(" where ")
        text = f"{head} : {', '.join(parents)}{where}{rest}"
    if symbol["accessLevel"] == "open":
        text = "open " + text
    comment = " ".join(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", ()))
    if EXCLUDED.search(comment):
        text += "  // may change"
    return " ".join([*sorted(map(attribute, symbol.get("availability", ()))), text])


def relations(graphs, symbols):
    """Who owns a member, which members a protocol requires, and what a type inherits from and conforms to."""
    owner, required = {}, set()
    superclasses, conformances = collections.defaultdict(list), collections.defaultdict(list)
    for relation in (relation for graph in graphs for relation in graph["relationships"]):
        source, target, kind = relation["source"], relation["target"], relation["kind"]
        # A foreign name comes with its module, which may change with the toolchain: Foundation, FoundationEssentials.
        name = relation.get("targetFallback", target).partition(".")[2]
        name = ".".join(symbols[target]["pathComponents"]) if target in symbols else name
        if kind in ("requirementOf", "optionalRequirementOf"):
            required.add(source)
        if kind in ("requirementOf", "optionalRequirementOf", "memberOf"):
            owner[source] = target
        elif kind == "inheritsFrom":
            superclasses[source].append((target, name))
        elif kind == "conformsTo" and name not in IMPLIED:
            conformances[source].append((name, relation.get("swiftConstraints")))
    return owner, required, superclasses, conformances


def headings(graphs):
    """A list of lines for each heading: a type with its members, or an extension."""
    symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
    owner, required, superclasses, conformances = relations(graphs, symbols)

    def kind(precise):
        return symbols[precise]["kind"]["identifier"].partition(".")[2] if precise in symbols else None

    def holds(precise):
        generics = symbols.get(precise, {}).get("swiftGenerics", {})
        return [constraints([one]).removeprefix(" where ") for one in generics.get("constraints", ())]

    def inherited(precise):
        """The conformances that a class has from the classes above it."""
        names = set()
        for target, name in superclasses.get(precise, ()):
            names |= {conformance for conformance, _ in conformances.get(target, ())} | inherited(target)
            names |= OF_NSOBJECT if name == "NSObject" else set()
        return names

    lines = collections.defaultdict(set)
    # A foreign type that the module extends is named by the extension's members: its own graph is not at hand.
    foreign = {owner[one]: ".".join(symbol["pathComponents"][:-1]) for one, symbol in symbols.items() if one in owner}
    for precise, symbol in symbols.items():
        path = symbol["pathComponents"]
        if kind(precise) in ("class", "struct", "enum", "protocol"):
            heading = ".".join(path)
        elif len(path) == 1:
            heading = TOP
        else:
            heading, extended = ".".join(path[:-1]), owner.get(precise)
            where = constraints(symbol.get("swiftExtension", {}).get("constraints"), holds(extended))
            is_default = kind(extended) == "protocol" and precise not in required
            heading = f"extension {heading}{where}" if where or is_default or extended not in symbols else heading
        lines[heading].add(declaration(symbol, sorted(name for _, name in superclasses.get(precise, ()))))
    for source, listed in conformances.items():
        # A protocol's own declaration names what it refines.
        if (source not in symbols and source not in foreign) or kind(source) == "protocol":
            continue
        heading = ".".join(symbols[source]["pathComponents"]) if source in symbols else f"extension {foreign[source]}"
        implied = inherited(source) | ({"Equatable"} if ("Hashable", None) in listed else set())
        lines[heading] |= {f"is {name}{constraints(where, holds(source))}" for name, where in listed if name not in implied}
    return lines


def text(module, graphs, compiler):
    """The text of a module: headings in order, below each its own declaration, what it is, and its members."""
    def place(heading):
        return heading != TOP, heading.removeprefix("extension "), heading

    def order(line, own):
        return re.search(own, line) is None, not line.startswith("is "), line

    result = [f"# The public declarations of {module}, as Swift {compiler} prints them. scripts/api writes this file;",
              "# docs/Versioning.md says what it is for.", ""]
    for heading, lines in sorted(headings(graphs).items(), key=lambda item: place(item[0])):
        own = rf"\b(?:class|struct|enum|protocol|actor) {re.escape(heading.rpartition('.')[2])}\b"
        result += [heading, *(f"    {line}" for line in sorted(lines, key=lambda line: order(line, own))), ""]
    return "\n".join(result)


def compiler(content):
    """The version of Swift that a text was written with; `None` for what is no such text."""
    found = re.match(r"# The public declarations of \w+, as Swift ([\d.]+) prints them", content)
    return found and found[1]


def parsed(content):
    """The declarations of a text, as pairs of a heading and a line."""
    found, heading = set(), None
    for line in content.splitlines():
        if line.startswith("    "):
            found.add((heading, line.strip()))
        elif line.strip() and not line.startswith("#"):
            heading = line
    return found


NAME = re.compile(r"\b(func|var|let|case|typealias|associatedtype|class|struct|enum|protocol|actor|init|subscript|is)\b"
                  r"[?!]?(?: ([^\s(<:]+))?")


def subject(pair):
    """What a declaration is about: the same for two that differ in their types, attributes or arguments only."""
    heading, line = pair
    found = NAME.search(re.sub(r"@\w+(\((?:\"(?:\\.|[^\"])*\"|[^()\"])*\))? ", "", line))
    return heading, found.group(2) or found.group(1) if found else line


def differences(before, after):
    """What a text adds, removes and alters, the last as pairs."""
    old, new = parsed(before), parsed(after)
    added, removed, altered = collections.defaultdict(list), [], []
    for pair in sorted(new - old):
        added[subject(pair)].append(pair)
    for pair in sorted(old - new):
        others = added.get(subject(pair))
        if others:
            altered.append((pair, others.pop(0)))
        else:
            removed.append(pair)
    return sorted(pair for pairs in added.values() for pair in pairs), removed, altered
