# Licensed under the MIT License. See LICENSE.
"""skopeo pushes an image to a registry like Azure's and pulls it, with the tokens of `msal docker-credential`."""
import gzip
import hashlib
import io
import json
import subprocess
import tarfile

import registry
from registry import NOBODY, REGISTRIES, REGISTRY, Registry

IMAGE = f"docker://{REGISTRY}/team/app:1"
LAYOUT = "application/vnd.oci.image."


def image(folder):
    """An image of one file, in the form of a folder (OCI Image Layout Specification)."""
    content, layer = b"Hello\n", io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as archive:
        entry = tarfile.TarInfo("greeting")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    blobs = folder / "blobs" / "sha256"
    blobs.mkdir(parents=True)

    def blob(kind, content):
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        return {"mediaType": LAYOUT + kind, "digest": f"sha256:{digest}", "size": len(content)}

    difference = "sha256:" + hashlib.sha256(layer.getvalue()).hexdigest()
    configuration = blob("config.v1+json", json.dumps({
        "architecture": "amd64", "os": "linux", "config": {}, "rootfs": {"type": "layers", "diff_ids": [difference]},
    }).encode())
    layers = [blob("layer.v1.tar+gzip", gzip.compress(layer.getvalue(), mtime=0))]
    manifest = blob("manifest.v1+json", json.dumps({
        "schemaVersion": 2, "mediaType": LAYOUT + "manifest.v1+json", "config": configuration, "layers": layers,
    }).encode())
    (folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    (folder / "index.json").write_text(json.dumps({
        "schemaVersion": 2, "manifests": [{**manifest, "annotations": {"org.opencontainers.image.ref.name": "1"}}]}))
    return manifest["digest"]


def skopeo(world, *arguments, helper="msal"):
    """skopeo with the helper on the PATH."""
    place = world.folder / "bin"
    place.mkdir(exist_ok=True)
    if not (link := place / "docker-credential-msal").exists():
        link.symlink_to(world.build / "msal")
    (world.folder / "auth.json").write_text(json.dumps({"credHelpers": {REGISTRY: helper} if helper else {}}))
    environment = {
        **world.environment, "PATH": f"{place}:{world.environment['PATH']}",
        "REGISTRY_AUTH_FILE": str(world.folder / "auth.json"),
        # This puts its cache below HOME, although this user may be root.
        "_CONTAINERS_ROOTLESS_UID": "1000",
    }
    return subprocess.run(["skopeo", "--insecure-policy", *arguments], env=environment, text=True, capture_output=True,
                          timeout=60, check=False)


def copied(world):
    if not registry.is_installed():
        print("       skopeo or docker-registry is not installed; skipped", flush=True)
        return
    digest = image(world.folder / "mine")
    world.login("--scope", f"{REGISTRIES}/.default")
    with Registry(world) as azure:
        for arguments in [("copy", f"oci:{world.folder}/mine:1", IMAGE), ("copy", IMAGE, f"oci:{world.folder}/fetched:1")]:
            done = skopeo(world, *arguments)
            assert done.returncode == 0, done.stderr + azure.log()
        assert (world.folder / "fetched" / "blobs" / "sha256" / digest.partition(":")[2]).exists()
        done = skopeo(world, "inspect", IMAGE)
        assert done.returncode == 0, done.stderr
        seen = json.loads(done.stdout)
        assert (seen["Name"], seen["Digest"], seen["RepoTags"]) == (f"{REGISTRY}/team/app", digest, ["1"]), seen
        assert {"repository:team/app:pull", "repository:team/app:pull,push"} <= set(azure.scopes), azure.scopes
    # Three programs, one exchange: the registry's token is cached.
    assert len([request for request in world.service.at(REGISTRY) if request.path == "/oauth2/exchange"]) == 1


def refused(world):
    """Without the helper, or without a signed-in user, the registry returns nothing."""
    if not registry.is_installed():
        print("       skopeo or docker-registry is not installed; skipped", flush=True)
        return
    with Registry(world):
        anonymous = skopeo(world, "inspect", IMAGE, helper=None)
        assert anonymous.returncode != 0 and "unauthorized" in anonymous.stderr.lower(), anonymous.stderr
        missing = skopeo(world, "inspect", IMAGE)
        assert missing.returncode != 0 and "Not signed in." in missing.stderr, missing.stderr
        assert not [request for request in world.service.at(REGISTRY) if NOBODY in str(request.headers)]


CASES = {
    "skopeo pushes an image to a registry, inspects it, and pulls it": copied,
    "without a sign-in the registry returns nothing": refused,
}
