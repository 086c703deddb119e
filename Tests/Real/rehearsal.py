# Licensed under the MIT License. See LICENSE.
"""Tests the run against Microsoft's service: the same program against the emulator, under Microsoft's names.

usage: rehearsal.py BUILD_FOLDER     with the Python of .venv; it needs user namespaces
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Peers"), str(HERE.parent / "Clients")]

import real  # noqa: E402
from harness import PASSWORD, USER, check  # noqa: E402
from person import Person  # noqa: E402

INSIDE = "MSAL_REHEARSAL_INSIDE"
TENANT, CLIENT = "contoso.example", "12345678-1234-4234-8234-123456789abc"
# What must not be in a report: a token or a part of one, an ID, a name, an address.
SECRETS = [re.compile(text, re.I) for text in (
    "eyJ", real.ID.pattern, "[A-Za-z0-9_-]{30}", "megan|bowen|alex", "contoso|example|fabrikam", "https?:", "@", "/tmp")]
# A command that puts secrets where none belong, and otherwise is the command.
FALSE_COMMAND = """#!/bin/sh
case "$*" in
    --version) echo "0.9.0 megan@contoso.example" ;;
    "token --refresh"*) echo '{"error": {"message": "eyJ.eyJ.x", "remedy": null, "code": "megan@contoso.example",
        "internal_code": -42004, "error_codes": [70000, "11111111-1111-1111-1111-111111111111"]}}'; exit 1 ;;
    *) exec "$REAL_MSAL" "$@" ;;
esac
"""
SLOW_COMMAND = """#!/bin/sh
case "$1" in
    doctor) exec sleep 60 ;;
    login) echo '{"error": {"message": "No.", "remedy": null, "code": -50000, "internal_code": null, "error_codes": []}}'; exit 1 ;;
    *) exec "$REAL_MSAL" "$@" ;;
esac
"""


class Runs:
    """Runs of the program, each with an empty folder for its temporary files."""

    def __init__(self, build, folder):
        self.msal, self.folder, self.count = build / "msal", folder, 0

    def start(self, *words, msal=None, tenant=TENANT, client=CLIENT, **changes):
        self.count += 1
        self.place = self.folder / str(self.count)
        self.place.mkdir()
        self.report = self.place / "report.md"
        self.temporary = self.place / "tmp"
        self.temporary.mkdir()
        environment = {name: value for name, value in os.environ.items() if name not in ("CI", "GITHUB_ACTIONS", "TF_BUILD")}
        environment |= {"TMPDIR": str(self.temporary), "REAL_MSAL": str(self.msal), **changes}
        return subprocess.Popen(
            [sys.executable, "-u", str(HERE / "real.py"), str(msal or self.msal), tenant, client, "--report", str(self.report), *words],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True)

    def __call__(self, *words, **options):
        """The status, the output, and the rows of the report: the cells by the title of the check."""
        process = self.start(*words, **options)
        output = process.communicate(timeout=120)[0]
        return process.returncode, output, self.rows()

    def rows(self):
        """The cells of each row of the report, by the first one."""
        if not self.report.exists():
            return {}
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in self.report.read_text().splitlines()
                if line.startswith("|")]
        return {row[0]: row[1:] for row in rows[2:]}

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def check_nothing_is_left(self, process):
        check(not list(self.temporary.iterdir()) and not self.report.exists(), "  and leaves no file")
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return check(True, "  and no process")
        check(False, "  and no process")


def await_line(process, pattern):
    """Reads the output up to a line that matches, and returns the match."""
    seen = ""
    while not (found := re.search(pattern, line := process.stdout.readline())):
        assert line, f"the program ended:\n{seen}"
        seen += line
    return found


def refuse(suffix, number):
    """Lets the emulator refuse the next request to an address, by its control API on one of the ports of this network."""
    folder = next(pathlib.Path(tempfile.gettempdir()).glob("entra-emulator-run-*/state"))
    listening = subprocess.run(["ss", "-tlnH"], capture_output=True, text=True, check=True).stdout
    for port in re.findall(r"127\.0\.0\.1:(\d+)", listening):
        request = urllib.request.Request(
            f"https://localhost:{port}/faults", json.dumps({"pathSuffix": suffix, "refusal": number}).encode(),
            {"Authorization": f"Bearer {(folder / 'control-token').read_text().strip()}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=5):
                return
        except OSError:
            continue
    raise SystemExit("FAILED: no port is the control API's")


def published(run):
    """A report may show only what the allow-list names."""
    text = run.report.read_text()
    found = [pattern.pattern for pattern in SECRETS if pattern.search(text)]
    check(not found, f"  and its report has no token, name, or ID {found or ''}")
    check(len(run.rows()) == len(real.CHECKS), "  and a line for every check")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not os.environ.get(INSIDE):
        command = [str(build / "entra-emulator"), "run", "--quiet", "--as-service", "--as", USER, "--", sys.executable, *sys.argv]
        raise SystemExit(subprocess.run(command, env={**os.environ, INSIDE: "1"}, check=False).returncode)
    with tempfile.TemporaryDirectory() as folder:
        rehearse(Runs(build, pathlib.Path(folder)))


def rehearse(run):
    home = pathlib.Path.home()
    before = list(home.rglob("*"))
    status, output, rows = run()
    failed = [name for name, cells in rows.items() if cells[0] != "passed"]
    check(status == 0 and not failed, f"every check passes at the emulator {failed or ''}{output if failed or status else ''}")
    published(run)
    check(list(home.rglob("*")) == before and not list(run.temporary.iterdir()), "  and no file is left")

    process = run.start("--device-code")
    code = await_line(process, r"\b[A-Z0-9]{9}\b")
    Person(os.environ["REQUESTS_CA_BUNDLE"], USER, PASSWORD).open(f"{real.LOGIN}/devicelogin?otc={code[0]}")
    output = process.communicate(timeout=120)[0]
    check(process.returncode == 0, f"every check passes after a sign-in with a device code {output if process.returncode else ''}")

    status, output, rows = run(msal=run.program("false-msal", FALSE_COMMAND))
    cells = rows[real.refreshed.__doc__]
    check(status == 1 and cells[0] == "FAILED" and cells[3:6] == ["70000, 1 not shown", "", "-42004, 1 not shown"],
          f"a check that fails is reported with its numbers {cells if status != 1 else ''}")
    check([cells[0] for cells in rows.values()].count("FAILED") == 1, "  and the others are run")
    published(run)

    status, output, rows = run("--limit", "1", msal=run.program("slow-msal", SLOW_COMMAND))
    check(status == 1 and rows[real.doctor.__doc__][0] == "FAILED" and "within its time limit" in output, "a check has a time limit")
    check(rows[real.sign_out.__doc__][0] == "not run", "without a sign-in, the rest is not run")

    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = run.start(BROWSER="/bin/true")
        await_line(process, "Waiting for the browser")
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        process.communicate(timeout=30)
        check(process.returncode == status, f"{number.name} during the sign-in ends it")
        run.check_nothing_is_left(process)

    for words, message in (
            ({"tenant": "unknown.example"}, "The service does not know the tenant unknown.example (AADSTS90002)."),
            ({"tenant": "common"}, "common is not a tenant"), ({"client": "my-app"}, "my-app is not a client ID"),
            ({"CI": "true"}, "refuses to start where CI is set")):
        status, output, rows = run(**words)
        check(status == (1 if rows else 2) and message in output, f"{' '.join(next(iter(words.items())))}: {message}")
    refuse("/authorize", 700016)
    status, output, rows = run()
    check(status == 1 and "AADSTS700016" in output and rows[real.sign_in.__doc__][0] == "not run",
          f"a client ID that the tenant does not know is named before the sign-in {'' if status == 1 else output}")


main()
