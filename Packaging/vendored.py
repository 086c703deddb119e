# Licensed under the MIT License. See LICENSE.
"""Third-party sources inside packages: their names, their versions, and the locations of their licenses."""
import dataclasses
import pathlib
import re

# SwiftNIO, SwiftCrypto and similar packages have this text at the top of their own files, in C too.
OWN = re.compile(r"This source file is part of the \w[\w .-]* open source project|[Pp]art of the Swift\.org open source project"
                 r"|part of the Swift \w[\w .-]* open source project")
SOURCES = {".c", ".cc", ".cpp", ".h", ".S", ".inc"}
LICENCE = re.compile(r"(?i)licen[sc]|permission is|redistribution|public domain|rights for|waived all copyright")


@dataclasses.dataclass
class Part:
    name: str
    licence: str
    origin: str
    file: str  # A file in the module's folder that contains the version.
    pattern: str
    purl_form: str
    texts: tuple = ()  # Files in licences/, if the sources have no license.

    def version(self, folder):
        return ".".join(re.findall(self.pattern, (folder / self.file).read_text())) if self.file else ""

    def purl(self, version):
        return self.purl_form.format(version)


def boring(name):
    return Part(name, "Apache-2.0", "https://boringssl.googlesource.com/boringssl", "hash.txt", r"revision ([0-9a-f]{40})",
                "pkg:generic/boringssl@{0}?vcs_url=git%2Bhttps://boringssl.googlesource.com/boringssl%40{0}")


VENDORED = {
    "CCryptoBoringSSL": boring("BoringSSL"),
    "CNIOBoringSSL": boring("BoringSSL"),
    "CNIOLLHTTP": Part("llhttp", "MIT", "https://github.com/nodejs/llhttp", "include/c_nio_llhttp.h",
                       r"LLHTTP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", "pkg:github/nodejs/llhttp@v{0}"),
    "CNIOExtrasZlib": Part("zlib", "Zlib", "https://zlib.net", "include/nioextras-zlib.h", r"version ([\d.]+), ",
                           "pkg:github/madler/zlib@v{0}"),
    "CXKCP": Part("XKCP", "CC0-1.0", "https://github.com/XKCP/XKCP", "vendored-sources.txt", r"-g([0-9a-f]+)\)",
                  "pkg:github/XKCP/XKCP@{0}"),
    # Its sources do not contain their version.
    "CYaml": Part("libyaml", "MIT", "https://github.com/yaml/libyaml", "", "", "pkg:github/yaml/libyaml", ("libyaml.txt",)),
}


def files(folder):
    return sorted(file for file in folder.rglob("*") if file.suffix in SOURCES)


def comments(file):
    """The comments of a file without comment markers."""
    text = file.read_text(encoding="utf-8", errors="replace")
    for comment in re.findall(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", text, re.S | re.M):
        yield re.sub(r"(?m)^[ \t]*(?:/\*+|\*+/|\*(?!/)|//+)?[ \t]?|[ \t]*\*+/[ \t]*$|[ \t]+$", "", comment).strip("\n")


def is_own(folder: pathlib.Path, notices):
    """Whether each file of a C module has the license of the package, or is named in its notices."""
    return not any(LICENCE.search(comment) and not OWN.search(comment) and "Apache License" not in comment
                   for file in files(folder) if file.name not in notices for comment in comments(file))


def header_texts(folder):
    """The licenses at the top of the source files, each once, and the names of the copyright holders."""
    holders, texts = set(), {}
    for file in files(folder):
        for comment in comments(file):
            if OWN.search(comment) or not LICENCE.search(comment):
                continue
            lines = comment.splitlines()
            held = [line.strip() for line in lines if re.match(r"\s*Copyright|\s*\(c\)", line)]
            holders.update(held)
            kept = "\n".join(line for line in lines if line.strip() not in held).strip()
            apache = re.search(r"Licensed under the Apache License, Version 2\.0.*?limitations under the License\.", kept, re.S)
            text = apache[0] if apache else kept
            texts.setdefault(" ".join(text.split()), (file.name, text))
    shown = [(f"at the top of {name} and others", text) for name, text in texts.values()]
    return ([("copyright lines of the sources", "\n".join(sorted(holders)))] if holders else []) + shown
