# Licensed under the MIT License. See LICENSE.
"""The files of a release: all exist, their checksums are correct, and the list of components is valid and correct."""
import hashlib
import os
import pathlib
import re
import shutil
import tarfile
import tempfile

from roots import ROOT_OF_PROJECT, Skipped, one, run

FORMS = [
    "msal-{0}-linux-*.tar.gz", "entra-emulator-{0}-linux-*.tar.gz", "msal_{0}_*.deb", "entra-emulator_{0}_*.deb",
    "msal-*-1.*.rpm", "entra-emulator-*-1.*.rpm", "msal-swift-linux-{0}-source.tar.gz", "site-{0}.tar.gz", "dependencies-{0}.txt",
    "entra-emulator-{0}-oci-*.tar", "sbom-{0}.cdx.json", "licences-{0}.txt", "notes-{0}.md", "SHA256SUMS",
]


class Trial:
    def __init__(self, dist, folder):
        self.dist, self.folder = dist, folder
        self.version = dist.name
        folder.mkdir()


def whole(trial):
    missing = [form.format(trial.version) for form in FORMS if not list(trial.dist.glob(form.format(trial.version)))]
    assert not missing, f"missing: {', '.join(missing)}"
    listed = {line.split()[-1] for line in (trial.dist / "SHA256SUMS").read_text().splitlines()}
    others = {file.name for file in trial.dist.iterdir()} - listed - {"SHA256SUMS"}
    assert not others, f"without a checksum: {', '.join(sorted(others))}"
    return f"{len(listed)} files"


def checksums(trial):
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=trial.dist)


def programs(trial):
    """Both programs, extracted from their archives."""
    for command in ("msal", "entra-emulator"):
        path = trial.folder / command
        if not path.exists():
            with tarfile.open(one(trial.dist, f"{command}-{trial.version}-linux-*.tar.gz")) as archive:
                member = next(one for one in archive.getmembers() if one.name.endswith(f"/bin/{command}"))
                member.name = command
                archive.extract(member, trial.folder, filter="data")
        yield path


def parts(trial):
    python = ROOT_OF_PROJECT / ".venv" / "bin" / "python"
    if not list(python.parent.parent.glob("lib/*/site-packages/cyclonedx")):
        raise Skipped("Packaging/requirements.txt is not installed in .venv")
    image = one(trial.dist, "*-oci-*.tar")
    run(python, ROOT_OF_PROJECT / "Packaging" / "check-sbom.py", trial.dist / f"sbom-{trial.version}.cdx.json", *programs(trial), image)


def links(trial):
    """Every symbolic link in the archives of the programs leads to a file in the same archive."""
    found = 0
    for command in ("msal", "entra-emulator"):
        with tarfile.open(one(trial.dist, f"{command}-{trial.version}-linux-*.tar.gz")) as archive:
            members = {member.name: member for member in archive.getmembers()}
        for member in filter(tarfile.TarInfo.issym, members.values()):
            target = os.path.normpath(os.path.join(os.path.dirname(member.name), member.linkname))
            assert target in members, f"{member.name} leads to {member.linkname}, which is missing"
            found += 1
    assert found, "the archives have no link"
    return f"{found} links"


def no_places(trial):
    """The programs do not contain the folder in which they were built."""
    # The toolchain's libraries contain the home folder of the toolchain's builder.
    pattern = rb"/(?:(?!home/build-user/)(?:root|home|tmp)|%b)/[\w./-]*\.(?:swift|c|cc|h)\b"
    for program in programs(trial):
        found = re.findall(pattern % re.escape(str(ROOT_OF_PROJECT.parent)[1:].encode()), program.read_bytes())
        assert not found, f"{program.name} names {sorted(set(found))[:3]}"


def rpms(trial):
    """The packages are installed by rpm into an empty folder, verified, and removed, and nothing is left."""
    if not shutil.which("rpm"):
        raise Skipped("rpm is not installed")
    root = trial.folder / "rpm"
    root.mkdir()
    rpm = ["rpm", "--root", root, "--nodeps"]  # The empty folder has no C library.
    run("rpm", "--root", root, "--initdb")
    run(*rpm, "--install", *trial.dist.glob("*.rpm"))
    run(*rpm, "--verify", "--all")
    for command in ("msal", "entra-emulator"):
        run(root / "usr" / "bin" / command, "--version")
    assert (root / "usr" / "bin" / "docker-credential-msal").readlink() == pathlib.Path("msal")
    run(*rpm, "--erase", "msal", "entra-emulator")
    left = [str(file) for file in (root / "usr").rglob("*") if not file.is_dir()]
    assert not left, f"left behind: {left[:20]}"


def recipes(trial):
    """The programs that read the recipes accept them, and they contain the archives' checksums."""
    sums = [hashlib.sha256(one(trial.dist, f"{command}-{trial.version}-linux-*.tar.gz").read_bytes()).hexdigest()
            for command in ("msal", "entra-emulator")]
    texts = {}
    for name, command in {"PKGBUILD": "makepkg", "package.nix": "nix-instantiate"}.items():
        if not (trial.dist / name).exists():
            raise Skipped("the release was built without MSAL_HOMEPAGE")
        if not shutil.which(command):
            raise Skipped(f"{command} is not installed")
        texts[name] = (trial.dist / name).read_text()
        assert all(checksum in texts[name] for checksum in sums), f"{name} has different checksums"
    # makepkg refuses to run as root, and requires pacman, which installs packages. Other users cannot read the trial's folder.
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "PKGBUILD").write_text(texts["PKGBUILD"])
        os.chown(folder, 65534, 65534)
        run("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "env", f"HOME={folder}", "PACMAN=true", "makepkg",
            "--printsrcinfo", cwd=folder)
    run("nix-instantiate", "--parse", trial.dist / "package.nix")


def sources(trial):
    """Every dependency in the list of versions is included, and no file of the repository is missing."""
    with tarfile.open(one(trial.dist, f"msal-swift-linux-{trial.version}-source.tar.gz")) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers()}
    folders = {name.split("/")[1].lower() for name in names if name.startswith("Vendor/") and name.count("/") > 1}
    versions = (ROOT_OF_PROJECT / "Packaging" / "versions.txt").read_text().splitlines()
    missing = {line.split()[0] for line in versions} - folders
    assert not missing, f"not included: {', '.join(sorted(missing))}"
    assert {"Package.swift", "Packaging/offline", "Vendor/list.txt"} <= names
    return f"{len(folders)} dependencies"


NEEDED = {"all files exist"}
CASES = {
    "all files exist": whole,
    "the checksums are correct": checksums,
    "the list of components is valid and complete, and matches these files": parts,
    "rpm installs and removes its packages": rpms,
    "the recipes for AUR and Nix are valid": recipes,
    "the source archive has all dependencies": sources,
    "the links in the archives lead to files": links,
    "the programs contain no folder of their builder": no_places,
}
