# Licensed under the MIT License. See LICENSE.
"""The targets for services are written for macOS too, as far as that can be checked on Linux.

It reads the sources of every target except those that Package.swift names in `onlyForLinux`, and fails
- on an import of a C library, or a use of something that systems spell differently or that only Linux has, outside an `#if` for
  the system,
- on such an `#if` without a branch for other systems,
- on a target that depends on an excluded one, unless it does so only on Linux.
A build on macOS would find more. See docs/services/README.md.
"""
import re

from .package import ROOT
from .index import stop

# What only Linux has, and what it spells differently. String literals are searched too, because they contain paths.
ONLY_LINUX = re.compile(
    r"""^\s*(?:(?:public|package|private|internal|fileprivate|@\w+)\s+)*import\s+(?:Glibc|Musl|Darwin|Android|FoundationNetworking)\b
    | /proc/ | "/sys/ | /dev/shm
    | \b(?: CLOCK_\w+_COARSE | CLOCK_BOOTTIME | accept4 | epoll_\w+ | getrandom | pipe2 | dup3 | inotify_\w+ | memfd_create | prctl
        | eventfd | timerfd_\w+ | signalfd | sendfile | renameat2 | execvpe | closefrom | close_range | gettid | syscall
        | pidfd_\w+ | getauxval | malloc_trim | mallinfo2? | __errno_location | __sigaction_handler | secure_getenv
        | O_PATH | O_TMPFILE | F_OFD_\w+ | SOCK_CLOEXEC | SOCK_NONBLOCK | MSG_NOSIGNAL | SO_PEERCRED | PR_SET_\w+ | st_[acm]tim
        | st_[acm]timespec | __rlimit_resource_t | arc4random\w*
        | SOCK_(?:STREAM|DGRAM)\.rawValue | RLIMIT_\w+\.rawValue
        | posix_spawn_file_actions_t\(\) | posix_spawnattr_t\(\) | pthread_t\(\)
        | Glibc\.\w+ | Musl\.\w+ | Darwin\.\w+ )(?!\w)""",
    re.VERBOSE,
)
ASKS_FOR_SYSTEM = re.compile(r"\b(?:canImport\((?:Glibc|Musl|Darwin|Android|FoundationNetworking)\)|os\(\w+\))")
LINUX = re.compile(r"^\s*#(?:else)?if\s+(?:os\(Linux\)|canImport\((?:Glibc|Musl|FoundationNetworking)\))(?:\s*\|\|\s*(?:os\(Linux\)|canImport\((?:Glibc|Musl)\)))*\s*$")


def complaints(text):
    """The numbers of lines that are for one system only, with the reason."""
    # For each open `#if`: whether it is for a system, its line number, and whether there is a branch for others.
    open_ifs = []
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"^\s*//.*|\s//[/ ].*", "", line)
        directive = re.match(r"\s*#(if|elseif|else|endif)\b", code)
        if not directive:
            found = ONLY_LINUX.search(code)
            if found and not any(asks for asks, _, _ in open_ifs):
                yield number, f"`{found[0].strip()}` outside an #if for the system"
            continue
        kind = directive[1]
        if kind == "if":
            open_ifs.append((bool(ASKS_FOR_SYSTEM.search(code)), number, not LINUX.match(code)))
        elif open_ifs:
            asks, start, has_others = open_ifs.pop()
            if kind == "endif":
                if asks and not has_others:
                    yield start, "an #if for Linux has no branch for other systems"
            else:
                others = kind == "else" or not LINUX.match(code)
                open_ifs.append((asks or bool(ASKS_FOR_SYSTEM.search(code)), start, has_others or others))


def check(package):
    found = re.search(r"let onlyForLinux: Set = \[(.*?)\]", package.text, re.DOTALL) or stop(
        "Package.swift has no list onlyForLinux")
    left_out = set(re.findall(r'"(\w+)"', found[1]))
    known = set(package.targets) | {product["name"] for product in package.manifest["products"]}
    problems = [f"Package.swift: there is no target or product {name}" for name in sorted(left_out - known)]
    files = 0
    for name, target in sorted(package.targets.items()):
        if name in left_out:
            continue
        for dependency in target["dependencies"]:
            named, condition = (dependency.get("byName") or dependency.get("target") or [None, None])[:2]
            if named in left_out and (condition or {}).get("platformNames") != ["linux"]:
                problems.append(f"Package.swift: {name} depends on {named}, which is not available on macOS")
        folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
        for path in sorted(folder.rglob("*.swift")):
            files += 1
            for number, reason in complaints(path.read_text(encoding="utf-8")):
                problems.append(f"{path.relative_to(ROOT)}:{number}: {reason}")
    print(f"{len(set(package.targets) - left_out)} targets, {files} files were searched for what only Linux has")
    return problems
