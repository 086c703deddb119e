#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Pastes the blocks of pages into shells in an empty HOME, against the emulator, without a network.

usage: blocks.py PROGRAMS [--all | PAGE...]

PROGRAMS is the folder of the debug build. By default: Quick start, Your app, and those of PAGES that changed since the merge base,
as long as they can start within LIMIT seconds. Needs root, for namespaces: the build folder is covered by an overlay, so packages
of the pages find the compiled dependencies and leave no trace.

A block labeled `sh` runs in dash, and one labeled `bash` in bash. A block of a file is written to the file that the text before it
names. A block labeled `console` is the output of the commands before it; `…` stands for any text. "In a second terminal" before a
block selects the terminal; each starts in the folder where the page starts. A program that waits for connections keeps running
until its terminal is used again, which interrupts it as Ctrl-C does.

Also checks the shell of all pages: syntax, undefined variables, and the placeholder for this repository.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLACE = ROOT / ".build-blocks"
HOME = PLACE / "home"
REPOSITORY = "https://github.com/OWNER/msal-swift-linux"
CLONE = HOME / "msal-swift-linux"
# The pages, and the folder where each starts. Another page that is named as an argument starts in the clone.
PAGES = {
    "docs/Install.md": HOME,
    "docs/Quickstart.md": HOME,
    "docs/YourApp.md": CLONE,
    "docs/TestingYourApp.md": CLONE,
    "docs/services/README.md": HOME,
    "docs/services/ProtectAnAPI.md": HOME,
    "docs/services/OnBehalfOf.md": CLONE,
    "docs/services/MCPServer.md": CLONE,
    "docs/services/Agents.md": HOME,
    "docs/services/WebApplication.md": HOME,
    "docs/emulator/README.md": HOME,
    "docs/emulator/Situations.md": HOME,
}
ALWAYS = ["docs/Quickstart.md", "docs/YourApp.md"]
# The section that is pasted if the rest cannot run here: the rest of Install needs a release, Docker, or another system, and that
# of Web application a browser that is told to accept a certificate.
SECTIONS = {"docs/Install.md": "clone", "docs/services/WebApplication.md": "first"}
# A page whose variables another page uses, and the anchor of the block that defines them.
VARIABLES = "docs/emulator/ControlAPI.md", "variables"
# The page and the anchor of the package that the programs of other pages share.
PACKAGE = "docs/services/README.md", "install"
# Seconds in which a page may start in CI, and which a block may take.
LIMIT, PATIENCE = 180, 1200
ENVIRONMENT = {"HOME", "PATH", "PWD"}
ORDINALS = ["first", "second", "third", "fourth"]
# The last line of a block that starts a server.
SERVER = re.compile(r"^entra-emulator(?: --\S+ \S+)*$|\b(?:OrdersAPI|Site|StockAPI|Tasks|ToolServer)$")


class Failure(Exception):
    """A block that does not do what its page says."""


class Block:
    def __init__(self, page, line, label, prose, anchor, text):
        self.page, self.line, self.label, self.prose, self.anchor, self.text = page, line, label, prose, anchor, text

    @property
    def shell(self):
        return {"sh": "dash", "bash": "bash"}.get(self.label)

    @property
    def terminal(self):
        """The terminal that the text before the block names."""
        named = re.findall(r"\b(first|second|third|fourth|another)\s+terminal\b", self.prose)
        return ORDINALS.index(named[-1].replace("another", "second")) if named else None

    @property
    def file(self):
        """The file whose content the block is, if the text before it names one."""
        suffixes = {"swift": r"\.swift", "json": r"\.json", "yaml": r"\.ya?ml"}
        if self.label not in suffixes:
            return None
        found = re.search(r"`([\w./-]+" + suffixes[self.label] + ")`", self.prose.strip().rpartition("\n\n")[2])
        return found and found[1]

    def fails(self, message, output=""):
        lines = [line for line in output.splitlines() if "Control token" not in line]
        return Failure(f"{self.page}:{self.line}: {message}" + "".join(f"\n    {line}" for line in lines[-25:]))


def blocks(page):
    """The fenced blocks of a page, each with the text before it and the last anchor."""
    found, prose, anchor, block = [], "", "", None
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r" *```(.*)", line)
        if fence and block is None:
            block = Block(page, number, fence[1].strip(), prose, anchor, "")
        elif fence:
            found.append(block)
            prose, block = "", None
        elif block is not None:
            block.text += line + "\n"
        else:
            prose += line + "\n"
            anchor = (re.findall(r'<a id="([\w-]+)">', line) or [anchor])[-1]
    return found


class Terminal:
    """A shell that reads one block after the other, and keeps its folder and variables."""

    def __init__(self, number, shell, folder):
        self.shell, self.output, self.done = shell, PLACE / f"output-{number}", PLACE / f"done-{number}"
        with open(self.output, "wb") as log:
            self.process = subprocess.Popen([shell], stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, cwd=folder,
                                            env=environment(), start_new_session=True)

    def paste(self, block):
        """Runs a block, and returns its output. A server keeps running: it is ready when a new port is open, besides the two of
        an emulator that starts it, and it prints no more."""
        script, start = self.done.with_suffix(".sh"), len(self.text)
        script.write_text(block.text)
        self.done.unlink(missing_ok=True)
        command, ports = block.text.strip().rpartition("\n")[2], listening()
        serves, others = SERVER.search(command), 2 if command.startswith("entra-emulator run") else 0
        self.process.stdin.write(f"set -e; . {script} < /dev/null; echo > {self.done}\n".encode())
        self.process.stdin.flush()
        quiet, size, end = 0, start, time.monotonic() + PATIENCE
        while not self.done.exists() and not (serves and quiet > 10):
            if self.process.poll() is not None:
                raise block.fails(f"ended with status {self.process.returncode}", self.text[start:])
            if time.monotonic() > end:
                raise block.fails(f"did not end within {PATIENCE} seconds", self.text[start:])
            before, size = size, len(self.text)
            added = {address.rpartition(":")[2] for address, _ in listening() - ports}
            quiet = quiet + 1 if size == before and len(added) > others else 0
            time.sleep(0.1)
        if serves and self.done.exists():
            raise block.fails("the server ended", self.text[start:])
        return self.text[start:]

    @property
    def text(self):
        return self.output.read_text(errors="replace")

    @property
    def folder(self):
        return pathlib.Path(os.readlink(f"/proc/{self.process.pid}/cwd"))

    def close(self):
        """Interrupts everything that runs in the terminal, and kills what is left after five seconds."""
        for number in (signal.SIGINT, signal.SIGKILL):
            for process in self.processes():
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
            end = time.monotonic() + 5
            while self.processes() and time.monotonic() < end:
                self.process.poll()
                time.sleep(0.05)
        self.process.wait()

    def processes(self):
        """Those of the session, without zombies."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
            except (OSError, ValueError):
                continue
            if session == str(self.process.pid) and state != "Z":
                found.append(int(path.parent.name))
        return found


def listening():
    """The ports on which a program waits in this network namespace."""
    lines = [line.split() for name in ("tcp", "tcp6") for line in pathlib.Path("/proc/net", name).read_text().splitlines()]
    return {(fields[1], fields[9]) for fields in lines if fields[3] == "0A"}


def environment():
    swift = pathlib.Path(shutil.which("swift")).parent
    return {
        "HOME": str(HOME), "USER": "root", "LANG": "C.UTF-8", "TMPDIR": str(PLACE / "tmp"), "SWIFT_DETERMINISTIC_HASHING": "1",
        "PATH": f"{PLACE / 'bin'}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:{swift}",
        # A clone has the compiled programs of this checkout, and a user whose browser needs no screen.
        "MSAL_BUILD_FOLDER": str(build.parent), "BROWSER": str(build / "ScriptedBrowser"),
        "MSAL_AGENT_USER": "megan@contoso.example", "MSAL_AGENT_PASSWORD": "Pa55-word!",
    }


def prepare():
    """An overlay of the build folder and of /usr/local, the published repository, and `swift` with the shared build folder."""
    scratch = build.parent
    for name in ("below", "upper", "work", "local", "local-work", "bin", "tmp", "home"):
        (PLACE / name).mkdir(parents=True)
    run("ip", "link", "set", "lo", "up")
    run("mount", "--bind", scratch, PLACE / "below")
    overlay(scratch, "upper", "work", below=PLACE / "below")
    overlay(pathlib.Path("/usr/local"), "local", "local-work")
    run("bash", "-c", ". scripts/lib.sh; sources_as_repository \"$0\" \"$(library_version)\"", PLACE / "published", cwd=ROOT)
    swift = PLACE / "bin" / "swift"
    # The clone's own programs are those that the tests built. A package of a page takes the versions of the tests. SwiftPM finds
    # its folders in the home of the user database, whatever HOME says.
    swift.write_text(f"""#!/bin/sh
case " $* " in
    *" --product Demo "*) exit ;;
    *" --scratch-path .build-install "*)
        mkdir -p .build-install/release
        exec cp {build}/msal {build}/entra-emulator .build-install/release ;;
esac
command=$1
case $command in
    build | run | test)
        [ -e .build ] || ln -s {scratch} .build
        [ -e Package.resolved ] || cp {ROOT}/Package.resolved .
        shift
        exec {shutil.which('swift')} "$command" --scratch-path {scratch} --cache-path {PLACE}/swiftpm --config-path {PLACE}/swiftpm \\
            --security-path {PLACE}/swiftpm "$@" ;;
esac
exec {shutil.which('swift')} "$@"
""")
    swift.chmod(0o755)
    # A page that opens a window is read by a scripted browser.
    emulator = PLACE / "bin" / "entra-emulator"
    emulator.write_text("""#!/bin/sh
[ "$1" != browse ] || MSAL_CA_FILE=$HOME/.local/state/entra-emulator/ca.pem exec "$BROWSER" "$2"
exec /usr/local/bin/entra-emulator "$@"
""")
    emulator.chmod(0o755)


def overlay(folder, upper, work, below=None):
    run("mount", "-t", "overlay", "overlay", "-o",
        f"lowerdir={below or folder},upperdir={PLACE / upper},workdir={PLACE / work}", folder)


def run(*command, cwd=None):
    subprocess.run([str(word) for word in command], check=True, cwd=cwd)


def installed():
    """Gives a page that does not clone what a reader of Quick start has: the clone, and the commands."""
    if CLONE.exists() and pathlib.Path("/usr/local/bin/entra-emulator").exists():
        return
    terminal = Terminal(0, "dash", HOME)
    try:
        clone = "" if CLONE.exists() else f"git clone --quiet {REPOSITORY}\n"
        terminal.paste(Block("docs/Quickstart.md", 1, "sh", "", "", f"{clone}cd {CLONE}\nscripts/install\n"))
    finally:
        terminal.close()


def empty_home():
    """Deletes everything but the clone, whose compiled modules stay valid while its files are the same."""
    for path in HOME.iterdir():
        if path == CLONE:
            run("git", "-C", path, "clean", "-fdxq")
        else:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    repositories = {REPOSITORY: PLACE / "published"}
    for path in (PLACE / "below" / "repositories").iterdir():
        address = subprocess.check_output(["git", "-C", path, "config", "remote.origin.url"], text=True).strip()
        repositories[address] = path
    (HOME / ".gitconfig").write_text("".join(
        f'[url "{path}"]\n    insteadOf = {address}\n' for address, path in repositories.items()))


def paste_page(page):
    todo = [block for block in blocks(page) if block.anchor == SECTIONS.get(page, block.anchor)]
    if uses_control_api(page):
        variables = next(block for block in blocks(VARIABLES[0]) if block.anchor == VARIABLES[1])
        todo = [Block(page, 1, "sh", "", "", "entra-emulator\n"), variables, *todo]
    if f"{pathlib.PurePath(PACKAGE[0]).name}#{PACKAGE[1]})" in (ROOT / page).read_text(encoding="utf-8") and page != PACKAGE[0]:
        todo = [next(block for block in blocks(PACKAGE[0]) if block.anchor == PACKAGE[1]), *todo]
    terminals, current, output = {}, 0, ""
    empty_home()
    if "git clone" in todo[0].text:
        shutil.rmtree(CLONE, ignore_errors=True)
    else:
        installed()
    try:
        for block in todo:
            if block.file:
                path = (terminals[current].folder if terminals else PAGES.get(page, CLONE)) / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text)
            elif block.shell:
                current = current if block.terminal is None else block.terminal
                folder, terminal = PAGES.get(page, CLONE), terminals.get(current)
                if terminal and not terminal.done.exists():
                    folder = terminal.folder
                    terminal.close()
                    terminal = None
                terminals[current] = terminal or Terminal(current, block.shell, folder)
                output = terminals[current].paste(block)
            elif block.label == "console":
                compare(block, output)
    finally:
        for terminal in terminals.values():
            terminal.close()


def uses_control_api(page):
    return page != VARIABLES[0] and f"{pathlib.PurePath(VARIABLES[0]).name}#{VARIABLES[1]})" in (ROOT / page).read_text(encoding="utf-8")


def compare(block, output):
    """Each line of the block must be in the output, in this order."""
    lines = iter(output.splitlines())
    for expected in filter(None, map(str.strip, block.text.splitlines())):
        pattern = ".*".join(map(re.escape, expected.split("…")))
        if not any(re.fullmatch(pattern, line.strip()) for line in lines):
            raise block.fails(f"the output lacks, or has in another place: {expected}", output)


def shell_faults(page):
    """What is wrong in the shell of a page, without running it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        for address in re.findall(r"https?://[\w.-]+/[\w<>$…-]+/msal-swift-linux", line):
            if address != REPOSITORY:
                yield f"{page}:{number}: write {REPOSITORY}"
        if re.search(r"\bswift run (msal|entra-emulator)\b", line):
            yield f"{page}:{number}: the command is on the PATH after scripts/install"
    found = [block for block in blocks(page) if block.shell]
    pages = [page, VARIABLES[0]] if uses_control_api(page) else [page]
    texts = [block.text for name in pages for block in blocks(name)]
    # An assignment, a variable of `for` and `read`, and a variable of a workflow's step.
    assigned = re.findall(r"\b([A-Za-z_]\w*)=|\b(?:for|read) ([A-Za-z_]\w*)|^ *([A-Z]\w*): ", "\n".join(texts), re.M)
    defined = ENVIRONMENT | {name for names in assigned for name in names}
    if "entra-emulator env " in text:
        defined |= set(re.findall(r"ENTRA_EMULATOR_\w+", text))
    for block in found:
        checked = subprocess.run([block.shell, "-n"], input=block.text, text=True, capture_output=True, check=False)
        if checked.returncode:
            yield f"{page}:{block.line}: {checked.stderr.strip()}"
        unquoted = re.sub(r"'[^']*'", lambda quoted: "\n" * quoted[0].count("\n"), block.text.replace("\\$", ""))
        for offset, line in enumerate(unquoted.splitlines(), 1):
            for name in re.findall(r"\$\{?([A-Za-z_]\w*)(?!:?-|\w)", line):
                if name not in defined:
                    yield f"{page}:{block.line + offset}: ${name} is not defined"


def changed_pages():
    """The files that differ from the merge base, as scripts/test --changed finds them; without a base, all pages."""
    loader = importlib.machinery.SourceFileLoader("affected", str(ROOT / "scripts" / "affected"))
    affected = importlib.util.module_from_spec(importlib.util.spec_from_loader("affected", loader))
    loader.exec_module(affected)
    base, _ = affected.find_base([])
    return set(affected.changed(base) if base else PAGES)


def main():
    start, failures = time.monotonic(), []
    names = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-z", "*.md"], text=True).rstrip("\0").split("\0")
    for page in names:
        failures += shell_faults(page)
    named = list(PAGES) if sys.argv[2:] == ["--all"] else sys.argv[2:]
    wanted = {*ALWAYS, *(named or changed_pages())}
    chosen = named or [page for page in PAGES if page in wanted]
    prepare()
    for page in chosen:
        begin = time.monotonic()
        if not named and page not in ALWAYS and begin - start > LIMIT:
            print(f"{page}: left to scripts/test --full")
            continue
        try:
            paste_page(page)
            print(f"{page}: ok, {time.monotonic() - begin:.0f} s", flush=True)
        except Failure as failure:
            failures.append(str(failure))
            print(f"{page}: FAILED, {time.monotonic() - begin:.0f} s", flush=True)
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    if "MSAL_BLOCKS" not in os.environ:
        shutil.rmtree(PLACE, ignore_errors=True)
        inside = subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable,
                                 *sys.argv], env=os.environ | {"MSAL_BLOCKS": "1"}, check=False)
        shutil.rmtree(PLACE, ignore_errors=True)
        sys.exit(inside.returncode)
    build = pathlib.Path(sys.argv[1]).absolute()
    sys.exit(main())
