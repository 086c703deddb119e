# Licensed under the MIT License. See LICENSE.
"""Determines the components of a program: the packages, and the toolchain's and the system's libraries, from which the linker used
something. It reads the linker's map, so that no unused package is listed and no library is missed."""
import dataclasses
import json
import pathlib
import re
import subprocess
from concurrent import futures

from origins import Debian, Toolchain, Unknown
from vendored import VENDORED, header_texts, is_own

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


@dataclasses.dataclass
class Component:
    """A third-party component with a version and a license of its own."""

    name: str
    version: str
    purl: str
    licence: str  # An SPDX expression.
    texts: list  # Pairs of a title and a text.
    origin: str = ""  # An address for people.
    parent: str = ""  # The name of the component that contains this one.
    programs: set = dataclasses.field(default_factory=set)


def output(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=ROOT).stdout


# A line of lld's map: address, address, size, alignment, an object or a member of an archive, and its section.
LINE = re.compile(r"^ *[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) +\d+ +(/\S+?)(?:\(([^()]+)\))?:\(")


def linked(map_file):
    """The modules of packages, and the archives and objects outside the build folder, that are in a program."""
    modules, files = set(), set()
    with open(map_file, encoding="utf-8", errors="replace") as lines:
        for found in filter(None, map(LINE.match, lines)):
            size, path, member = found.groups()
            if int(size, 16) == 0:
                continue
            module = None if member else re.search(r"/([^/]+)\.build/", path)
            if module:
                modules.add(module[1])
            else:
                files.add(path)
    if not modules or not files:
        raise SystemExit(f"{map_file} is not a map of lld. Link with -use-ld=lld -Xlinker -Map=…")
    return modules, files


class Packages:
    """The packages of a build, from SwiftPM's description."""

    def __init__(self, scratch):
        text = output("swift", "package", "--scratch-path", scratch, "show-dependencies", "--format", "json")
        tree = json.loads(text[text.index("{"):])
        self.named, self.needs = {}, {}
        self.root = tree["identity"]
        self.collect(tree)
        with futures.ThreadPoolExecutor() as pool:
            described = list(pool.map(self.describe, (package["path"] for package in self.named.values())))
        self.owners = {target["name"]: identity for identity, manifest in zip(self.named, described)
                       for target in manifest["targets"] if target["type"] != "test"}

    def collect(self, node):
        if node["identity"] in self.named:
            return
        self.named[node["identity"]] = node
        self.needs[node["identity"]] = sorted(child["identity"] for child in node["dependencies"])
        for child in node["dependencies"]:
            self.collect(child)

    @staticmethod
    def describe(path):
        text = output("swift", "package", "--package-path", path, "dump-package")
        return json.loads(text[text.index("{"):])

    def component(self, identity):
        node = self.named[identity]
        path, address = pathlib.Path(node["path"]), node["url"].removesuffix(".git")
        host, owner, name = re.fullmatch(r"https://([^/]+)/([^/]+)/([^/]+)", address).groups()
        texts = [(file.name, file.read_text(encoding="utf-8")) for file in sorted(path.iterdir())
                 if re.match(r"(?i)(licen[sc]e|notice|copying)(\.(txt|md))?$", file.name)]
        return Component(node["name"], node["version"], f"pkg:swift/{host}/{owner}/{name}@{node['version']}",
                         licence_of(texts, node["name"]), texts, address)

    def sources(self, module):
        """The folder with the sources of a module of a package."""
        package = pathlib.Path(self.named[self.owners[module]]["path"])
        return package / "Sources" / module


def licence_of(texts, name):
    """The SPDX expression for a package's license texts."""
    for title, text in texts:
        plain = " ".join(text.split())
        if re.match(r"(?i)licen[sc]e|copying", title):
            if "Apache License" in plain and "Version 2.0" in plain:
                return "Apache-2.0" + (" WITH Swift-exception" if "Runtime Library Exception" in plain else "")
            if "Permission is hereby granted, free of charge" in plain and "AS IS" in plain:
                return "MIT"
    raise Unknown(f"{name}: no license that this program recognizes was found in its folder")


def components(scratch, maps):
    """All components of the programs, given the programs' names and maps; and the packages' own dependencies."""
    packages, toolchain, debian = Packages(scratch), Toolchain(Component), Debian(Component)
    found, problems = {}, []

    def add(program, make, *arguments):
        try:
            component = make(*arguments)
        except Unknown as problem:
            problems.append(str(problem))
            return
        if component:
            found.setdefault((component.name, component.parent), component).programs.add(program)

    def vendored(module):
        if module not in VENDORED:
            notices = "".join(text for _, text in packages.component(packages.owners[module]).texts)
            return None if is_own(packages.sources(module), notices) else unknown(module)
        part, folder = VENDORED[module], packages.sources(module)
        texts = [(file.name, file.read_text()) for file in sorted(folder.glob("LICENSE*"))]
        texts += [(f"licences/{name}", (HERE / "licences" / name).read_text()) for name in part.texts]
        texts += header_texts(folder)
        if not texts:
            raise Unknown(f"{part.name}: no license was found in {folder.name}")
        version = part.version(folder)
        return Component(part.name, version, part.purl(version), part.licence, texts, part.origin,
                         packages.named[packages.owners[module]]["name"])

    def unknown(module):
        raise Unknown(f"{module}: third-party C sources that are not listed in Packaging/vendored.py")

    for program, map_file in maps.items():
        modules, files = linked(map_file)
        for module in sorted(modules):
            if module not in packages.owners:
                problems.append(f"{module}: no package has a target with this name")
            elif packages.owners[module] != packages.root:
                add(program, packages.component, packages.owners[module])
                add(program, vendored, module)
        for file in sorted(files):
            if (HERE / f"{pathlib.Path(file).stem}.c").exists():  # scripts/static compiles it, so it belongs to this project.
                continue
            add(program, toolchain.component if toolchain.has(file) else debian.component, file)
        if any(component.name == "swift-foundation-icu" for component in found.values() if program in component.programs):
            add(program, toolchain.icu)
    if problems:
        raise SystemExit("\n".join(["Components of the programs without a license:", *sorted(set(problems))]))
    return sorted(found.values(), key=lambda one: (one.name.lower(), one.parent)), packages
