# Licensed under the MIT License. See LICENSE.
"""The snippets of docs/emulator/Clients.md, and a shell in which they run unmodified."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "emulator" / "Clients.md"


def sections():
    """The headings of the page, each with its blocks: pairs of a language and a text."""
    found, title = {}, None
    fence = re.compile(r"^## (?P<title>[^\n]+)$|^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
    for match in fence.finditer(PAGE.read_text(encoding="utf-8")):
        if match["title"]:
            title = match["title"]
            found[title] = []
        elif title:
            found[title].append((match["language"], match["text"]))
    return found


def blocks(title, language):
    """The blocks of a language below a heading."""
    return [text for other, text in sections()[title] if other == language]


class Shell:
    """A shell in a test environment: `entra-emulator env` describes its emulator, and `python` is this test's Python."""

    def __init__(self, place):
        self.place = place
        programs = place.folder / "bin"
        programs.mkdir(exist_ok=True)
        emulator = place.emulator
        wrapper = programs / "entra-emulator"
        wrapper.write_text(f'#!/bin/sh\nexec "{place.build}/entra-emulator" "$@" --port {emulator.port} '
                           f'--state "{emulator.folder}/state"\n')
        wrapper.chmod(0o755)
        self.programs = [programs, pathlib.Path(sys.executable).parent]
        self.replacements = {}

    def run(self, title, language=None, number=0, program=None, **variables):
        """Runs the shell commands below a heading, then one block of a language with a program. Returns the output of the
        latter."""
        lines = self.text("\n".join(blocks(title, "sh")))
        if language:
            file = self.place.folder / f"snippet.{language}"
            file.write_text(self.text(blocks(title, language)[number]))
            lines += f'\nexec "{program or sys.executable}" "{file}"\n'
        # The machine may set variables for trusted authorities; the page must be sufficient without them.
        environment = {name: value for name, value in os.environ.items() if not name.endswith(("_CA_BUNDLE", "_CERT_FILE"))}
        environment |= {"PATH": os.pathsep.join([*map(str, self.programs), os.environ["PATH"]]),
                        "HOME": str(self.place.folder), "BROWSER": str(self.place.browser()), **variables}
        done = subprocess.run(["bash", "-e", "-c", lines], env=environment, cwd=self.place.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise SystemExit(f"FAILED: {title}: {done.stderr[-1500:]}")
        return done.stdout.strip()

    def text(self, text):
        for old, new in self.replacements.items():
            text = text.replace(old, new)
        return text
