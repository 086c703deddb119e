# Licensed under the MIT License. See LICENSE.
"""MSALCore and MSALServer depend on no store and no desktop, directly or through another target.

Reads `swift package dump-package`, so it needs no build. scripts/check-standalone examines a linked program.
"""

LIBRARIES = ("MSALCore", "MSALServer")
UNWANTED = {"MSAL", "SealedStore", "DBus", "GRDB", "GRDBSQLite", "GRDBSQLCipher"}


def check(package):
    problems = [f"Package.swift has no target {library}" for library in LIBRARIES if library not in package.targets]
    for library in set(LIBRARIES) & set(package.targets):
        routes = reached(package, library)
        problems += [f"{library} depends on {name}: {' -> '.join(routes[name])}" for name in sorted(UNWANTED & set(routes))]
        print(f"{library} depends on {len(routes)} targets and products")
    return problems


def reached(package, start):
    """Each target and product that a target depends on, with the path to it."""
    routes, waiting = {}, [(start,)]
    for route in waiting:
        for name in sorted(package.needs(route[-1]) - set(routes)):
            routes[name] = (*route, name)
            waiting.append(routes[name])
    return routes
