#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Writes the manuals of commands as pages of the site, one for each subcommand, from what their manual pages are made of.

usage: manual.py FOLDER PROGRAM...
"""
import itertools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Packaging"))

from manual import commands, output, shown, split  # noqa: E402
from pages import toctree  # noqa: E402


def plain(text):
    """Text without meaning for Markdown, but for the code that it quotes."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(piece if piece.startswith("`") else re.sub(r"([*_<\[\\])", r"\\\1", piece) for piece in pieces)


def code(*lines):
    return "\n".join(["```text", *lines, "```"])


def prose(text):
    """The discussion of a command: sections under headings, running text as paragraphs, and indented lines as code."""
    for title, lines in split((text or "").splitlines(), "").items():
        if title:
            yield f"## {title.capitalize()}"
        for indented, block in itertools.groupby(lines, lambda line: line.startswith(" ") or None if line.strip() else ""):
            block = list(block)
            if indented:
                margin = min(len(line) - len(line.lstrip()) for line in block)
                yield code(*(line[margin:] for line in block))
            elif indented is None:
                yield plain(" ".join(block))


def option(argument):
    """One line for an argument: how it is written, what it means, what it may be."""
    names = [("-" if one["kind"] == "short" else "--") + one["name"] for one in argument.get("names", [])]
    value = f"<{argument['valueName']}>" if argument["kind"] != "flag" else ""
    written = " ".join(filter(None, [", ".join(sorted(names, key=len)), value]))
    words = [plain(argument.get(part, "")) for part in ("abstract", "discussion")]
    for word, fact in [("One of", ", ".join(argument.get("allValues", []))), ("Default:", argument.get("defaultValue", ""))]:
        words.append(f"{word} `{fact}`." if fact else "")
    return f"- `{written}`: {' '.join(filter(None, words))}"


def page(words, command, version):
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    operands = [f"[{operand['valueName']}]" if operand["isOptional"] else f"<{operand['valueName']}>"
                for operand in arguments if operand["kind"] == "positional"]
    children = {"-".join((*words, child["commandName"])): child for child in shown(command)}
    text = [f"# {' '.join(words)}", plain(command["abstract"]),
            code(" ".join([*words, *["<command>"] * bool(children), "[options]", *operands])), *prose(command.get("discussion"))]
    if len(words) == 1:
        text.append(f"This is the manual of version {version}. A machine with the command's package has it as `man {words[0]}`.")
    if arguments:
        text += ["## Options", "\n".join(map(option, arguments))]
    if children:
        text += ["## Commands", "\n".join(f"- [{child['commandName']}]({name}.html): {plain(child['abstract'])}"
                                          for name, child in children.items())]
        text.append(toctree({}, {f"manual/{name}": " ".join((*words, child["commandName"])) for name, child in children.items()}))
    return "\n\n".join(text) + "\n"


def main(folder, *programs):
    folder, trees = pathlib.Path(folder), {}
    folder.mkdir(parents=True)
    for program in programs:
        trees[pathlib.Path(program).name] = tree = json.loads(output(program, "--experimental-dump-help"))["command"]
        version = output(program, "--version").strip()
        for words, command in commands(tree):
            (folder / f"{'-'.join(words)}.md").write_text(page(words, command, version))
    lines = [f"- [{name}]({name}.html): {plain(tree['abstract'])}" for name, tree in trees.items()]
    (folder / "index.md").write_text("\n".join(["# Manual pages", "", *lines, toctree({}, {f"manual/{name}": name for name in trees})]))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
