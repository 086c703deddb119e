# Licensed under the MIT License. See LICENSE.
"""The package: the declarations of Package.swift, the source files, and the references between them."""
import collections
import functools
import json
import pathlib
import subprocess

from .index import DEFINITION, REFERENCE, Index, stop

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def reasons(name):
    """The exceptions of a check, each with its reason, separated by two spaces."""
    lines = (ROOT / "scripts" / "structure" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("  ", 1) for line in lines if line and not line.startswith("#"))


class Package:
    """Everything is read at most once, and only if a check needs it."""

    def __init__(self, store, prefix):
        self.store, self.prefix = store, prefix

    @functools.cached_property
    def text(self):
        """The text of the manifest."""
        return (ROOT / "Package.swift").read_text(encoding="utf-8")

    @functools.cached_property
    def manifest(self):
        return json.loads(subprocess.check_output(["swift", "package", "--package-path", str(ROOT), "dump-package"]))

    @functools.cached_property
    def targets(self):
        return {target["name"]: target for target in self.manifest["targets"]}

    @functools.cached_property
    def folders(self):
        """The folder of each target with sources."""
        folders = {name: target.get("path") or f"Sources/{name}" for name, target in self.targets.items()
                   if target["type"] in ("regular", "executable")}
        return {name: folder for name, folder in folders.items() if folder.startswith("Sources/")}

    def needs(self, target):
        """The names of the targets and products that a target declares; products of other packages are not included."""
        dependencies = self.targets[target]["dependencies"] if target in self.targets else []
        return {(one.get("byName") or one.get("target") or one.get("product"))[0] for one in dependencies}

    @functools.cached_property
    def files(self):
        """Each source file, and its target."""
        files = {}
        for name, folder in self.folders.items():
            # The steps of a tutorial are in the catalog of its library, but do not belong to the library.
            sources = (path for path in (ROOT / folder).rglob("*.swift")
                       if not any(part.endswith(".docc") for part in path.parts))
            files |= {path.relative_to(ROOT).as_posix(): name for path in sorted(sources)}
        return files

    @functools.cached_property
    def symbols(self):
        """The symbols in the index for each file of Sources and Tests."""
        if not self.store.is_dir():
            stop(f"There is no index in {self.store}: run  swift build --build-tests  first.")
        index = Index(self.store)
        symbols, times = {}, {}
        for path, (time, record) in index.records().items():
            file = path.removeprefix(f"{self.prefix}/")
            if record and file.startswith(("Sources/", "Tests/")) and (ROOT / file).exists():
                symbols[file], times[file] = index.symbols(record), time
        missing = [file for file in self.files if file not in symbols]
        if missing:
            stop(f"{len(missing)} files are not in the index, such as {missing[0]}: run  swift build --build-tests  first.")
        changed = [file for file in self.files if (ROOT / file).stat().st_mtime > times[file]]
        if changed and self.prefix == str(ROOT):
            print(f"{len(changed)} files have changed since the last build, such as {changed[0]}")
        return symbols

    @functools.cached_property
    def definitions(self):
        """The file in which each symbol of Sources is defined, and the symbol."""
        defined = {}
        for file in self.files:
            for symbol in self.symbols[file]:
                if symbol.roles & DEFINITION:
                    defined.setdefault(symbol.usr, (file, symbol))
        return defined

    @functools.cached_property
    def users(self):
        """The files that refer to each symbol."""
        users = collections.defaultdict(set)
        for file, symbols in self.symbols.items():
            for symbol in symbols:
                if symbol.roles & REFERENCE:
                    users[symbol.usr].add(file)
        return users

    @functools.cached_property
    def arrows(self):
        """The references between source files, with the names that each consists of."""
        arrows = collections.defaultdict(set)
        for usr, (target, symbol) in self.definitions.items():
            for file in self.users[usr]:
                if file != target and file in self.files:
                    arrows[(file, target)].add(symbol.name)
        return arrows

    def inside(self, target):
        """The path of each file inside its target, as folders and name."""
        start = len(self.folders[target]) + 1
        return {file: tuple(file[start:].split("/")) for file, owner in self.files.items() if owner == target}
