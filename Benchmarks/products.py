# Licensed under the MIT License. See LICENSE.
"""Builds the programs that are measured."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
SCRATCH = ROOT / ".build-benchmarks"
# The modules that MSAL Go is built from on Linux, by the names of their repositories.
GO_MODULES = {
    "microsoft-authentication-library-for-go": "github.com/AzureAD/microsoft-authentication-library-for-go",
    "jwt": "github.com/golang-jwt/jwt/v5", "uuid": "github.com/google/uuid", "godebug": "github.com/kylelemons/godebug",
    "browser": "github.com/pkg/browser", "sync": "golang.org/x/sync",
}


class NotMeasured(Exception):
    """Why a program cannot be measured on this machine."""


def build(*arguments, package=ROOT, environment=None):
    """Builds in release mode, and returns the folder with the programs."""
    # Two packages share the folder, so a cached manifest may be the other one's.
    command = ["swift", "build", "-c", "release", "--package-path", str(package), "--scratch-path", str(SCRATCH),
               "--disable-build-manifest-caching"]
    # With a random seed, SwiftPM's plan lists traits in random order, and each new plan would compile everything.
    environment = {**(environment or os.environ), "SWIFT_DETERMINISTIC_HASHING": "1"}
    subprocess.run([*command, *arguments], check=True, stdout=sys.stderr, env=environment)
    return SCRATCH / "release"


def product(name):
    """A program of the library's own package."""
    return build("--product", name) / name


def driver(environment=None):
    return build(package=ROOT / "Benchmarks", environment=environment) / "Benchmarks"


def static_msal():
    folder = ".build-benchmarks-static"
    subprocess.run([str(ROOT / "scripts" / "static"), folder], check=True, stdout=sys.stderr)
    return ROOT / folder / "release" / "msal"


def empty_program(folder):
    """The lower bound for every statically linked Swift program."""
    source = folder / "empty.swift"
    source.write_text("")
    # The driver exports all symbols of a program, although no library loads symbols from it.
    flags = ("-Xlinker", "--no-export-dynamic")
    subprocess.run(["swiftc", "-O", "-static-stdlib", *flags, str(source), "-o", str(folder / "empty")], check=True)
    return folder / "empty"


def python():
    """The interpreter that has MSAL Python."""
    if not PYTHON.exists():
        raise NotMeasured("run scripts/test --ci once, which installs it into .venv.")
    return str(PYTHON)


@functools.cache
def msal_go():
    """Builds the program that measures MSAL Go, without a network."""
    if not shutil.which("go"):
        raise NotMeasured("Go is not installed (apt-get install golang-go).")
    source, program = ROOT / "Benchmarks" / "msal_go", SCRATCH / "msal_go"
    # A copy of go.mod, so that this machine's replacements and checksums do not end up in the checkout.
    module = (source / "go.mod").read_text()
    if checkouts := os.environ.get("MSAL_GO_SOURCES"):
        for name, path in GO_MODULES.items():
            checkout = pathlib.Path(checkouts).resolve() / name
            if not checkout.is_dir():
                raise NotMeasured(f"MSAL_GO_SOURCES has no folder {name} ({path}).")
            module += f"replace {path} => {checkout}\n"
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOSUMDB": "off", "GOTOOLCHAIN": "local",
                   "GOCACHE": str(SCRATCH / "go")}
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "go.mod"
        copy.write_text(module)
        built = subprocess.run(["go", "build", "-modfile", str(copy), "-o", str(program), "."], cwd=source, env=environment,
                               capture_output=True, text=True)
    if built.returncode:
        raise NotMeasured("run `go mod download` in Benchmarks/msal_go once, or set MSAL_GO_SOURCES to a folder with "
                          f"checkouts of {', '.join(GO_MODULES)}. The Go compiler reports:\n{built.stderr.strip()}")
    return str(program)


def libraries(folder, most):
    """Measures MSAL Python and MSAL Go. Returns the options of Benchmarks that show their figures."""
    options = []
    for name, command in (("MSAL Python", lambda: [python(), str(ROOT / "Benchmarks" / "msal_python.py")]),
                          ("MSAL Go", lambda: [msal_go()])):
        figures = folder / f"{name}.json"
        try:
            subprocess.run([*command(), str(figures), "--most", str(most)], check=True)
            options += ["--peer", str(figures)]
        except NotMeasured as reason:
            print(f"{name} is not measured: {reason}")
    return options


def token_checks(group):
    """Full checks of one access token by PyJWT and golang-jwt: the signature, the times, the issuer, and the audience."""
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder) / "token.json"
        # The first one writes the token for the second.
        for library, command in (("PyJWT", lambda: [python(), str(ROOT / "Benchmarks" / "token_checks.py"), str(token)]),
                                 ("golang-jwt", lambda: [msal_go(), "check", str(token)])):
            try:
                output = subprocess.run(command(), check=True, capture_output=True, text=True).stdout
            except NotMeasured as reason:
                print(f"  {library} is not measured: {reason}")
                return
            report = json.loads(output)
            times = report["microseconds"]
            group.row(library, times, "microseconds", remark=f"version {report['version']}")
            group.row(f"{library}, per second and core", [1e6 / time for time in times], "ratio")
