# Licensed under the MIT License. See LICENSE.
"""A container that has nothing but the programs: no authorities, no home, no entry for the user, folders that refuse."""
import pathlib
import shutil
import subprocess

from machine import Skipped

PATH = "/usr/bin:/bin"
API = "api://00000000-0000-4000-8000-0000000000a1"
NOBODY = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"]
SETTINGS = ["MSAL_CLIENT_ID", "MSAL_SCOPES", "MSAL_AUTHORITY", "MSAL_CA_FILE", "MSAL_STORE_KEY", "MSAL_LOG"]


def at(machine, place, *command, user=(), **expected):
    """Runs a command after the lines of shell that make the place, in mounts of its own."""
    if user and subprocess.run([*user, "test", "-x", machine.msal], check=False).returncode:
        raise Skipped("the build is in a folder that is closed to other users")
    # `run` gives the program its settings; those of the machine are for another emulator.
    changes = {name: None for name in SETTINGS if "run" in command}
    return machine.run("/usr/bin/unshare", "--mount", "/bin/sh", "-ec", f'{place}\nexec "$@"', "sh", *user, *command,
                       **{"PATH": f"{PATH}:{machine.bench.build}", **changes, **expected})


def temporary(machine, options):
    """The lines that mount a temporary folder with these options, and the folder."""
    folder = machine.folder / "temporary"
    folder.mkdir()
    return f"mount -t tmpfs -o {options} tmpfs {folder}", str(folder)


def no_authorities(machine):
    """What trusts the emulator's own authority needs no other."""
    signs_in(machine, "mount -t tmpfs tmpfs /etc/ssl")


def probe_without_authorities(machine):
    """`probe` is given the emulator's authority, too. The emulator's own API is asked."""
    emulator = machine.emulator
    outcome = at(machine, "mount -t tmpfs tmpfs /etc/ssl", "entra-emulator", "probe", f"{emulator.base}/api/todos", "--api", API,
                 "--control-port", emulator.control.rpartition(":")[2], "--state", str(emulator.folder / "state"))
    assert "refused" in outcome.text and "LET IN" not in outcome.text, outcome.text


def home_of_another(machine):
    """The error is about the home folder, and so is the remedy."""
    outcome = at(machine, ":", "msal", "token", "-o", "raw", user=NOBODY, status=6, HOME="/")
    assert "MSAL_STORE_DIR" in outcome.text and "redirect" not in outcome.text, outcome.text


def no_home(machine):
    """The emulator says what is not set, and what can be named in its place."""
    outcome = at(machine, ":", "entra-emulator", "serve", user=NOBODY, status=1, HOME=None)
    assert "HOME is not set" in outcome.text and "--state" in outcome.text, outcome.text


def no_place_for_state(machine):
    """`serve` keeps its certificates, so it wants a folder, and names both ways to give it one."""
    outcome = at(machine, ":", "entra-emulator", "serve", user=NOBODY, status=1, HOME="/")
    for words in ["Permission denied", "--state", "XDG_STATE_HOME"]:
        assert words in outcome.text, outcome.text


def no_proc(machine):
    """The sentence names what is missing, and not the folder that is there."""
    outcome = at(machine, "mount -t tmpfs tmpfs /proc", "entra-emulator", "serve", "--state", str(machine.folder / "state"),
                 status=1)
    assert "cannot examine the folder" in outcome.text and "/proc is not mounted" in outcome.text, outcome.text


def full_disk(machine):
    """A disk with room for a few small files."""
    place, folder = temporary(machine, "size=16k")
    outcome = at(machine, place, "entra-emulator", "serve", "--state", folder, status=1)
    assert folder in outcome.text and "No space left on device" in outcome.text, outcome.text


def run_without_home(home):
    """`run` keeps nothing, so it signs in all the same, and says in one line what it did without."""
    def case(machine):
        outcome = at(machine, ":", "entra-emulator", "run", "--", "msal", "login", user=NOBODY, HOME=home, TMPDIR="/tmp",
                     seconds=120)
        assert "Signed in as" in outcome.text, outcome.text
        assert outcome.text.count("the certificates of this run end with it") == 1, outcome.text
    return case


def no_names(machine):
    """Neither the file of hosts nor a name server knows `localhost` (RFC 6761, section 6.3)."""
    (machine.folder / "nsswitch").write_text("hosts: files\n")
    place = f"mount --bind /dev/null /etc/hosts; mount --bind {machine.folder}/nsswitch /etc/nsswitch.conf"
    signs_in(machine, place)
    names = "import socket, sys\ntry: socket.getaddrinfo('localhost', 1)\nexcept OSError: sys.exit(0)\nsys.exit(1)"
    at(machine, place, "python3", "-c", names)  # So the case has what it says.


def signs_in(machine, place, *prefix, **changes):
    """The whole sign-in, by the command and the emulator."""
    outcome = at(machine, place, *prefix, "entra-emulator", "run", "--", "msal", "login", **{"seconds": 120, **changes})
    assert "Signed in as" in outcome.text, outcome.text


def network(*lines):
    """A network of the case's own, which has what these lines give it besides the loopback interface."""
    return lambda machine: signs_in(machine, ":", "unshare", "--net", "sh", "-ec",
                                    "\n".join(["ip link set lo up", *lines, 'exec "$@"']), "sh")


def unknown_language(machine):
    """A language and a time zone that this system does not have."""
    signs_in(machine, ":", LC_ALL="xx_XX.UTF-8", LANG="xx_XX.UTF-8", TZ="Nowhere/Nothing")


def limited(controller, **values):
    """Limits of a container, by a control group of version 1 or 2."""
    def case(machine):
        one, two = pathlib.Path("/sys/fs/cgroup", controller), pathlib.Path("/sys/fs/cgroup")
        parent = one if one.is_dir() else two
        group = parent / f"msal-{machine.folder.name}"
        try:
            group.mkdir()
        except OSError as error:
            raise Skipped(f"no control group can be made: {error.strerror}") from error
        machine.ends.callback(group.rmdir)
        try:
            for name, value in values["first" if parent is one else "second"].items():
                (group / name).write_text(value)
        except OSError as error:
            raise Skipped(f"the control group takes no limit: {error.strerror}") from error
        signs_in(machine, f"echo $$ > {group}/cgroup.procs")
    return case


def long_ago(machine):
    """A machine without a battery for its clock begins in 1970."""
    if not shutil.which("faketime", path=PATH):
        raise Skipped("faketime is not installed")
    signs_in(machine, ":", "faketime", "-f", "@1970-01-02 00:00:00")


def no_streams(machine):
    """A service manager may start a program without standard input, output and errors."""
    place = machine.folder / "token"
    script = 'exec "$@" <&- >&- 2>&-'
    at(machine, ":", "sh", "-ec", script, "sh", "entra-emulator", "run", "--",
       "sh", "-c", f"msal login; msal token -o raw > {place}")
    assert place.read_text().count(".") >= 2, "there is no token"


def nothing_starts_in_temporary(machine):
    """The browser stand-in needs no file that the system starts."""
    place, folder = temporary(machine, "noexec")
    signs_in(machine, place, TMPDIR=folder)


def temporary_is_read_only(machine):
    """The sentence names the folder, the system's reason and the variable that chooses another one."""
    place, folder = temporary(machine, "ro")
    outcome = at(machine, place, "entra-emulator", "run", "--", "true", status=125, TMPDIR=folder)
    assert folder in outcome.text and "Read-only file system" in outcome.text and "TMPDIR" in outcome.text, outcome.text


CASES = {
    "an image without certificate authorities": no_authorities,
    "an API that is probed in such an image": probe_without_authorities,
    "a user id without an entry, at the home of root": home_of_another,
    "a user id without an entry and without HOME": no_home,
    "the emulator of a user who may write nowhere": no_place_for_state,
    "a run of a user whose home cannot be written": run_without_home("/"),
    "a run of a user without HOME": run_without_home(None),
    "a machine that does not know localhost": no_names,
    "a machine without /proc": no_proc,
    "a disk of 16 KiB": full_disk,
    "a network of IPv6 alone": network("ip link add net0 type veth peer name net1", "ip link set net0 up",
                                       "ip link set net1 up", "ip addr add 2001:db8::2/64 dev net0 nodad", "ip route add default dev net0"),
    "a network of IPv4 alone": network("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6",
                                       'test -z "$(ip -6 addr)"'),
    "a language and a time zone that do not exist": unknown_language,
    "64 MiB of memory": limited("memory", first={"memory.limit_in_bytes": "64M"}, second={"memory.max": "64M"}),
    "a tenth of a processor": limited("cpu", first={"cpu.cfs_quota_us": "10000"}, second={"cpu.max": "10000 100000"}),
    "a clock in 1970": long_ago,
    "no standard streams": no_streams,
    "a temporary folder in which nothing can be started": nothing_starts_in_temporary,
    "a temporary folder that is read-only": temporary_is_read_only,
}
