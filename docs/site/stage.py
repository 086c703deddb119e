#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Stages the catalogues that DocC converts: each library's own, with the guides of docs/ as articles in it.

usage: stage.py FOLDER [SOURCES]

The guides and the catalogues' pages are written for a code host: their links name files. Here a link to a page of the same
catalogue becomes a `doc:` link, one to a page of another catalogue its address on the site, and one to any other file
the address of that file below SOURCES, or plain text where SOURCES is not given. pages.txt says which guide is where.
"""
import functools
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$\n?", re.M | re.S)
# What follows the language of a block, as in `swift before`: code of another library, which nobody compiles here.
WORDS = re.compile(r"^( *(?:```+|~~~+)\w+) .*")
LINK = re.compile(r"\[((?:[^][`]|`[^`]*`)*)\]\(([^()\s]+)\)|(`+).+?\3", re.S)
HEADING = re.compile(r"^#{1,6} +(.+?) *$")
SENTENCE = re.compile(r"([.!?]\**)\s+(?=[A-Z`\[*])")
TITLE = re.compile(r"^# ", re.M)
ANCHOR = re.compile(r' *<a id="([^"]+)"></a> *')


def guides():
    """Pairs of a page's path and its place: the catalogue and the article's name."""
    for line in (ROOT / "docs/site/pages.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            path, library, name = line.split()
            yield path, (library, name)


def catalogues():
    return sorted((ROOT / "Sources").glob("*/*.docc"))


def places():
    """The place of each page: those of docs/, and those that are in the catalogues already."""
    found = dict(guides())
    for catalogue in catalogues():
        for page in catalogue.rglob("*.md"):
            found[str(page.relative_to(ROOT))] = catalogue.stem, page.stem
    return found


def parts(text):
    """The text in order, as pairs of whether it is prose and the piece itself; code in fences is none."""
    end = 0
    for fence in FENCE.finditer(text):
        yield True, text[end:fence.start()]
        yield False, fence[0]
        end = fence.end()
    yield True, text[end:]


def plain(heading):
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", ANCHOR.sub("", heading))
    return heading.replace("`", "").replace("*", "")


@functools.cache
def fragments(path):
    """What DocC calls each anchor of a page: one that a code host makes of a heading, or that the page itself sets."""
    found, waiting, current = {}, [], ""
    lines = [line for is_prose, part in parts((ROOT / path).read_text()) if is_prose for line in part.splitlines()]
    for line in lines:
        heading = HEADING.match(line)
        if heading:
            title = plain(heading[1])
            # What lies above the first heading is found on the page alone.
            current = "-".join(re.sub(r"[\"'`‘’“”]", "", title).split()) if found else ""
            found[re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")] = current
        waiting += ANCHOR.findall(line)
        # An anchor belongs to the heading that follows it at once, or else to the one above it.
        if waiting and (ANCHOR.sub("", line).strip() or heading):
            found |= dict.fromkeys(waiting, current)
            waiting = []
    return found


def rewritten(path, sources, known):
    """The text of a page, for its place on the site, and the files of its pictures."""
    page, pictures = ROOT / path, set()

    def link(match):
        text, target = match[1], match[2]
        if target is None or re.match(r"[a-z]+:|/", target):
            return match[0]
        file, _, anchor = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        name = str(linked.relative_to(ROOT))
        if not linked.exists():
            sys.exit(f"{path}: there is no {target}")
        if match.string[:match.start()].endswith("!"):
            pictures.add(linked)
            return f"[{text}]({linked.name})"
        if name not in known:
            return elsewhere(text, name, sources)
        if anchor and anchor not in fragments(name):
            sys.exit(f"{path}: there is no anchor {target}")
        library, article = known[name]
        fragment = fragments(name).get(anchor, "")
        fragment = f"#{fragment}" if fragment else ""
        if library == known[path][0]:
            return f"[{text}](doc:{article}{fragment})"
        end = "" if article == library else f"/{article.lower()}"
        return f"[{text}](/documentation/{library.lower()}{end}{fragment})"

    several = sum(len(TITLE.findall(part)) for is_prose, part in parts(page.read_text()) if is_prose) > 1
    text = "".join(
        LINK.sub(link, ANCHOR.sub("", lowered(part) if several else part)) if is_prose else WORDS.sub(r"\1", part)
        for is_prose, part in parts(page.read_text())
    )
    return (text.replace("#", "", 1) if several else text), pictures


def lowered(prose):
    """Every heading one level down, for a page with several titles: it keeps the first."""
    return re.sub(r"^(?=#{1,5} )", "#", prose, flags=re.M)


def with_short_abstract(text):
    """DocC shows the first paragraph in lists and large under the title: it becomes the first sentence alone."""
    title, paragraph, rest = text.split("\n\n", 2)
    if not re.match(r"[A-Za-z`\[*]", paragraph):
        return text
    return "\n\n".join([title, SENTENCE.sub(r"\1\n\n", paragraph, count=1), rest])


def elsewhere(text, name, sources):
    """A link to a file that is no page of the site."""
    if sources:
        return f"[{text}]({sources.rstrip('/')}/{name})"
    return text if name in text else f"{text} (`{name}`)"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder, sources = pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else ""
    known = places()
    for catalogue in catalogues():
        shutil.copytree(catalogue, folder / catalogue.name)
    for path, (library, name) in known.items():
        staged = folder / f"{library}.docc"
        if not path.startswith("Sources/"):
            staged /= f"{name}.md"
        else:
            staged /= pathlib.Path(path).relative_to(f"Sources/{library}/{library}.docc")
        staged.parent.mkdir(parents=True, exist_ok=True)
        text, pictures = rewritten(path, sources, known)
        for picture in pictures:
            shutil.copy(picture, staged.parent)
        staged.write_text(with_short_abstract(text) if not path.startswith("Sources/") else text)


main()
