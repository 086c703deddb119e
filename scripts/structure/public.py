# Licensed under the MIT License. See LICENSE.
"""The command uses only the library's public API, as an app does.

It type-checks MSALCLI as part of another package, which cannot use the library's `package` declarations. It reads the modules
that `swift build` has built, so it takes seconds and builds nothing.
"""
import re
import subprocess

from .package import ROOT
from .index import stop


def module_flags():
    """Flags that let swiftc see the modules, and the maps of C modules that SwiftPM generated or packages ship."""
    shell = 'set -e; . scripts/lib.sh; load_module_flags; printf "%s\\n" "${module_flags[@]}"'
    done = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else stop(done.stderr.strip())


def check(package):
    features = re.findall(r'enableUpcomingFeature\("(\w+)"\)', package.text)
    sources = [file for file, target in package.files.items() if target == "MSALCLI"]
    command = ["swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", *module_flags(), "-package-name",
               "another_package", "-module-name", "MSALCLI", *sources]
    for feature in features:
        command += ["-enable-upcoming-feature", feature]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{len(sources)} files of MSALCLI are compiled outside the package")
    if done.returncode == 0:
        return []
    errors = sorted(set(re.findall(r"^\S+: error: .*", done.stdout, re.MULTILINE)))
    return ["MSALCLI does not compile outside the package: it must use only the public API."] + (errors or [done.stdout])
