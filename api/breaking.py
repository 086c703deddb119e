# Licensed under the MIT License. See LICENSE.
"""What breaks the programs that use a module, as the SDK digester sees it, and which versions may do that."""
import json
import pathlib
import re
import subprocess
import tempfile


def breaking(before, after):
    """One sentence for each breaking change between two digests of a module."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("before.json", "after.json")]
        for path, digest in zip(paths, (before, after)):
            path.write_text(json.dumps(digest), encoding="utf-8")
        command = ["swift-api-digester", "-diagnose-sdk"]
        for path in paths:
            command += ["-input-paths", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    # The digester prints a headline for each kind of change, and ends with 0 whatever it found.
    if done.returncode or "/* Removed Decls */" not in lines:
        raise SystemExit(f"swift-api-digester cannot compare the modules.\n{done.stderr[-2000:]}")
    return sorted({line for line in lines if line and not line.startswith("/*")})


def allows(old, new):
    """Whether a version may break what the version before it had: SemVer 2.0.0, sections 4 and 8."""
    def numbers(version):
        return tuple(int(number) for number in re.match(r"(\d+)\.(\d+)\.(\d+)", version).groups())

    before, after = numbers(old), numbers(new)
    if before[0] == 0:
        return after[:2] > before[:2]
    return after[0] > before[0]
