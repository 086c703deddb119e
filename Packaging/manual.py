#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Generates manual pages of a command, one for each subcommand, like git's: `man msal token` shows msal-token(1).

usage: Packaging/manual.py TOOL PROGRAM FOLDER

TOOL is generate-manual of swift-argument-parser's plugin. It writes what the parser knows: names, synopsis and options. This
program turns the texts into paragraphs, examples and sections, and adds the sections of Packaging/manual/PROGRAM.mdoc.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PACKAGING = pathlib.Path(__file__).resolve().parent
SECTION = re.compile(r"^([A-Z][A-Z ]+)$")
# The last sections in mdoc(7), in this order; all others precede them.
LAST = ("ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO")
# Characters that a formatter would replace, so that a copied command would not work.
LITERALLY = str.maketrans({"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"})


def literal(text):
    return text.translate(LITERALLY)


def line(text):
    """A line that is not interpreted as a macro."""
    return rf"\&{text}" if text.startswith((".", "'")) else text


def sentences(text):
    """Running text, with each sentence on a separate line. Options and quoted code keep their characters."""
    text = re.sub(r"`([^`]+)`", lambda code: rf"\fB{literal(code[1])}\fP", text.replace("\\e", "\\").replace("\\", r"\e"))
    text = re.sub(r"(?<![\w\\-])(-+)(?=\w)", lambda dashes: r"\-" * len(dashes[1]), text)
    text = re.sub(r"[~^](?!\S*\\f)", lambda character: literal(character[0]), text)
    return [line(part) for sentence in re.split(r"(?<=[.!?]) +(?=[A-Z0-9\\])", text) for part in folded(sentence)]


def folded(text, width=78):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width and lines[-1]:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return lines


def body(lines, title=None):
    """The mdoc of a text in which indented lines are examples, or a table if they start with a name and a gap."""
    out, block, previous = [], [], ""

    def flush():
        while block and not block[-1].strip():
            block.pop()
        if not block:
            return
        rows = [re.match(r"  (\S+)  +(\S.*)", text) for text in block]
        if title in ("ENVIRONMENT", "EXIT STATUS") and all(rows):
            macro = ".It Ev" if title == "ENVIRONMENT" else ".It"
            out.append(".Bl -tag -width Ds")
            for row in rows:
                out.extend([f"{macro} {row[1]}", *sentences(row[2])])
            out.extend([".El", ".Pp"])
        else:
            margin = min(len(text) - len(text.lstrip()) for text in block if text.strip())
            out.extend([".Bd -literal -offset indent", *(line(literal(text[margin:].replace("\\e", "\\"))) for text in block), ".Ed", ".Pp"])
        block.clear()

    for text in [*lines, ""]:
        if text.startswith("  ") or (block and not text.strip() and previous.startswith("  ")):
            block.append(text)
        else:
            flush()
            if text.strip() and text != ".Pp":
                out.extend(sentences(text) if not text.startswith(".") else [text])
            elif out and out[-1] != ".Pp":
                out.append(".Pp")
        previous = text
    flush()
    return tidy(out)


def tidy(lines):
    """Removes redundant paragraph breaks."""
    out = []
    for text in lines:
        if text == ".Pp" and (not out or out[-1] == ".Pp" or out[-1].startswith((".Sh", ".It "))):
            continue
        if text.startswith((".It ", ".El", ".Sh", ".Bd")) and out and out[-1] == ".Pp":
            out.pop()
        out.append(text)
    while out and out[-1] == ".Pp":
        out.pop()
    return out


def split(lines, heading):
    """Sections by title, in the order of the text; `heading` is the title of the text before the first heading."""
    sections = {heading: []}
    for text in lines:
        found = SECTION.match(text)
        if found:
            heading = found[1]
        sections.setdefault(heading, [])
        if not found:
            sections[heading].append(text)
    return {title: content for title, content in sections.items() if any(text.strip() for text in content)}


def options(lines, arguments):
    """The list of options, with the choices and the default of each, which the tool omits."""
    known = {name["name"]: argument for argument in arguments for name in argument.get("names", [])}
    out, item = [], []

    def flush():
        out.extend(item[:1] + body(item[1:]))
        name = re.match(r"\.It Fl (?:\w , )?-([\w-]+)", item[0]) if item else None
        argument = known.get(name[1], {}) if name else {}
        facts = [("One of", ", ".join(argument.get("allValues", []))), ("Default:", argument.get("defaultValue", ""))]
        out.extend(text for word, value in facts if value for text in sentences(f"{word} {value}."))
        item.clear()

    for text in lines:
        if text.startswith((".It ", ".El")):
            flush()
        item.append(text)
    flush()
    return tidy(out)


def commands(command, parents=()):
    """Each command that has a page: its full name, and the command."""
    words = (*parents, command["commandName"])
    yield words, command
    for child in shown(command):
        yield from commands(child, words)


def shown(command):
    return [child for child in command.get("subcommands", []) if child["shouldDisplay"] and child["commandName"] != "help"]


def is_operand(text):
    return text.startswith((".Ar", ".Op Ar"))


def page(generated, words, command, extra, version):
    lines = re.sub(r"[ \t]+$", "", generated, flags=re.M).splitlines()
    parts = {}
    for text in lines:
        if text.startswith(".Sh "):
            title = text[4:].strip('"')
            parts[title] = []
        elif parts:
            parts[title].append(text)
    first = next((i for i, text in enumerate(parts["DESCRIPTION"]) if text.startswith(".Bl")), len(parts["DESCRIPTION"]))
    texts = split(parts["DESCRIPTION"][:first], "DESCRIPTION")
    abstract = command["abstract"]
    synopsis = parts["SYNOPSIS"][1:]
    subject = re.split(r"\.(?: |$)", abstract)[0]
    sections = {
        "NAME": [f".Nm {'-'.join(words)}", f".Nd {literal(subject[0].lower() + subject[1:])}"],
        "SYNOPSIS": [f".Nm \"{' '.join(words)}\"", *(synopsis if shown(command) else sorted(synopsis, key=is_operand))],
        "DESCRIPTION": sentences(abstract) + [".Pp"] + body(texts.pop("DESCRIPTION", [])),
        "OPTIONS": options(parts["DESCRIPTION"][first:], command.get("arguments", [])),
        **{title: body(content, title) for title, content in texts.items()},
    }
    if children := shown(command):
        sections["DESCRIPTION"] += [".Pp", "The subcommands are:", ".Bl -tag -width Ds"]
        for child in children:
            sections["DESCRIPTION"] += [f".It Xr {'-'.join((*words, child['commandName']))} 1", *sentences(child["abstract"])]
        sections["DESCRIPTION"] += [".El"]
    if len(words) == 1:
        for title, content in extra.items():
            sections[title] = sections.get(title, []) + content
    else:
        sections["EXIT STATUS"] = ["Those of", f".Xr {words[0]} 1 ,", "which has the environment and the files, too."]
        related = [f".Xr {'-'.join(words[:n])} 1" for n in range(1, len(words))]
        sections["SEE ALSO"] = [" ,\n".join(related)]
    order = [title for title in sections if title not in LAST] + [title for title in LAST if title in sections]
    text = [lines[1], f".Dt {'-'.join(words).upper()} 1", f".Os {words[0]} {version}"]
    for title in order:
        text += [f".Sh {title}", *sections[title]]
    return "\n".join(tidy(text)) + "\n"


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dumped(program):
    """What the parser knows, as JSON. TOOL would drop each character that is not ASCII."""
    text = output(program, "--experimental-dump-help").replace("…", "...")
    if found := re.search(r".{0,40}[^\x00-\x7f].{0,40}", text):
        sys.exit(f"The help of {program} has a character that manual pages cannot show: {found[0]}")
    return text


def main(tool, program, folder):
    dump = dumped(program)
    tree = json.loads(dump)["command"]
    version = output(program, "--version").strip()
    name = tree["commandName"]
    extra, title = {}, None
    for text in (PACKAGING / "manual" / f"{name}.mdoc").read_text().splitlines():
        if text.startswith(".Sh "):
            title = text[4:]
            extra[title] = []
        elif title:
            extra[title].append(text)
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as generated:
        (pathlib.Path(generated) / "help.json").write_text(dump)
        stand_in = pathlib.Path(generated) / "program"
        stand_in.write_text(f'#!/bin/sh\nexec cat "{generated}/help.json"\n')
        stand_in.chmod(0o700)
        subprocess.run([tool, stand_in, "--multi-page", "--date", f"{date:%Y-%m-%d}", "--output-directory", generated], check=True)
        for words, command in commands(tree):
            text = (pathlib.Path(generated) / f"{'.'.join(words)}.1").read_text()
            (folder / f"{'-'.join(words)}.1").write_text(page(text, words, command, extra, version))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    main(*sys.argv[1:])
