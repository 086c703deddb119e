# Licensed under the MIT License. See LICENSE.
"""The emulator's image: unpacked by umoci, started by runc as by a container engine, used over the network, and stopped."""
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from journey import is_healthy
from roots import Skipped, await_, one, run

NAME = "emulator"
STATE = "/var/lib/entra-emulator"
USER = 10001


class Trial:
    def __init__(self, dist, folder):
        self.dist, self.folder, self.version = dist, folder, dist.name
        self.bundle, self.volume, self.log = folder / "bundle", folder / "volume", folder / "log"
        self.process = None
        folder.mkdir()

    def runc(self, *arguments):
        return ["runc", "--root", str(self.folder / "runc"), *arguments]

    @property
    def ca_file(self):
        return self.volume / "ca.pem"


def unpack(trial):
    image = one(trial.dist, "*-oci-*.tar")
    for program in ("umoci", "runc"):
        if not shutil.which(program):
            raise Skipped(f"{program} is not installed")
    layout = trial.folder / "layout"
    layout.mkdir()
    run("tar", "--extract", "--file", image, "--directory", layout)
    run("umoci", "unpack", "--image", f"{layout}:entra-emulator:{trial.version}", trial.bundle)
    size = image.stat().st_size / 1e6
    # The target is in docs/Performance.md.
    assert size <= 40, f"it has {size:.1f} MB"
    return f"{size:.1f} MB"


def settings(trial):
    """The image's configuration for an engine."""
    blobs = {file.name: file for file in (trial.folder / "layout" / "blobs" / "sha256").iterdir()}
    index = json.loads((trial.folder / "layout" / "index.json").read_text())
    manifest = json.loads(blobs[index["manifests"][0]["digest"].partition(":")[2]].read_text())
    image = json.loads(blobs[manifest["config"]["digest"].partition(":")[2]].read_text())
    wanted = {"User": f"{USER}:{USER}", "ExposedPorts": {"8443/tcp": {}}, "Volumes": {STATE: {}}, "StopSignal": "SIGTERM"}
    found = {name: image["config"].get(name) for name in wanted}
    assert found == wanted, f"its configuration is {found}"
    labels = image["config"]["Labels"]
    assert labels["org.opencontainers.image.version"] == trial.version, labels


def start(trial):
    """With a read-only root, no capabilities, and a volume that belongs to the user, as engines set it up."""
    trial.volume.mkdir(mode=0o700)
    os.chown(trial.volume, USER, USER)
    place = trial.bundle / "config.json"
    bundle = json.loads(place.read_text())
    bundle["process"]["terminal"] = False
    bundle["process"]["capabilities"] = {}
    bundle["root"]["readonly"] = True
    # The network of this trial, in which the port would be published.
    bundle["linux"]["namespaces"] = [one for one in bundle["linux"]["namespaces"] if one["type"] != "network"]
    bundle["mounts"] = [one for one in bundle["mounts"] if one["destination"] not in (STATE, "/sys", "/sys/fs/cgroup")]
    bundle["mounts"].append({"destination": STATE, "type": "bind", "source": str(trial.volume), "options": ["bind", "rw"]})
    place.write_text(json.dumps(bundle))
    begin = time.monotonic()
    with open(trial.log, "wb") as log:
        trial.process = subprocess.Popen(trial.runc("run", "--bundle", str(trial.bundle), NAME), stdin=subprocess.DEVNULL,
                                         stdout=log, stderr=subprocess.STDOUT)
    await_(lambda: is_healthy(trial.ca_file) if trial.ca_file.exists() else trial.process.poll() is not None, trial.log.read_text)
    assert trial.process.poll() is None, f"it ended with {trial.process.returncode}:\n{trial.log.read_text()}"
    return f"/health responded after {time.monotonic() - begin:.2f} s"


def is_unprivileged(trial):
    state = json.loads(run(*trial.runc("state", NAME)))
    status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{state['pid']}/status").read_text().splitlines()
                  if ":\t" in line)
    assert set(status["Uid"].split()) == {str(USER)}, f"its user is {status['Uid']}"
    assert int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0, f"it has capabilities: {status['CapEff']}"
    mounts = pathlib.Path(f"/proc/{state['pid']}/mounts").read_text().splitlines()
    root = next(line.split() for line in mounts if line.split()[1] == "/")
    assert "ro" in root[3].split(","), f"its root is mounted {root[3]}"
    assert {file.stat().st_uid for file in trial.volume.iterdir()} == {USER}, "its state belongs to another user"


def reached_from_outside(trial):
    """The address to which an engine forwards a published port is not a loopback address."""
    run("ip", "address", "add", "10.77.0.1/32", "dev", "lo")
    context = ssl.create_default_context(cafile=str(trial.ca_file))
    context.check_hostname = False
    with urllib.request.urlopen("https://10.77.0.1:8443/health", context=context, timeout=5) as answer:
        assert answer.status == 200
    try:
        with urllib.request.urlopen("https://10.77.0.1:8444/health", context=context, timeout=5):
            raise AssertionError("the control API can be reached, too")
    except urllib.error.URLError:
        pass


def token(trial):
    form = {"grant_type": "client_credentials", "client_id": "00000000-0000-4000-8000-000000000010",
            "client_secret": "Emulator-secret-1", "scope": "https://graph.microsoft.com/.default"}
    request = urllib.request.Request("https://localhost:8443/contoso.example/oauth2/v2.0/token",
                                     urllib.parse.urlencode(form).encode())
    with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=str(trial.ca_file)), timeout=10) as answer:
        assert json.load(answer)["access_token"].count(".") == 2


def commands(trial):
    """The purpose of `podman exec`: the settings of a client."""
    text = run(*trial.runc("exec", NAME, "entra-emulator", "env", "--for", "msal"))
    assert f"MSAL_CA_FILE='{STATE}/ca.pem'" in text, text


def stop(trial):
    begin = time.monotonic()
    run(*trial.runc("kill", NAME, "TERM"))
    status = trial.process.wait(timeout=10)
    seconds = time.monotonic() - begin
    assert status == 0, f"it ended with {status}:\n{trial.log.read_text()}"
    assert seconds < 1, f"it took {seconds:.1f} s"
    return f"after {seconds * 1000:.0f} ms"


NEEDED = {"umoci unpacks it", "it starts with a read-only root"}
CASES = {
    "umoci unpacks it": unpack,
    "it declares a user, a port, a volume and SIGTERM": settings,
    "it starts with a read-only root": start,
    "it runs without privileges": is_unprivileged,
    "a published port reaches it, and not the control API": reached_from_outside,
    "it issues a token": token,
    "its commands work inside": commands,
    "SIGTERM ends it within a second": stop,
}
