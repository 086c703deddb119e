# Licensed under the MIT License. See LICENSE.
"""Minimal environments: no certificate authorities, no home, no entry for the user, read-only folders.

One list for three sites: the built programs in the system of this machine (cases/bare.py), and in a minimal Debian
the packages (Tests/Release/cases/bare.py) or the built programs (built.py there). A site has
  folder          a folder for the case, as programs see it; `outside(path)` is the path for this program
  at(place, ...)  the output of a command that runs after shell commands, which set up the environment with mounts
  tool(name)      ensures that a program of Debian is installed
  skip(reason)    ends a case that cannot run
  ends            what is undone after the case
"""
import pathlib

PATH = "/usr/bin:/bin"
CLIENT = "00000000-0000-4000-8000-000000000001"
API = "api://00000000-0000-4000-8000-0000000000a1"
NOBODY = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"]
# The folder may be missing, because the package that creates it is only recommended.
NO_AUTHORITIES = "test ! -d /etc/ssl || mount -t tmpfs tmpfs /etc/ssl"


def signs_in(site, place, *prefix, **changes):
    """The complete sign-in, with the command and the emulator."""
    text = site.at(place, *prefix, "entra-emulator", "run", "--", "msal", "login", **{"seconds": 120, **changes})
    assert "Signed in as" in text, text


def says(text, *words):
    """The message contains all of these texts."""
    missing = [word for word in words if word not in text]
    assert not missing, f"{missing} is not in:\n{text}"


def temporary(site, options):
    """The shell commands that mount a temporary folder with these options, and the folder."""
    folder = f"{site.folder}/temporary"
    return f"mkdir -p {folder}; mount -t tmpfs -o {options} tmpfs {folder}", folder


def no_authorities(site):
    """A program that trusts the emulator's authority needs no other."""
    signs_in(site, NO_AUTHORITIES)


def probe_without_authorities(site):
    """`probe` gets the emulator's authority, too. It calls the emulator's own API."""
    own = ["--control-port", "18444", "--state", f"{site.folder}/state"]
    text = site.at(NO_AUTHORITIES, "entra-emulator", "run", "--port", "18443", *own, "--",
                   "entra-emulator", "probe", "https://localhost:18443/api/todos", "--api", API, *own, seconds=60)
    assert "refused" in text and "LET IN" not in text, text


def home_of_another(site):
    """The error and the remedy are about the home folder."""
    for command in [("token", "-o", "raw"), ("doctor",)]:
        text = site.at(":", "msal", *command, user=NOBODY, status=6, HOME="/", MSAL_CLIENT_ID=CLIENT, MSAL_SCOPES="User.Read",
                       seconds=60)
        assert "MSAL_STORE_DIR" in text and "redirect" not in text, text


def no_home(site):
    """The message names the missing variable, and what can be specified instead."""
    says(site.at(":", "entra-emulator", "serve", user=NOBODY, status=1, HOME=None), "HOME is not set", "--state")


def no_place_for_state(site):
    """`serve` keeps its certificates, so it needs a folder, and the message names both ways to specify one."""
    says(site.at(":", "entra-emulator", "serve", user=NOBODY, status=1, HOME="/"),
         "Permission denied", "--state", "XDG_STATE_HOME")


def run_without_home(home):
    """`run` keeps nothing, so it still signs in, and reports in one line what is missing."""
    def case(site):
        text = site.at(":", "entra-emulator", "run", "--", "msal", "login", user=NOBODY, HOME=home, TMPDIR="/tmp",
                       seconds=120)
        assert "Signed in as" in text, text
        assert text.count("the certificates of this run are temporary") == 1, text
    return case


def nothing_starts_in_temporary(site):
    """The scripted browser needs no file that the system starts."""
    place, folder = temporary(site, "noexec")
    signs_in(site, place, TMPDIR=folder)


def read_only_root(site):
    """The message names the folder, the system's reason and the variable that chooses another folder, which then works."""
    place = "\n".join([
        f"mount --bind {site.folder} {site.folder}", "mount --rbind /tmp /tmp", "mount -o remount,bind,ro /tmp",
        "mount -o remount,bind,ro /",
    ])
    says(site.at(place, "entra-emulator", "run", "--", "true", status=125, TMPDIR="/tmp"),
         "/tmp/", "Read-only file system", "TMPDIR")
    signs_in(site, place, TMPDIR=site.folder)


def no_names(site):
    """Neither the hosts file nor a name server resolves `localhost` (RFC 6761, section 6.3)."""
    site.outside(f"{site.folder}/nsswitch").write_text("hosts: files\n")
    place = f"mount --bind /dev/null /etc/hosts; mount --bind {site.folder}/nsswitch /etc/nsswitch.conf"
    signs_in(site, place)
    site.at(place, "getent", "ahosts", "localhost", status=2)  # Verifies that the name does not resolve.


def no_proc(site):
    """The Swift runtime reads the arguments there. So no command does something other than requested."""
    for command in (["entra-emulator", "serve", "--state", f"{site.folder}/state"], ["entra-emulator", "--version"],
                    ["msal", "logout", "--all"], ["msal", "--version"]):
        says(site.at("mount -t tmpfs tmpfs /proc", *command, status=1), "arguments cannot be read", "/proc is not mounted")


def full_disk(site):
    """A disk with space for a few small files."""
    place, folder = temporary(site, "size=16k,mode=700")
    says(site.at(place, "entra-emulator", "serve", "--state", folder, status=1), folder, "No space left on device")


def network(*lines):
    """A separate network, which has what these commands add to the loopback interface."""
    script = "\n".join(["ip link set lo up", *lines, 'exec "$@"'])
    return lambda site: signs_in(site, ":", outer=["unshare", "--net", "sh", "-ec", script, "sh"])


def unknown_language(site):
    """A language and a time zone that this system does not have."""
    signs_in(site, ":", LC_ALL="xx_XX.UTF-8", LANG="xx_XX.UTF-8", TZ="Nowhere/Nothing")


def limited(controller, **values):
    """Limits of a container, with a control group of version 1 or 2."""
    def case(site):
        one, two = pathlib.Path("/sys/fs/cgroup", controller), pathlib.Path("/sys/fs/cgroup")
        parent = one if one.is_dir() else two
        group = parent / f"msal-{site.folder.replace('/', '-')}"
        try:
            group.mkdir()
            site.ends.callback(group.rmdir)
            for name, value in values["first" if parent is one else "second"].items():
                (group / name).write_text(value)
        except OSError as error:
            site.skip(f"no control group can be created, or it accepts no limit: {error.strerror}")
        signs_in(site, ":", outer=["sh", "-ec", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"])
    return case


def no_streams(site):
    """A service manager may start a program without standard input, output and errors."""
    token = f"{site.folder}/token"
    site.at(":", "sh", "-ec", 'exec "$@" <&- >&- 2>&-', "sh", "entra-emulator", "run", "--",
            "sh", "-c", f"msal login; msal token -o raw > {token}", seconds=120)
    assert site.outside(token).read_text().count(".") >= 2, "there is no token"


def long_ago(site):
    """A machine without a battery for its clock starts in 1970."""
    site.tool("faketime")
    # faketime shares its time there.
    signs_in(site, "mkdir -p /dev/shm; mount -t tmpfs tmpfs /dev/shm", "faketime", "-f", "@1970-01-02 00:00:00")


CASES = {
    "an image without certificate authorities": no_authorities,
    "an API that is probed in such an image": probe_without_authorities,
    "a user ID without an entry, at the home of root": home_of_another,
    "a user ID without an entry and without HOME": no_home,
    "the emulator of a user without a writable folder": no_place_for_state,
    "a run of a user whose home is read-only": run_without_home("/"),
    "a run of a user without HOME": run_without_home(None),
    "a temporary folder mounted without exec": nothing_starts_in_temporary,
    "a read-only root with a writable home": read_only_root,
    "a machine that cannot resolve localhost": no_names,
    "a machine without /proc": no_proc,
    "a disk of 16 KiB": full_disk,
    "a network with only IPv6": network(
        "ip link add net0 type veth peer name net1", "ip link set net0 up", "ip link set net1 up",
        "ip addr add 2001:db8::2/64 dev net0 nodad", "ip route add default dev net0"),
    "a network with only IPv4": network("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6", 'test -z "$(ip -6 addr)"'),
    "a language and a time zone that do not exist": unknown_language,
    "64 MiB of memory": limited("memory", first={"memory.limit_in_bytes": "64M"}, second={"memory.max": "64M"}),
    "a tenth of a processor": limited("cpu", first={"cpu.cfs_quota_us": "10000"}, second={"cpu.max": "10000 100000"}),
    "no standard streams": no_streams,
    # The last case, because it may install a package.
    "a clock in 1970": long_ago,
}
