#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Writes the manual of a command as pages of the site, one for each subcommand, from what its manual pages are made of.

usage: manual.py PROGRAM FOLDER
"""
import itertools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Packaging"))

from manual import commands, output, shown, split  # noqa: E402

# The longest list that a page has.
MOST = 15


def plain(text):
    """Text without meaning for Markdown, but for the code that it quotes."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(piece if piece.startswith("`") else re.sub(r"([*_<\[\\])", r"\\\1", piece) for piece in pieces)


def paragraphs(lines):
    """Running text as paragraphs, and indented lines as code."""
    for indented, block in itertools.groupby(lines, lambda line: line.startswith(" ") or None if line.strip() else ""):
        block = list(block)
        if indented:
            margin = min(len(line) - len(line.lstrip()) for line in block)
            yield "\n".join(["```", *(line[margin:] for line in block), "```"])
        elif indented is None:
            yield plain(" ".join(block))


def prose(text):
    """The discussion of a command, with its sections under headings."""
    for title, lines in split((text or "").splitlines(), "").items():
        if title:
            yield f"## {title.capitalize()}"
        yield from paragraphs(lines)


def option(argument):
    """One line for an argument: how it is written, what it means, what it may be."""
    names = [("-" if one["kind"] == "short" else "--") + one["name"] for one in argument.get("names", [])]
    value = f"<{argument['valueName']}>" if argument["kind"] != "flag" else ""
    written = " ".join(filter(None, [", ".join(sorted(names, key=len)), value]))
    words = [plain(argument.get(part, "")) for part in ("abstract", "discussion")]
    for word, fact in [("One of", ", ".join(argument.get("allValues", []))), ("Default:", argument.get("defaultValue", ""))]:
        words.append(f"{word} `{fact}`." if fact else "")
    return f"- `{written}`: {' '.join(filter(None, words))}"


def name(words):
    """The name of a command's page. That of the whole command must not be the name of a library."""
    return "-".join(words if len(words) > 1 else (*words, "manual"))


def listed(words, children):
    """The groups of a page's subcommands."""
    yield "## Topics"
    for first in range(0, len(children), MOST):
        part = children[first:first + MOST]
        yield f"### {part[0]['commandName'].capitalize()} to {part[-1]['commandName']}" if len(children) > MOST else "### Commands"
        yield "\n".join(f"- <doc:{name((*words, child['commandName']))}>" for child in part)


def page(words, command, version):
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    operands = [f"[{operand['valueName']}]" if operand["isOptional"] else f"<{operand['valueName']}>"
                for operand in arguments if operand["kind"] == "positional"]
    text = [f"# {' '.join(words)}", plain(command["abstract"]), "## Overview"]
    text += ["\n".join(["```", " ".join([*words, *["<command>"] * bool(shown(command)), "[options]", *operands]), "```"])]
    text += [*prose(command.get("discussion"))]
    if len(words) == 1:
        text.append(f"This is the manual of version {version}. A machine with the command's package has it as `man {words[0]}`.")
    if arguments:
        text += ["## Options", "\n".join(map(option, arguments))]
    if children := shown(command):
        text += listed(words, children)
    return "\n\n".join(text) + "\n"


def main(program, folder):
    tree = json.loads(output(program, "--experimental-dump-help"))["command"]
    version = output(program, "--version").strip()
    for words, command in commands(tree):
        (pathlib.Path(folder) / f"{name(words)}.md").write_text(page(words, command, version))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
