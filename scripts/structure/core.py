# Licensed under the MIT License. See LICENSE.
"""MSALCore and MSALServer bring along neither a store nor a desktop.

IssuerProbe and ServiceProbe, which depend on one of them alone, are planned, linked and loaded without MSAL, SealedStore, GRDB,
SQLite and DBus. It reads what `swift build` has made: seconds, and no second build.
"""
import re
import subprocess

from .index import stop

PROGRAMS = {"IssuerProbe": "MSALCore", "ServiceProbe": "MSALServer"}
UNWANTED = {"MSAL", "SealedStore", "GRDB", "GRDBSQLite", "GRDBSQLCipher", "DBus"}
# Symbols of C libraries, and Swift's, which begin with the length of the module's name and the name.
SYMBOLS = re.compile(r"^(\$s(4MSAL|11SealedStore|4GRDB|10GRDBSQLite|4DBus)|sqlite3_|dbus_)")


def check(house):
    return [problem for program in house.programs for problem in judge(house.build, program, PROGRAMS[program])]


def judge(build, program, library):
    """What a program needs that stands on one library."""
    if not (build / program).exists():
        stop(f"{program} is not built: run  swift build  first.")
    planned, linked = modules(planned_inputs(build, program)), modules(linked_objects(build, program))
    if library not in planned:
        stop(f"The build plan has no link command of {program} with {library} in it.")
    for title, found in (("In the build plan of", planned & UNWANTED), ("Linked into", linked & UNWANTED),
                         ("Loaded by", loaded(build / program)), ("Symbols in", symbols(build / program))):
        if found:
            yield f"{title} {program}: {', '.join(sorted(found)[:5])}"
    print(f"{program} links {len(linked)} modules: {' '.join(sorted(linked))}")


def modules(objects):
    return set(re.findall(r"/([^/]+)\.build/", objects))


def planned_inputs(build, program):
    """The inputs of the program's link command in SwiftPM's plan."""
    plan = build.with_name(build.name + ".yaml").read_text(encoding="utf-8")
    found = re.search(rf'^  "C\.{program}-[^"]*\.exe":$(.*?)^  "', plan, re.MULTILINE | re.DOTALL)
    return re.search(r"^    inputs: (.*)$", found[1], re.MULTILINE)[1] if found else ""


def linked_objects(build, program):
    return (build / f"{program}.product" / "Objects.LinkFileList").read_text(encoding="utf-8")


def loaded(program):
    lines = subprocess.check_output(["ldd", str(program)], text=True).splitlines()
    return {line.split()[0] for line in lines if re.search("sqlite|grdb|dbus", line, re.IGNORECASE)}


def symbols(program):
    lines = subprocess.check_output(["nm", str(program)], text=True).splitlines()
    return {name for name in (line.split()[-1] for line in lines) if SYMBOLS.match(name)}
