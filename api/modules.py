# Licensed under the MIT License. See LICENSE.
"""What the compiler's tools say of a module that is built: its symbol graph, and the dump of the SDK digester."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def products(folder=ROOT):
    """The library products of the package in a folder. Each is one module of the same name."""
    manifest = (folder / "Package.swift").read_text(encoding="utf-8")
    return re.findall(r'\.library\(name: "(\w+)"', manifest)


def version(folder=ROOT):
    """The version that the package in a folder calls itself."""
    source = (folder / "Sources" / "MSALBase" / "LibraryVersion.swift").read_text(encoding="utf-8")
    return re.search(r'text = "([^"]+)"', source)[1]


def compiler():
    """The version of Swift, without its patches: another one may print declarations in another way."""
    said = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"Swift version (\d+\.\d+)", said)[1]


def flags(folder=ROOT):
    """Flags that let the tools see what `swift build` made in a folder.

    C targets need their module maps: those SwiftPM generated, and those that packages ship in their checkouts.
    """
    scratch = pathlib.Path(folder == ROOT and os.environ.get("MSAL_BUILD_FOLDER") or folder / ".build")
    build = scratch / "debug"
    if not (build / "Modules").is_dir():
        raise SystemExit("Nothing is built. Run: swift build")
    found = ["-I", build / "Modules", "-module-cache-path", folder / ".build" / "module-cache-scripts"]
    maps = [*build.resolve().glob("*/module.modulemap"), *build.resolve().glob("module.modulemap")]
    checkouts = scratch / "checkouts"
    maps += [path for path in checkouts.rglob("module.modulemap") if "Sources" in path.parts]
    for path in maps:
        found += ["-Xcc", f"-fmodule-map-file={path}"]
    return [str(flag) for flag in found]


def run(tool, module, arguments):
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
    done = subprocess.run([*tool, "-target", target, *arguments], capture_output=True, text=True)
    # The digester ends with 0 even if it could not load the module.
    if done.returncode or "Failed to load module" in done.stdout + done.stderr:
        raise SystemExit(f"{tool[0]} cannot read the module {module}; build first.\n{done.stderr[:1000]}")


def symbol_graphs(module, module_flags):
    """The graphs of a module's public symbols: its own, and one for each module that it extends."""
    with tempfile.TemporaryDirectory() as output:
        tool = ["swift-symbolgraph-extract", "-module-name", module, "-output-dir", output]
        run([*tool, "-minimum-access-level", "public", "-skip-synthesized-members"], module, module_flags)
        paths = sorted(pathlib.Path(output).glob("*.symbols.json"))
        return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def digest(module, module_flags):
    """What the SDK digester knows of a module, without what is only for the package itself."""
    with tempfile.TemporaryDirectory() as output:
        path = pathlib.Path(output) / "module.json"
        tool = ["swift-api-digester", "-dump-sdk", "-module", module, "-avoid-location", "-avoid-tool-args"]
        run([*tool, "-o", str(path)], module, module_flags)
        dump = json.loads(path.read_text(encoding="utf-8"))

    def public(node):
        children = [public(child) for child in node.get("children", ()) if not child.get("isInternal")]
        return {**node, "children": children} if "children" in node else node

    return {**dump, "ABIRoot": public(dump["ABIRoot"])}
