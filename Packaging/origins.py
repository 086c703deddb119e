# Licensed under the MIT License. See LICENSE.
"""Finds the origin of archives outside the packages: the Swift toolchain, or a Debian package."""
import json
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


class Unknown(Exception):
    """A part of a program without a known license."""


# The projects from which the toolchain's archives are built. The first matching pattern counts.
PROJECTS = [
    (r"lib(dispatch|swiftDispatch|BlocksRuntime)", "swift-corelibs-libdispatch"),
    (r"lib_FoundationICU", "swift-foundation-icu"),
    (r"lib_FoundationCollections", "swift-collections"),
    (r"lib(FoundationEssentials|FoundationInternationalization|_FoundationCShims)", "swift-foundation"),
    (r"lib(Foundation(XML|Networking)?|CoreFoundation|_CF\w+Interface)", "swift-corelibs-foundation"),
    (r"libswift(Core|Runtime|SwiftOnoneSupport|Synchronization|Glibc|Observation|RegexBuilder|Distributed)", "swift"),
    (r"libswift_(Builtin_float|Concurrency|Differentiation|RegexParser|StringProcessing|Volatile)", "swift"),
    (r"swiftrt", "swift"),
]


class Toolchain:
    """The projects inside the Swift toolchain. They are released together and have the toolchain's version."""

    def __init__(self, component):
        self.make = component
        described = json.loads(subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
        self.tag = described.get("swiftCompilerTag") or re.search(r"\((swift\S*)\)", described["compilerVersion"])[1]
        self.version = re.search(r"Swift version (\S+)", described["compilerVersion"])[1]
        self.folder = pathlib.Path(described["paths"]["runtimeResourcePath"]).resolve().parent
        self.licence = self.folder.parent / "share" / "swift" / "LICENSE.txt"

    def has(self, file):
        return pathlib.Path(file).resolve().is_relative_to(self.folder)

    def component(self, file):
        name = pathlib.Path(file).stem
        project = next((project for pattern, project in PROJECTS if re.fullmatch(pattern, name)), None)
        if not project:
            raise Unknown(f"{name}: a library of the Swift toolchain that is not listed in Packaging/origins.py")
        if not self.licence.exists():
            raise Unknown(f"{project}: the toolchain has no {self.licence}")
        owner = "apple" if project == "swift-collections" else "swiftlang"
        return self.make(project, self.version, f"pkg:github/{owner}/{project}@{self.tag}", "Apache-2.0 WITH Swift-exception",
                         [("LICENSE.txt of the toolchain", self.licence.read_text(encoding="utf-8"))],
                         f"https://github.com/{owner}/{project}", "" if project == "swift" else "swift")

    def icu(self):
        """ICU inside swift-foundation-icu. The toolchain does not include its license."""
        header = self.folder / "swift_static" / "_foundation_unicode" / "uvernum.h"
        version = re.search(r'#define U_ICU_VERSION "(.*)"', header.read_text(encoding="utf-8"))[1]
        return self.make("ICU", version, f"pkg:github/unicode-org/icu@release-{version.replace('.', '-')}", "Unicode-3.0",
                         [("licences/ICU.txt", (HERE / "licences" / "ICU.txt").read_text(encoding="utf-8"))],
                         "https://icu.unicode.org", "swift-foundation-icu")


# By source package: the license, and the texts that its copyright file refers to.
LICENCES = {
    "sqlite3": ("blessing", []),
    "zlib": ("Zlib", []),
    "glibc": ("LGPL-2.1-or-later", ["LGPL-2.1"]),
    "ca-certificates": ("MPL-2.0", ["MPL-2.0"]),
    "gcc": ("GPL-3.0-or-later WITH GCC-exception-3.1", ["GPL-3"]),
}
COMMON = pathlib.Path("/usr/share/common-licenses")


class Debian:
    """The packages of Debian, or of a derived system, that own a file."""

    def __init__(self, component):
        self.make = component
        release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
        self.system, self.number = release["ID"].strip('"'), release["VERSION_ID"].strip('"')

    @staticmethod
    def owner(file):
        path = str(pathlib.Path(file).resolve())
        for place in (path, path.removeprefix("/usr")):
            done = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout.splitlines()[0].split(": ")[0]
        raise Unknown(f"{file}: no package of this system contains it, so its license is unknown")

    def component(self, file):
        owner = self.owner(file)
        fields = "${Package}\n${Version}\n${Architecture}\n${source:Package}\n${source:Version}"
        name, version, architecture, source, source_version = subprocess.run(
            ["dpkg-query", "--show", f"--showformat={fields}", owner], check=True, capture_output=True,
            text=True).stdout.split("\n")
        copyright_file = pathlib.Path("/usr/share/doc") / name / "copyright"
        licence, common = LICENCES.get(re.sub(r"-\d+$", "", source), (None, []))
        if licence is None:
            raise Unknown(f"{name}: a package that is not listed in Packaging/origins.py")
        texts = [copyright_file, *(COMMON / text for text in common)]
        if missing := [text for text in texts if not text.exists()]:
            raise Unknown(f"{name}: {missing[0]} is missing")
        purl = f"pkg:deb/{self.system}/{name}@{version}?arch={architecture}&distro={self.system}-{self.number}"
        return self.make(name, source_version, purl, licence,
                         [(str(text), text.read_text(encoding="utf-8")) for text in texts])
