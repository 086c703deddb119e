#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Stages what the site is made of. Pages and catalogs are written for a code host, where links name files; here they name addresses.

usage: pages.py pages FOLDER [SOURCES]            the pages of docs/README.md in its order, for Sphinx, with the API reference and
                                                  the manual if FOLDER/manual exists
       pages.py catalogs FOLDER BASE [SOURCES]    the libraries' catalogs, for DocC
       pages.py finish SITE                       titles for the API reference, and a page at each former address of redirects.txt

A link to a file that is not a page goes to SOURCES/PATH; without SOURCES, it becomes plain text.
"""
import html
import json
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INDEX = "docs/README.md"
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$\n?", re.M | re.S)
LINK = re.compile(r"(!?)\[((?:[^][`]|`[^`]*`)*)\]\(([^()\s]+)\)|(`+).+?\4", re.S)
PICTURE = "\n![msal login and msal graph /me in a terminal, against the emulator](docs/first-minute.svg)\n"
REDIRECT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>This page has moved</title><meta http-equiv="refresh" content="0; url={0}">
<p>This page has <a href="{0}">a new address</a>.</p></html>
"""
TITLE = "MSAL for Swift on Linux"
# Above each page of the API reference.
HEADER = '<p style="margin: .5rem 1rem"><a href="{0}/index.html" style="color: var(--color-link)">{1}</a></p>\n'


def parts(text):
    """The text in order, as pairs of whether it is prose and the piece itself; fenced code is not."""
    end = 0
    for fence in FENCE.finditer(text):
        yield True, text[end:fence.start()]
        yield False, fence[0]
        end = fence.end()
    yield True, text[end:]


def title(path):
    return re.search(r"^# +(.+)$", (ROOT / path).read_text(), re.M)[1].replace("`", "")


def navigation():
    """The sections of the index of all pages: the title of each, with the paths of its pages and how the index names them."""
    sections = {}
    for section in re.split(r"^## ", (ROOT / INDEX).read_text(), flags=re.M)[1:]:
        pages = sections[section.partition("\n")[0].strip()] = {}
        for _, label, target, _ in LINK.findall(section):
            path = os.path.normpath(f"docs/{target}")
            if path.endswith(".md") and not path.startswith("Sources/"):
                # Inside a sentence, a link's text is no title.
                pages.setdefault(path, (label if label[0].isupper() else title(path)).replace("`", ""))
    return sections


def places():
    """The address of each page without its ending, by path: the path itself, without `docs/`."""
    pages = ["README.md", *(path for section in navigation().values() for path in section)]
    # Not every disk can tell Security.html and SECURITY.html apart.
    own = {INDEX: "pages", "SECURITY.md": "SecurityPolicy"}
    return {path: re.sub(r"README$", "index", path.removesuffix(".md").removeprefix("docs/")) for path in pages} | own


def catalogs():
    return sorted((ROOT / "Sources").glob("*/*.docc"))


def articles():
    """The library and the name of each page of the catalogs, by path."""
    return {str(page.relative_to(ROOT)): (catalog.stem, page.stem) for catalog in catalogs() for page in catalog.rglob("*.md")}


def address(library, article):
    return f"documentation/{library.lower()}/" + ("" if article == library else f"{article.lower()}/")


def linked(path, target):
    """The path that a link of a page means, or None for an address, and the anchor."""
    if re.match(r"[a-z]+:|/", target):
        return None, ""
    file, _, anchor = target.partition("#")
    name = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
    return name, anchor and f"#{anchor}"


def elsewhere(text, name, sources):
    """A link to a file that is not a page of the site, with the path as text if there is no address."""
    if sources:
        return f"[{text}]({sources.rstrip('/')}/{name})"
    return text if name in text or name.startswith("Sources/") else f"{text} (`{name}`)"


def rewritten(path, text, destination):
    """The text with each link of its prose replaced by `destination(mark, text, path, anchor)`."""
    def link(match):
        name, anchor = linked(path, match[3]) if match[3] else (None, "")
        return match[0] if name is None else destination(match[1], match[2], name, anchor)

    return "".join(LINK.sub(link, part) if is_prose else part for is_prose, part in parts(text))


def toctree(known, pages, caption=""):
    entries = "".join(f"{label} </{known.get(page, page)}>\n" for page, label in pages.items())
    title = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{title}\n{entries}```\n"


def stage_pages(folder, sources=""):
    known, known_articles, sections = places(), articles(), navigation()
    has_reference = (folder / "manual").is_dir()
    if has_reference:
        stage_reference(folder)
        sections["Reference"] |= {"documentation/index": "API reference", "manual/index": "Manual pages"}
    # The pages for contributors are below the first of them, outside the users' navigation.
    contributing, *others = sections["Contributing"].items()
    sections["Contributing"] = dict([contributing])
    trees = {"README.md": "".join(toctree(known, pages, caption) for caption, pages in sections.items()),
             contributing[0]: toctree(known, dict(others))}
    for path, place in known.items():
        def link(mark, text, name, anchor, path=path, here=os.path.dirname(place) or "."):
            if mark:
                shutil.copy(ROOT / name, folder)
                return f"![{text}](/{os.path.basename(name)})"
            if page := next((page for page in (name, f"{name}/README.md") if page in known), None):
                return f"[{text}]({anchor if page == path and anchor else os.path.relpath(known[page] + '.html', here) + anchor})"
            if name in known_articles and has_reference:
                return f"[{text}]({os.path.relpath(address(*known_articles[name]), here)}/{anchor})"
            return elsewhere(text, name, sources)

        text = (ROOT / path).read_text()
        if path == "README.md":  # The picture is below the first commands.
            text = FENCE.sub(lambda fence: fence[0] + PICTURE, text, count=1)
        staged = folder / f"{place}.md"
        staged.parent.mkdir(parents=True, exist_ok=True)
        staged.write_text(rewritten(path, text, link) + trees.get(path, ""))


def stage_reference(folder):
    """The first page of the API reference, with the libraries in the order of the index."""
    lines = ["# API reference", ""]
    for path in re.findall(r"\(\.\./(Sources/[^)]+)\)", (ROOT / INDEX).read_text()):
        library = pathlib.Path(path).stem
        lines.append(f"- [{library}]({library.lower()}/): " + (ROOT / path).read_text().split("\n\n")[1])
    (folder / "documentation").mkdir(parents=True)
    (folder / "documentation" / "index.md").write_text("\n".join(lines) + "\n")


def stage_catalogs(folder, base, sources=""):
    known, known_articles = places(), articles()
    for catalog in catalogs():
        shutil.copytree(catalog, folder / catalog.name)
        (folder / catalog.name / "header.html").write_text(HEADER.format(base.rstrip("/"), TITLE))
    for path, (library, _) in known_articles.items():
        def link(mark, text, name, anchor, library=library):
            if name in known:
                return f"[{text}]({base.rstrip('/')}/{known[name]}.html{anchor})"
            if name in known_articles:
                other, article = known_articles[name]
                return f"[{text}]({f'doc:{article}' if other == library else '/' + address(other, article).rstrip('/')}{anchor})"
            return elsewhere(text, name, sources)

        staged = folder / pathlib.Path(path).relative_to(f"Sources/{library}")
        staged.write_text(rewritten(path, (ROOT / path).read_text(), link))


def redirects():
    """Where each former address of redirects.txt leads: a page's path, with an anchor if only a section has the content now."""
    found = {}
    for line in (ROOT / "docs/site/redirects.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            former, _, now = line.partition(" -> ")
            found |= dict.fromkeys(former.split(), now)
    return found


def write_redirects(site):
    known, pages = places(), {}
    for former, now in redirects().items():
        path, _, anchor = now.partition("#")
        old = re.sub(r"^docs/|\.md$", "", former) + ".html" if former.endswith(".md") else f"{former}/index.html"
        pages[old] = f"{known[path]}.html{anchor and '#'}{anchor}"
    # The manual's pages were articles of the library whose command they describe.
    for page in (site / "manual").glob("*-*.html"):
        library = "entraemulator" if page.stem.startswith("entra-emulator") else "msal"
        pages[f"documentation/{library}/{page.stem}/index.html"] = f"manual/{page.name}"
    for old, now in pages.items():
        file = site / old
        if file.exists():
            sys.exit(f"docs/site/redirects.txt: the site has a page at the former address {old}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(REDIRECT.format(html.escape(os.path.relpath(now, os.path.dirname(old) or "."))))


def write_titles(site):
    """Gives each page of the API reference its title, for tabs and for readers that run no program."""
    for path in (site / "data").rglob("*.json"):
        name = json.loads(path.read_text()).get("metadata", {}).get("title")
        shell = site / path.relative_to(site / "data").with_suffix("") / "index.html"
        if name and shell.is_file():
            shell.write_text(shell.read_text().replace("<title>Documentation</title>", f"<title>{html.escape(name)}</title>"))
    (site / "theme-settings.json").write_text(json.dumps({"meta": {"title": TITLE}}) + "\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pages", folder, *sources]:
            stage_pages(pathlib.Path(folder), *sources)
        case ["catalogs", folder, base, *sources]:
            stage_catalogs(pathlib.Path(folder), base, *sources)
        case ["finish", site]:
            write_titles(pathlib.Path(site))
            write_redirects(pathlib.Path(site))
        case _:
            sys.exit(__doc__)
