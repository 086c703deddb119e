# Licensed under the MIT License. See LICENSE.
"""A system in a folder, as a new user of the project has it: created once, and covered by a layer for each trial."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

# Common packages: manual pages, shells with completions, and tools that check units. No dependencies of the release's packages.
USUAL = ["man-db", "bash-completion", "zsh", "fish", "systemd"]
DEVICES = ["null", "zero", "full", "random", "urandom", "tty"]
OTHER_KEYRINGS = {"jammy": "/usr/share/keyrings/ubuntu-archive-keyring.gpg"}
USER = "megan"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
ROOT_OF_PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent


class Skipped(Exception):
    """It cannot be tested here."""


def run(*command, seconds=600, status=0, **options):
    """The output of a program, which must end as expected."""
    command = [str(word) for word in command]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=seconds, check=False, **options)
    assert done.returncode == status, f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout[-3000:]}"
    return done.stdout


def one(folder, form):
    """The file of a release whose name matches a pattern."""
    found = list(folder.glob(form))
    assert len(found) == 1, f"{len(found)} files are named {form}"
    return found[0]


def online(*command):
    """The command, in the machine's network: the trials have a separate one."""
    return ["nsenter", f"--net=/proc/self/fd/{os.environ['MSAL_RELEASE_OUTSIDE']}", "--", *map(str, command)]


def run_online(*command, **options):
    return run(*online(*command), pass_fds=[int(os.environ["MSAL_RELEASE_OUTSIDE"])], **options)


def mirror():
    """The mirror from which this machine gets Debian."""
    if not shutil.which("debootstrap"):
        raise Skipped("debootstrap is not installed")
    sites = run("apt-get", "indextargets", "--format", "$(SITE)", "Origin: Debian", "Label: Debian").split()
    if not sites:
        raise Skipped("this machine has no mirror of Debian")
    return sites[0]


def archive_of(codename, part):
    """The last arguments of debootstrap. It knows the address of Ubuntu's archive, and verifies it with that keyring."""
    keyring = OTHER_KEYRINGS.get(codename)
    if not keyring:
        return [codename, part, mirror()]
    if not pathlib.Path(keyring).exists():
        raise Skipped(f"{keyring}, with which the archive is verified, is unavailable here")
    return [f"--keyring={keyring}", "--components=main,universe", codename, part]


def make_base(folder, codename, usual):
    """The system in its folder, with common packages. It is created if it does not exist yet."""
    name = codename if usual else f"{codename}-bare"
    base, part, recipe = (folder / f"{name}{ending}" for ending in ("", ".part", ".recipe"))
    if base.exists() and recipe.exists() and recipe.read_text() == " ".join(usual):
        return base
    archive = archive_of(codename, part)
    for former in (base, part):
        shutil.rmtree(former, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    run_online("debootstrap", "--variant=minbase", *archive)
    shutil.copyfile("/etc/resolv.conf", part / "etc" / "resolv.conf")
    # Usually written by installers and container engines.
    (part / "etc" / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    with System(None, part) as system:
        # Without recommended packages, so that the release's packages must declare what they need.
        system.install("--no-install-recommends", *usual)
        system.run("apt-get", "clean")
    part.rename(base)
    recipe.write_text(" ".join(usual))
    return base


class System:
    """The running system; changes are in a separate layer that is deleted with it. Without a base, the folder itself is the system."""

    def __init__(self, base, folder):
        self.base, self.folder = base, pathlib.Path(folder)
        self.root = self.folder if base is None else self.folder / "root"
        self.mounts, self.processes = [], []

    def __enter__(self):
        try:
            if self.base:
                for name in ("root", "upper", "work"):
                    (self.folder / name).mkdir(parents=True)
                self.mount("-t", "overlay", "overlay", "-o",
                           f"lowerdir={self.base},upperdir={self.folder}/upper,workdir={self.folder}/work", self.root)
            self.mount("-t", "proc", "proc", self.root / "proc")
            self.mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", self.root / "dev")
            for device in DEVICES:
                (self.root / "dev" / device).touch()
                self.mount("--bind", f"/dev/{device}", self.root / "dev" / device)
            if self.base:
                self.run("useradd", "--create-home", "--shell", "/bin/bash", USER)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # The user's programs are children of the login, and would keep their ports.
        for path in pathlib.Path("/proc").glob("[0-9]*/root"):
            try:
                if path.resolve() == self.root.resolve():
                    os.kill(int(path.parent.name), signal.SIGKILL)
            except OSError:
                pass
        for process in self.processes:
            process.wait()
        for place in reversed(self.mounts):
            subprocess.run(["umount", "--lazy", str(place)], check=False)

    def mount(self, *arguments):
        run("mount", *arguments)
        self.mounts.append(arguments[-1])

    @property
    def home(self):
        return self.root / "home" / USER

    def run(self, *command, changes=(), **options):
        """Runs a program as root, with changes to its environment."""
        return run("chroot", self.root, *command, env={**ENVIRONMENT, **dict(changes)}, **options)

    def apt(self, *arguments):
        return run_online("chroot", self.root, "apt-get", "--yes", "--quiet", *arguments, env=ENVIRONMENT)

    def install(self, *packages):
        """Installs packages as apt does by default: with their dependencies and recommended packages."""
        self.apt("update")
        return self.apt("install", *packages)

    def login(self, line):
        """The command of the user's login shell that runs a shell command."""
        settings = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        return ["env", "-i", "TERM=xterm", *settings, "chroot", str(self.root), "runuser", "--login", USER, "--command", line]

    def user(self, line, **options):
        """The output of a shell command in a new login of the user."""
        return run(*self.login(line), **options)

    def begin(self, line, log):
        """A shell command of the user that continues to run."""
        with open(log, "wb") as sink:
            process = subprocess.Popen(self.login(line), stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    def files(self, *left_out):
        """The names of all files and folders except those in some folders, as a set."""
        found, skipped = set(), {str(self.root / name) for name in ("proc", "dev", "sys", *left_out)}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if os.path.join(folder, name) not in skipped]
            found.update(os.path.relpath(os.path.join(folder, name), self.root) for name in (*folders, *names))
        return found


def await_(condition, failure, seconds=30):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, failure() if callable(failure) else failure
        time.sleep(0.05)
    return found
