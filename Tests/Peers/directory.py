# Licensed under the MIT License. See LICENSE.
"""Directory files as users have them: the file of docs/emulator/Directory.md, the published schema with Python's jsonschema, the
page's curl commands, and an export of a running emulator that another one serves.

usage: directory.py BUILD_FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

from harness import Emulator, check

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "emulator" / "Directory.md").read_text()
SCHEMA = json.loads((ROOT / "docs" / "entra-emulator.schema.json").read_text())


class Loader(yaml.SafeLoader):
    """YAML 1.2 has no dates: they are strings, as in the schema."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def run(program, *arguments, status=0):
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != status:
        raise SystemExit(f"FAILED: {' '.join(map(str, arguments))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def files(program, folder):
    """Valid files, for both readers."""
    written, example, policies = folder / "init.yaml", folder / "page.yaml", folder / "policies.yaml"
    run(program, "seed", "init", written)
    example.write_text(re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1])
    situations = (ROOT / "docs" / "emulator" / "Situations.md").read_text()
    policies.write_text(written.read_text() + re.search(r"```yaml\n(policies:.*?)```", situations, re.DOTALL)[1])
    default = folder / "default.json"
    default.write_text(run(program, "seed", "export", "--seed", written, "--json", "--with-secrets"))
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for file in (written, example, policies, default):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        errors = [error.message for error in validator.iter_errors(yaml.load(file.read_text(), Loader))]
        check(not errors, f"{file.name} conforms to the schema {errors or ''}")
        if file != policies:  # They refer to entries of the reader's file.
            check("is valid:" in run(program, "seed", "check", file), f"{file.name} is valid")
    return written


def mistakes(program, folder):
    """Mistakes that both readers find."""
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for index, member in enumerate((
        "redirectURI: [http://localhost]", "redirectUris: http://localhost", "type: singlepage", "secrets: [12345]",
        "isInFamily: maybe", "secrets: [{name: one}]", "certificates: [{subject: one}]",
    )):
        file = folder / f"wrong{index}.yaml"
        file.write_text(f"tenants: [{{domain: a.example}}]\napplications:\n  - clientId: tasks\n    {member}\n")
        check(any(validator.iter_errors(yaml.load(file.read_text(), Loader))), f"the schema forbids {member}")
        check(f"{file.name}:" in run(program, "seed", "check", file, status=1), f"the emulator rejects {member}")


def lines(emulator):
    """The curl commands of the page, one after the other."""
    block = re.search(r"```sh\n(curl --cacert.*?)```", PAGE, re.DOTALL)[1]
    done = subprocess.run(
        ["bash", "-euc", block.replace("curl --cacert", "curl --silent --show-error --fail-with-body --cacert")],
        env={"PATH": "/usr/bin:/bin", "ca": emulator.ca_file, "control": emulator.control, "token": emulator.control_token()},
        capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 0, f"the page's curl commands work {done.stderr}")
    check('"displayName":"Nightly job"' in done.stdout and '"removed":"nightly"' in done.stdout, "their output is that of the page")


def export(program, emulator, folder):
    """An export of a running emulator is valid, and remains the same when it is served."""
    options = ("--control-port", emulator.control.rsplit(":", 1)[1], "--state", emulator.folder / "state")
    emulator.steer("POST", "/applications", {"clientId": "exported", "secrets": [{"name": "first"}]})
    text = run(program, "seed", "export", *options, "--with-secrets")
    file = folder / "export.yaml"
    file.write_text(text)
    check("is valid:" in run(program, "seed", "check", file), "the export of a running emulator is valid")
    again = run(program, "seed", "export", "--seed", file, "--with-secrets")
    check(again == text, "a second export is the same")
    hidden = run(program, "seed", "export", *options)
    check("<hidden>" in hidden and "Another-pass1" not in hidden, "an export without secrets contains none")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    program = build / "entra-emulator"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        written = files(program, folder)
        mistakes(program, folder)
        emulator = Emulator(build, folder, options=("--seed", written, "--data", folder / "data"))
        try:
            lines(emulator)
            export(program, emulator, folder)
        finally:
            emulator.stop()
    print("directory files work")


main()
