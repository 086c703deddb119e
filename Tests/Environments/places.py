# Licensed under the MIT License. See LICENSE.
"""Places that have little more than the programs: no authorities, no home, no entry for the user, folders that refuse.

One list for three sites: the built tree in the system of this machine (cases/bare.py), and in a Debian that has nothing
else the packages (Tests/Release/cases/bare.py) or the built tree (built.py there). A site has
    folder          a folder of the case's own, as programs find it; `outside(path)` is the path for this program
    at(place, ...)  what a command writes that runs after lines of shell, which make the place in mounts of its own
    tool(name)      makes sure that a program of Debian is there
    skip(reason)    ends a case that cannot be played
    ends            what is undone after the case
"""
import pathlib

PATH = "/usr/bin:/bin"
CLIENT = "00000000-0000-4000-8000-000000000001"
API = "api://00000000-0000-4000-8000-0000000000a1"
NOBODY = ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"]
# There may be no such folder, because what makes it is only recommended.
NO_AUTHORITIES = "test ! -d /etc/ssl || mount -t tmpfs tmpfs /etc/ssl"


def signs_in(site, place, *prefix, **changes):
    """The whole sign-in, by the command and the emulator."""
    text = site.at(place, *prefix, "entra-emulator", "run", "--", "msal", "login", **{"seconds": 120, **changes})
    assert "Signed in as" in text, text


def says(text, *words):
    """The message has all of these words."""
    missing = [word for word in words if word not in text]
    assert not missing, f"{missing} is not in:\n{text}"


def temporary(site, options):
    """The lines that mount a temporary folder with these options, and the folder."""
    folder = f"{site.folder}/temporary"
    return f"mkdir -p {folder}; mount -t tmpfs -o {options} tmpfs {folder}", folder


def no_authorities(site):
    """What trusts the emulator's own authority needs no other."""
    signs_in(site, NO_AUTHORITIES)


def probe_without_authorities(site):
    """`probe` is given the emulator's authority, too. The emulator's own API is asked."""
    own = ["--control-port", "18444", "--state", f"{site.folder}/state"]
    text = site.at(NO_AUTHORITIES, "entra-emulator", "run", "--port", "18443", *own, "--",
                   "entra-emulator", "probe", "https://localhost:18443/api/todos", "--api", API, *own, seconds=60)
    assert "refused" in text and "LET IN" not in text, text


def home_of_another(site):
    """The error is about the home folder, and so is the remedy."""
    for command in [("token", "-o", "raw"), ("doctor",)]:
        text = site.at(":", "msal", *command, user=NOBODY, status=6, HOME="/", MSAL_CLIENT_ID=CLIENT, MSAL_SCOPES="User.Read",
                       seconds=60)
        assert "MSAL_STORE_DIR" in text and "redirect" not in text, text


def no_home(site):
    """The emulator says what is not set, and what can be named in its place."""
    says(site.at(":", "entra-emulator", "serve", user=NOBODY, status=1, HOME=None), "HOME is not set", "--state")


def no_place_for_state(site):
    """`serve` keeps its certificates, so it wants a folder, and names both ways to give it one."""
    says(site.at(":", "entra-emulator", "serve", user=NOBODY, status=1, HOME="/"),
         "Permission denied", "--state", "XDG_STATE_HOME")


def run_without_home(home):
    """`run` keeps nothing, so it signs in all the same, and says in one line what it did without."""
    def case(site):
        text = site.at(":", "entra-emulator", "run", "--", "msal", "login", user=NOBODY, HOME=home, TMPDIR="/tmp",
                       seconds=120)
        assert "Signed in as" in text, text
        assert text.count("the certificates of this run are temporary") == 1, text
    return case


def nothing_starts_in_temporary(site):
    """The browser stand-in needs no file that the system starts."""
    place, folder = temporary(site, "noexec")
    signs_in(site, place, TMPDIR=folder)


def read_only_root(site):
    """The sentence names the folder, the system's reason and the variable that chooses another one, which then helps."""
    place = "\n".join([
        f"mount --bind {site.folder} {site.folder}", "mount --rbind /tmp /tmp", "mount -o remount,bind,ro /tmp",
        "mount -o remount,bind,ro /",
    ])
    says(site.at(place, "entra-emulator", "run", "--", "true", status=125, TMPDIR="/tmp"),
         "/tmp/", "Read-only file system", "TMPDIR")
    signs_in(site, place, TMPDIR=site.folder)


def no_names(site):
    """Neither the file of hosts nor a name server knows `localhost` (RFC 6761, section 6.3)."""
    site.outside(f"{site.folder}/nsswitch").write_text("hosts: files\n")
    place = f"mount --bind /dev/null /etc/hosts; mount --bind {site.folder}/nsswitch /etc/nsswitch.conf"
    signs_in(site, place)
    site.at(place, "getent", "ahosts", "localhost", status=2)  # So the case has what it says.


def no_proc(site):
    """The Swift runtime reads the arguments there. So no command does something else than it was told."""
    for command in (["entra-emulator", "serve", "--state", f"{site.folder}/state"], ["entra-emulator", "--version"],
                    ["msal", "logout", "--all"], ["msal", "--version"]):
        says(site.at("mount -t tmpfs tmpfs /proc", *command, status=1), "arguments cannot be read", "/proc is not mounted")


def full_disk(site):
    """A disk with room for a few small files."""
    place, folder = temporary(site, "size=16k,mode=700")
    says(site.at(place, "entra-emulator", "serve", "--state", folder, status=1), folder, "No space left on device")


def network(*lines):
    """A network of the case's own, which has what these lines give it besides the loopback interface."""
    script = "\n".join(["ip link set lo up", *lines, 'exec "$@"'])
    return lambda site: signs_in(site, ":", outer=["unshare", "--net", "sh", "-ec", script, "sh"])


def unknown_language(site):
    """A language and a time zone that this system does not have."""
    signs_in(site, ":", LC_ALL="xx_XX.UTF-8", LANG="xx_XX.UTF-8", TZ="Nowhere/Nothing")


def limited(controller, **values):
    """Limits of a container, by a control group of version 1 or 2."""
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
            site.skip(f"no control group can be made, or it takes no limit: {error.strerror}")
        signs_in(site, ":", outer=["sh", "-ec", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"])
    return case


def no_streams(site):
    """A service manager may start a program without standard input, output and errors."""
    token = f"{site.folder}/token"
    site.at(":", "sh", "-ec", 'exec "$@" <&- >&- 2>&-', "sh", "entra-emulator", "run", "--",
            "sh", "-c", f"msal login; msal token -o raw > {token}", seconds=120)
    assert site.outside(token).read_text().count(".") >= 2, "there is no token"


def long_ago(site):
    """A machine without a battery for its clock begins in 1970."""
    site.tool("faketime")
    # faketime shares its time there.
    signs_in(site, "mkdir -p /dev/shm; mount -t tmpfs tmpfs /dev/shm", "faketime", "-f", "@1970-01-02 00:00:00")


CASES = {
    "an image without certificate authorities": no_authorities,
    "an API that is probed in such an image": probe_without_authorities,
    "a user id without an entry, at the home of root": home_of_another,
    "a user id without an entry and without HOME": no_home,
    "the emulator of a user who may write nowhere": no_place_for_state,
    "a run of a user whose home cannot be written": run_without_home("/"),
    "a run of a user without HOME": run_without_home(None),
    "a temporary folder in which nothing can be started": nothing_starts_in_temporary,
    "a root that is only read, with a home that can be written": read_only_root,
    "a machine that does not know localhost": no_names,
    "a machine without /proc": no_proc,
    "a disk of 16 KiB": full_disk,
    "a network of IPv6 alone": network(
        "ip link add net0 type veth peer name net1", "ip link set net0 up", "ip link set net1 up",
        "ip addr add 2001:db8::2/64 dev net0 nodad", "ip route add default dev net0"),
    "a network of IPv4 alone": network("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6", 'test -z "$(ip -6 addr)"'),
    "a language and a time zone that do not exist": unknown_language,
    "64 MiB of memory": limited("memory", first={"memory.limit_in_bytes": "64M"}, second={"memory.max": "64M"}),
    "a tenth of a processor": limited("cpu", first={"cpu.cfs_quota_us": "10000"}, second={"cpu.max": "10000 100000"}),
    "no standard streams": no_streams,
    # The last one, because it may bring a package along.
    "a clock in 1970": long_ago,
}
