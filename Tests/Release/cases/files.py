# Licensed under the MIT License. See LICENSE.
"""The files of a release by themselves: all are there, their checksums fit, and the list of parts is valid and tells the truth."""
import re
import tarfile

from roots import ROOT_OF_PROJECT, Skipped, one, run

FORMS = [
    "msal-{0}-linux-*.tar.gz", "entra-emulator-{0}-linux-*.tar.gz", "msal_{0}_*.deb", "entra-emulator_{0}_*.deb",
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
    """Both programs, taken out of their archives."""
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
    if not python.exists():
        raise Skipped("Packaging/requirements.txt is not installed in .venv")
    image = one(trial.dist, "*-oci-*.tar")
    run(python, ROOT_OF_PROJECT / "Packaging" / "check-sbom.py", trial.dist / f"sbom-{trial.version}.cdx.json", *programs(trial), image)


def no_places(trial):
    """Nobody needs to know in which folder the programs were made."""
    # The home of the toolchain's builder is in the toolchain's own libraries.
    pattern = rb"/(?:(?!home/build-user/)(?:root|home|tmp)|%b)/[\w./-]*\.(?:swift|c|cc|h)\b"
    for program in programs(trial):
        found = re.findall(pattern % re.escape(str(ROOT_OF_PROJECT.parent)[1:].encode()), program.read_bytes())
        assert not found, f"{program.name} names {sorted(set(found))[:3]}"


NEEDED = {"all files are there"}
CASES = {
    "all files are there": whole,
    "the checksums fit": checksums,
    "the list of parts is valid and whole, and is about these files": parts,
    "the programs name no folder of their builder": no_places,
}
