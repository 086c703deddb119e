# Licensed under the MIT License. See LICENSE.
"""References point down: between targets, between the folders of a target, and between folders inside folders.

It fails
  - on a reference between targets that Package.swift does not declare,
  - on a target of the emulator that needs one of the client, and vice versa; both may need those of `SHARED`, which contain
    nothing about identity and need neither side,
  - on a target that both sides need and that is not in `SHARED`,
  - on a reference from a folder to one above it, in the order of `LAYERS`,
  - on an extension of a flow outside the files named after it, because a flow is passed everything that it needs,
  - on folders that refer to each other in a circle, at any depth. A folder's own files count as one of its folders.
    Only `API` may: its public types name each other by Microsoft's design.
A reference to something whose type is only inferred is not detected.
"""
import collections
import pathlib

# The folders of each target, and of some folders inside a target, the lowest first. A folder may only use those before it.
# Files outside all folders are above them.
LAYERS = {
    "SealedStore": ["Files", "Format", "Keys", "Store", "Maintenance"],
    "MSALCore": ["HTTP", "OAuth", "Authority", "Exchange"],
    "MSAL": ["Platform", "Cache", "Results", "Memory", "Flows", "NativeAuth", "API"],
    "MSALServer": [
        "Errors", "Observation", "Tokens", "Environment", "Cache", "Certificates", "ManagedIdentity",
        "ClientAuthentication", "ConfidentialClient", "TokenValidation", "Users", "Agents", "WebSessions", "Downstream", "CommandLines",
        "Credentials",
    ],
    "MSALCLI": [
        "Process", "Output", "QR", "Settings", "Remedies", "Graph", "Services", "Redirect", "Prompts", "Cache", "Accounts",
        "Native", "SignIn", "Helpers", "Commands",
    ],
    "EntraEmulator": [
        "Support", "Errors", "Directory", "Seed", "TLS", "HTTP", "Store", "Tokens", "Federation", "Credentials", "Policies",
        "Grants", "SignIn", "NativeAuth", "NamedResponses", "ManagedIdentity", "Graph", "Endpoints", "Control",
    ],
}
FREE_OF_ORDER = {"API"}
# If both sides share protocol code, they share its misunderstandings: docs/reference/Decisions.md#emulator-apart.
CLIENT = {"MSAL", "MSALCLI", "MSALCore", "MSALHummingbird", "MSALServer", "MSALStoreConformance", "MSALTesting", "SealedStore"}
SHARED = {"CommandOutput", "DBus", "HTTPGuards", "MSALBase", "UserFiles"}
# The maximum number of files that may refer to each other in a circle.
LARGEST_CYCLE = 11
EMULATOR = {"EntraEmulator", "EntraEmulatorBroker", "EntraEmulatorCLI", "EntraEmulatorTesting"}
# IndexStore's symbol kinds: enum, struct, class, protocol; extension.
TYPES, EXTENSION = {5, 6, 7, 8}, 9


def cycles(graph):
    """The strongly connected parts with more than one member, the largest first (Tarjan, without recursion)."""
    order, low, stack, on_stack, parts = {}, {}, [], set(), []
    for root in graph:
        if root in order:
            continue
        work = [(root, iter(graph[root]))]
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in order:
                    order[other] = low[other] = len(order)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(graph.get(other, ()))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    part = []
                    while True:
                        part.append(stack.pop())
                        on_stack.discard(part[-1])
                        if part[-1] == node:
                            break
                    if len(part) > 1:
                        parts.append(sorted(part))
    return sorted(parts, key=len, reverse=True)


def check(package):
    problems, largest, in_circles = [*between_targets(package), *between_sides(package), *strangers(package)], [], 0
    for target in package.folders:
        problems += out_of_order(package, target)
        for line, members in circles(package, target):
            problems.append(line)
            in_circles += members
        parts = file_cycles(package, target)
        if parts and len(parts[0]) > len(largest):
            largest = parts[0]
    names = ", ".join(pathlib.Path(file).stem for file in largest)
    print(f"{len(package.files)} files, {len(package.arrows)} arrows; {in_circles} folders are in a circle; "
          f"the largest cycle has {len(largest)} files: {names}")
    if len(largest) > LARGEST_CYCLE:
        problems.append(f"{len(largest)} files refer to each other in a circle, more than {LARGEST_CYCLE}: {names}")
    return problems


def shown(package, arrow):
    """The names in a reference, types first."""
    return ", ".join(sorted(package.arrows[arrow], key=lambda name: (not name[:1].isupper(), len(name), name))[:3])


def between_targets(package):
    for source, target in sorted(package.arrows):
        here, there = package.files[source], package.files[target]
        if here != there and there not in package.needs(here):
            yield f"{here} does not declare that it needs {there}: {source} -> {target} ({shown(package, (source, target))})"


def between_sides(package):
    for side, others in ((CLIENT, EMULATOR), (EMULATOR, CLIENT), (SHARED, CLIENT | EMULATOR)):
        for target in sorted(side):
            for need in sorted(package.needs(target) & others):
                yield f"{target} needs {need}: the client and the emulator have {', '.join(sorted(SHARED))} in common and nothing else"
    both = set.intersection(*({need for target in side for need in package.needs(target)} for side in (CLIENT, EMULATOR)))
    for need in sorted((both & set(package.targets)) - SHARED - CLIENT - EMULATOR):
        yield f"The client and the emulator both need {need}, which is not in SHARED of scripts/structure/layers.py"


def out_of_order(package, target):
    """The references that point up in the declared order of a target's folders, and errors in that order."""
    for level, layers in LAYERS.items():
        if level.split("/")[0] != target:
            continue
        folders = folders_below(package, level)
        present, rank = set(folders.values()), {name: position for position, name in enumerate(layers)}
        if set(layers) != present:
            yield f"{level}: LAYERS in scripts/structure/layers.py lists {', '.join(layers)}; its folders are {', '.join(sorted(present))}"
        for source, other in sorted(package.arrows):
            if source in folders and other in folders:
                below, above = folders[source], folders[other]
                if rank.get(above, -1) > rank.get(below, len(rank)):
                    yield f"{level}: {below} refers to {above}: {source} -> {other} ({shown(package, (source, other))})"


def folders_below(package, level):
    """The folder directly below `level`, such as `MSAL/Flows`, of each file. Files directly in `level` are not included."""
    target, *inner = level.split("/")
    return {file: place[len(inner)] for file, place in package.inside(target).items()
            if place[:len(inner)] == tuple(inner) and len(place) > len(inner) + 1}


def strangers(package):
    """The extensions of a flow's type in a file that is not named after it."""
    flows = {file: place[-1] for file, place in package.inside("MSAL").items() if place[0] == "Flows"}
    types = {symbol.name for file, symbol in package.definitions.values()
             if file in flows and symbol.kind in TYPES and symbol.name.endswith("Flow")}
    for file, name in sorted(flows.items()):
        for symbol in package.symbols[file]:
            if symbol.kind == EXTENSION and symbol.name in types and not name.startswith(symbol.name):
                yield f"{file} extends {symbol.name}: one flow extends another"


def circles(package, target):
    """A description of each circle of the folders inside one folder, with the number of its folders; `.` is the folder's own files."""
    places = package.inside(target)
    levels = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for source, other in package.arrows:
        if source not in places or other not in places:
            continue
        here, there = places[source], places[other]
        depth = next(i for i in range(len(here)) if here[:i + 1] != there[:i + 1])
        child = [place[depth] if len(place) > depth + 1 else "." for place in (here, there)]
        if child[0] != child[1]:
            levels[here[:depth]][child[0]][child[1]].append((source, other))
    for level, graph in sorted(levels.items()):
        if level[:1] and level[0] in FREE_OF_ORDER:
            continue
        for cycle in cycles(graph):
            lines = [f"{'/'.join((package.folders[target], *level))}: {', '.join(cycle)} refer to each other in a circle"]
            for source in cycle:
                for other in sorted(set(graph[source]) & set(cycle)):
                    arrows = graph[source][other]
                    one = min(arrows)
                    lines.append(f"    {source} -> {other}: {len(arrows)} arrows, such as {one[0]} -> {one[1]} ({shown(package, one)})")
            yield "\n".join(lines), len(cycle)


def file_cycles(package, target):
    places = package.inside(target)
    graph = collections.defaultdict(list)
    for source, other in package.arrows:
        if source in places and other in places:
            graph[source].append(other)
    return cycles(graph)
