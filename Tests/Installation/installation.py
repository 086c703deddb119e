#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Tests the scripts on a machine where something is missing: scripts/needs.sh with a fake apt-get, and with the real one and its
locks in a temporary folder. Nothing is installed.

usage: Tests/Installation/installation.py
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NEEDS = 'want libone "which is the first" false; want libtwo "which is the second" false; want libthree "is there" true'
HELD = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 77 (packagekitd)"

# The behavior of the fake apt-get: it fails with a text as often as the file `times` says, and only after everything was listed.
APT = """#!/bin/sh
grep -q libone {folder}/said && grep -q 'the second' {folder}/said || {{ echo not named before; exit 9; }}
echo "$@" >> {folder}/calls
times=$(cat {folder}/times)
[ "$times" -gt 0 ] || exit 0
echo $((times - 1)) > {folder}/times
cat {folder}/words
exit 100
"""
FAILURES = [
    ("E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem.", "dpkg --configure -a"),
    ("E: You don't have enough free space in /var/cache/apt/archives/.", "the disk is full"),
    ("Err:1 http://mirror.example stable InRelease\n  Temporary failure resolving 'mirror.example'", "mirror cannot be reached"),
    ("The following packages have unmet dependencies:", "--fix-broken"),
    ("E: Unable to locate package libone", "/etc/apt"),
    ("E: Something else", "its last lines are above"),
]
failures = []


def check(holds, claim, details=""):
    print(f"{'ok' if holds else 'FAILED'}: {claim}")
    if not holds:
        failures.append(claim)
        print("    " + str(details).replace("\n", "\n    "))


class Machine:
    """A clone with the shell functions, and programs that take precedence over the system's."""

    def __init__(self, folder):
        self.folder, self.programs = folder, folder / "bin"
        for path in (folder / "scripts", self.programs):
            path.mkdir()
        for name in ("lib.sh", "needs.sh", "build.sh", "install"):
            shutil.copy(ROOT / "scripts" / name, folder / "scripts")
        folder.chmod(0o755)
        self.program("apt-get", APT.format(folder=folder))
        self.program("swift", "#!/bin/sh\necho 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'\n")
        self.program("sudo", "#!/bin/sh\nexit 1\n")

    def program(self, name, text):
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def run(self, body, root=True, times=0, words="", **more):
        """The result of a script with this body: its status, standard output and standard error."""
        self.program("id", f"#!/bin/sh\ncase $1 in -u) echo {0 if root else 1000};; *) echo megan;; esac\n")
        (self.folder / "times").write_text(str(times))
        (self.folder / "words").write_text(words + "\n")
        (self.folder / "calls").write_text("")
        environment = {"PATH": f"{self.programs}:{os.environ['PATH']}", "HOME": str(self.folder), **more.pop("variables", {})}
        with open(self.folder / "said", "w+") as said:
            done = subprocess.run(["bash", "-c", f"set -euo pipefail; . {self.folder}/scripts/lib.sh; {body}"], text=True,
                                  stdout=said, stderr=subprocess.PIPE, env=environment, timeout=60, **more)
            said.seek(0)
            return done.returncode, said.read(), done.stderr

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()


def false_apt(machine):
    status, said, errors = machine.run(f"{NEEDS}; install_wanted")
    calls = machine.calls()
    check(status == 0 and len(calls) == 2 and "update" in calls[0] and calls[1].endswith("recommends libone libtwo"),
          "root: missing packages are listed first, then installed", (status, said, errors, calls))
    check("libthree" not in said, "installed packages are not listed", said)
    status, said, errors = machine.run("want libthree x true; want_swift; install_wanted")
    check((status, said, errors, machine.calls()) == (0, "", "", []), "if nothing is missing, nothing is printed")

    status, said, errors = machine.run(f"{NEEDS}; install_wanted", root=False)
    one = [line for line in errors.splitlines() if "libone" in line and "libtwo" in line and "sudo sh -c 'apt-get" in line]
    check(status == 1 and errors.count("\n") == 1 and one and not machine.calls(), "an ordinary user gets a single command", errors)
    (machine.programs / "sudo").unlink()
    tools = machine.folder / "tools"
    tools.mkdir()
    for tool in ("bash", "dirname", "sed", "head", "sort"):
        (tools / tool).symlink_to(shutil.which(tool))
    status, said, errors = machine.run(f"{NEEDS}; install_wanted", root=False,
                                       variables={"PATH": f"{machine.programs}:{tools}"})
    check(status == 1 and errors.count("\n") == 1 and not machine.calls()
          and "Run this as root, then try again:  apt-get update && apt-get install" in errors, "without sudo, the command for root is printed", errors)
    machine.program("sudo", "#!/bin/sh\nexit 1\n")
    for swift, words in (("exit 127", "Install Swift 6.2 or newer ("), ("echo Swift version 5.10.1", "instead of 5.10.1")):
        machine.program("swift", f"#!/bin/sh\n{swift}\n")
        status, said, errors = machine.run(f"want_swift; {NEEDS}; install_wanted")
        check(status == 1 and errors.count("\n") == 1 and words in errors and "libone libtwo" in errors and not machine.calls(),
              f"Swift missing or too old ({swift}) is in the same line", errors)
    machine.program("swift", "#!/bin/sh\necho Swift version 6.2\n")
    check(machine.run("want_swift; install_wanted") == (0, "", ""), "Swift 6.2 is accepted")

    status, said, errors = machine.run(f"{NEEDS}; install_wanted", times=2, words=HELD)
    check(status == 0 and said.count("process 77 (packagekitd)") == 1 and "Waiting up to 600 s" in said and len(machine.calls()) == 4,
          "it waits for a lock and prints its holder once", (said, errors, machine.calls()))
    status, said, errors = machine.run(f"{NEEDS}; install_wanted", times=99, words=HELD, variables={"MSAL_INSTALL_WAIT": "3"})
    check(status == 1 and "in use for 3 seconds" in errors and "process 77" in errors and "ps -ef" in errors,
          "it times out with a remedy", errors)
    for times, word in ((0, "available"), (99, "unavailable")):
        body = f"some() {{ {NEEDS}; }}; if try_install some; then echo it is available; else echo it is unavailable; fi; echo on"
        status, said, errors = machine.run(body, times=times, words="E: Unable to locate package libone")
        check(status == 0 and said.endswith(f"it is {word}\non\n"), f"an optional package is {word}", (said, errors))
    for words, remedy in FAILURES:
        status, said, errors = machine.run(f"{NEEDS}; install_wanted", times=99, words=words)
        check(status == 1 and remedy in errors.splitlines()[-1], f"{words.splitlines()[-1].strip()!r} → {remedy!r}", errors)


def folders(machine):
    status, said, errors = machine.run("require_folder 1000000")
    check(status == 1 and "a first build takes 1000000 GB" in errors, "a full disk is named before the build", errors)
    machine.folder.chmod(0o555)
    nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    status, said, errors = machine.run("require_folder 0", **nobody)
    machine.folder.chmod(0o755)
    check(status == 1 and errors.count("\n") == 1 and "cannot write to" in errors, "a read-only clone is named", errors)


def installs(machine):
    """scripts/install, with a `swift` that writes small programs instead of compiling."""
    machine.program("swift", """#!/bin/sh
case $1 in --version) echo 'Swift version 6.3.1'; exit;; esac
echo "$@" >> built
while [ $# -gt 0 ]; do case $1 in --product) product=$2;; --scratch-path) folder=$2;; esac; shift; done
mkdir -p "$folder/release" && printf '#!/bin/sh\\n' > "$folder/release/$product" && chmod +x "$folder/release/$product"
""")
    script, prefix = f"{machine.folder}/scripts/install", machine.folder / "a prefix"
    variables = {"PATH": f"{machine.programs}:{os.environ['PATH']}", "HOME": str(machine.folder)}

    def install(*arguments, **more):
        done = subprocess.run([script, *arguments], text=True, capture_output=True, timeout=60, cwd=machine.folder,
                              env={**variables, **more.pop("variables", {})}, **more)
        return done.returncode, done.stdout, done.stderr

    machine.program("id", "#!/bin/sh\ncase $1 in -u) echo 1000;; *) echo megan;; esac\n")
    status, said, errors = install("--prefix", "a prefix")
    built = (machine.folder / "built").read_text()
    check(status == 0 and said.startswith("The first optimized build takes about") and (prefix / "bin" / "msal").exists()
          and (prefix / "bin" / "entra-emulator").exists() and "export PATH=" in said, "both programs are installed", (said, errors))
    check(built.count("-c release --static-swift-stdlib") == 2 and built.count("--scratch-path .build-install") == 2,
          "the build is optimized and has the runtime inside", built)
    line = said.splitlines()[-1].strip()
    shown = subprocess.run(["bash", "-c", f"{line}; command -v msal"], text=True, capture_output=True, env=variables).stdout
    check(shown == f"{prefix}/bin/msal\n", "the printed line puts a folder with a space on the PATH", (line, shown))
    status, said, errors = install("--prefix", "a prefix", variables={"PATH": f"{prefix}/bin:{variables['PATH']}"})
    check(status == 0 and "export PATH" not in said, "a second run replaces its programs, and recognizes the PATH", (said, errors))
    (prefix / "bin" / "msal").write_text("another")
    status, said, errors = install("--prefix", "a prefix")
    check(status == 1 and "was not installed by this script" in errors and (prefix / "bin" / "msal").read_text() == "another",
          "another program is not overwritten", errors)
    status, said, errors = install("--uninstall", "--prefix", "a prefix")
    check(status == 1 and (prefix / "bin" / "msal").exists() and not (prefix / "bin" / "entra-emulator").exists()
          and "Kept" in errors, "another program is not removed", (said, errors))
    status, said, errors = install("--no-such")
    check(status == 1 and "Unknown argument '--no-such'" in errors, "a wrong argument is named", errors)
    status, said, errors = install("--prefix")
    check(status == 1 and "--prefix needs a folder" in errors, "a missing folder is named", errors)
    status, said, errors = install("--prefix", "built")
    check(status == 1 and "is not a folder" in errors, "a file as the prefix is named", errors)
    machine.program("df", "#!/bin/sh\nprintf 'x\\nx 1 1 1048576 1 /\\n'\n")
    shutil.rmtree(machine.folder / ".build-install")
    status, said, errors = install("--prefix", "another prefix")
    (machine.programs / "df").unlink()
    check(status == 1 and "a first build takes 2 GB" in errors, "too little disk is named before the build", errors)
    if os.geteuid() == 0:
        (machine.folder / "closed").mkdir(mode=0o755)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        status, said, errors = install("--prefix", "closed", **nobody)
        check(status == 1 and "cannot write to" in errors and errors.count("\n") == 1, "an unwritable prefix is named", errors)


def new_apps():
    """scripts/new-app of this clone; nothing is compiled."""
    with tempfile.TemporaryDirectory() as place:
        def make(name, folder, path=os.environ["PATH"]):
            done = subprocess.run([ROOT / "scripts" / "new-app", name, f"{place}/{folder}"], text=True, capture_output=True,
                                  timeout=60, env={"PATH": path, "HOME": place})
            return done.returncode, done.stdout, done.stderr

        for name, module in (("Hello", "Hello"), ("my-app", "my_app"), ("my.app 2", "my_app_2")):
            status, said, errors = make(name, name, "/usr/bin:/bin")
            source = pathlib.Path(place, name, "Sources", module, f"{module}.swift")
            manifest = pathlib.Path(place, name, "Package.swift")
            check(status == 0 and f"struct {module} " in source.read_text() and f'name: "{module}"' in manifest.read_text(),
                  f"the app {name!r} has the module {module}", (said, errors))
            check(said.index("scripts/install") < said.index(f"swift run {module}"), "without the emulator, its installation is printed first", said)
        for name, reason in (("Swift", "module of Swift"), ("Foundation", "module of Swift"), ("Dispatch", "module of Swift"),
                             ("Glibc", "module of Swift"), ("MSAL", "module of this package"), ("EntraEmulator", "module of this package"),
                             ("class", "keyword"), ("1st", "begin with a letter"), ("a/b", "Use letters"), ("a-", "end with")):
            status, said, errors = make(name, "refused")
            check(status == 1 and reason in errors and not pathlib.Path(place, "refused").exists(), f"{name!r} is rejected: {reason}", errors)


def helps():
    """The first scripts of the pages explain their arguments without Swift."""
    for script, option in (("demo", "--client-id"), ("install", "--prefix"), ("new-app", "FOLDER"), ("test", "--changed")):
        done = subprocess.run([ROOT / "scripts" / script, "--help"], text=True, capture_output=True, timeout=60,
                              env={"PATH": "/usr/bin:/bin", "HOME": "/"})
        check(done.returncode == 0 and option in done.stdout, f"scripts/{script} --help explains {option}", (done.stdout, done.stderr))
    done = subprocess.run([ROOT / "scripts" / "demo", "--frob"], text=True, capture_output=True, timeout=60, check=False,
                          env={"PATH": "/usr/bin:/bin"})
    check(done.returncode == 1 and "Unknown argument --frob." in done.stderr, "scripts/demo rejects an unknown option before it builds",
          (done.stdout, done.stderr))


def steps(machine):
    groups = """
        broken() { echo "a.swift:1:2: error: it's \\"wrong\\""; return 4; }
        first() { step Slow sleep 0.2; step "Broken (it's)" broken; skip Away "it's not here"; }
        second() { step Quick true; echo between; }
        ends() { step Begun true; exit 3; }
    """
    status, said, errors = machine.run(f"{groups} at_once first second; summary")
    check(status == 1 and "2 steps passed, 1 failed, 1 skipped" in said and "FAILED: Broken (it's)\n    a.swift:1:2: error: it's" in said
          and "skipped: Away" in said, "two parallel groups of steps are reported as one", (said, errors))
    check(said.index("between") < said.index("== Slow") < said.index("== Broken"), "the first group's output is in one piece", said)
    status, said, errors = machine.run(f"{groups} at_once ends second; summary")
    check(status == 1 and "FAILED: ends\n    It ended in the middle." in said, "a group that ends prematurely has failed", said)


def real_apt(machine):
    """The real apt-get, whose lists and package states are in a folder, with one package installed."""
    (machine.programs / "apt-get").unlink()
    home = machine.folder / "apt"
    for path in ("lists/partial", "archives/partial", "dpkg", "etc", "log"):
        (home / path).mkdir(parents=True)
    (home / "dpkg" / "status").write_text("Package: libone\nStatus: install ok installed\nMaintainer: x\nArchitecture: all\n"
                                          "Version: 1\nDescription: x\n")
    (home / "conf").write_text("".join(f'{name} "{value}";\n' for name, value in (
        ("Dir::Etc", home / "etc"), ("Dir::State", home), ("Dir::State::status", home / "dpkg" / "status"),
        ("Dir::State::lists", home / "lists"), ("Dir::Cache", home), ("Dir::Cache::archives", home / "archives"),
        ("Dir::Log", home / "log"), ("APT::Sandbox::User", "root"), ("Debug::NoLocking", "false"))))
    variables = {"APT_CONFIG": str(home / "conf")}
    body = 'want libone "which is the first" false; install_wanted'
    for path in (home / "lists" / "lock", home / "dpkg" / "lock-frontend"):
        with open(path, "w") as lock:
            fcntl.lockf(lock, fcntl.LOCK_EX)
            ended = threading.Event()

            def release_when_named():
                while "It is held by" not in (machine.folder / "said").read_text() and not ended.wait(0.05):
                    pass
                fcntl.lockf(lock, fcntl.LOCK_UN)

            (machine.folder / "said").write_text("")
            watcher = threading.Thread(target=release_when_named)
            watcher.start()
            status, said, errors = machine.run(body, variables=variables)
            ended.set()
            watcher.join()
        check(status == 0 and f"Could not get lock {path}. It is held by process {os.getpid()} (" in said,
              f"the real apt-get's {path.name} of {path.parent.name} is waited for", (said, errors))


def main():
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(pathlib.Path(folder))
        false_apt(machine)
        folders(machine)
        installs(machine)
        new_apps()
        helps()
        steps(machine)
        if shutil.which("apt-get"):
            real_apt(machine)
        else:
            print("skipped: the real apt-get, which is not installed")
    print(f"{len(failures)} failures")
    return int(bool(failures))


sys.exit(main())
