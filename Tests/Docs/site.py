# Licensed under the MIT License. See LICENSE.
"""Checks a site that scripts/docs built: no link is dead, nothing is loaded from another host, and no list is longer than fifteen.

usage: site.py SITE [BASE_PATH]

Sphinx and the redirects make HTML. A page of the API reference consists of a data file and the HTML file that a browser requests.
Followed are the links between pages of both kinds with their anchors, images and downloads, the entries of the navigator, and what
HTML and CSS load. Links to other sites are not followed. Exits with 1 and names what is wrong.
"""
import html.parser
import json
import os
import pathlib
import re
import sys
import urllib.parse

LONGEST = 15
# Sections of a page that DocC's program for the browser makes, with these anchors.
MADE = {"topics", "see-also", "relationships", "parameters", "return-value", "discussion", "overview"}


def values(part, key):
    """All values of a key in a page, however deep."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == key:
                yield value
            yield from values(value, key)
    elif isinstance(part, list):
        for value in part:
            yield from values(value, key)


class Page(html.parser.HTMLParser):
    """The anchors of an HTML page, and its links and what it loads, as pairs of the tag and the address."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.urls = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values["id"]} if values.get("id") else set()
        self.urls += [(tag, values[name]) for name in ("href", "src") if values.get(name)]


class Site:
    def __init__(self, folder, base):
        self.folder, self.base = folder, "/" + base.strip("/")
        self.pages = {}
        for path in sorted((folder / "data").rglob("*.json")):
            address = "/" + str(path.relative_to(folder / "data").with_suffix(""))
            self.pages[address] = json.loads(path.read_text())
        self.anchors = {address: set(values(page, "anchor")) | MADE for address, page in self.pages.items()}
        self.html = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
        self.links = 0
        self.failures = set()

    def fail(self, place, text):
        self.failures.add(f"FAILED {place}: {text}")

    def look(self):
        for address, page in self.pages.items():
            self.look_at_references(address, page)
            self.look_at_lists(address, page)
            if not (self.folder / address.strip("/") / "index.html").is_file():
                self.fail(address, "there is no index.html for it")
        if self.pages:
            self.look_at_navigator()
        for path in self.html:
            self.look_at_html(path)
        for path in self.folder.rglob("*.css"):
            for url in re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')]+)""", path.read_text()):
                self.fail(path.relative_to(self.folder), f"the style loads {url} from another host")

    def look_at_references(self, address, page):
        references = page.get("references", {})
        for identifier in values({**page, "references": {}}, "identifier"):
            if isinstance(identifier, str) and identifier not in references:
                self.fail(address, f"nothing is known of {identifier}")
        # A chapter is a place on the page of its tutorials, which knows it by its name.
        chapters = {chapter.get("reference") for chapter in page.get("hierarchy", {}).get("modules", [])}
        for identifier, reference in references.items():
            if "url" in reference and identifier not in chapters:
                self.follow(address, reference["url"])
            for variant in reference.get("variants", []):
                self.follow_file(address, variant["url"])

    def follow(self, address, url):
        """A link to a page, to a file of the site, or out of it."""
        self.links += 1
        if re.match(r"[a-z][a-z0-9+.-]*:", url):
            return
        path, _, anchor = url.partition("#")
        path = path or address
        if path not in self.pages:
            self.follow_file(address, path, urllib.parse.unquote(anchor))
        elif anchor and urllib.parse.unquote(anchor) not in self.anchors[path]:
            self.fail(address, f"{path} has no anchor {anchor}")

    def follow_file(self, address, url, anchor=""):
        file = self.file(self.folder, url)
        if not file.is_file():
            file = self.folder / urllib.parse.unquote(url).lstrip("/")
        self.follow_html(address, file, url, anchor)

    def look_at_lists(self, address, page):
        for section in page.get("topicSections", []) + page.get("seeAlsoSections", []):
            count = len(section["identifiers"])
            if count > LONGEST:
                self.fail(address, f"the group {section.get('title', 'without a title')} lists {count}")

    def look_at_navigator(self):
        navigator = json.loads((self.folder / "index" / "index.json").read_text())
        for path in values(navigator["interfaceLanguages"], "path"):
            self.follow("navigator", path)

    def look_at_html(self, path):
        place = path.relative_to(self.folder)
        for tag, url in self.html[path].urls:
            self.links += 1
            if re.match(r"[a-z][a-z0-9+.-]*:|//", url):
                if tag != "a":
                    self.fail(place, f"the page loads {url} from another host")
                continue
            file, _, anchor = url.partition("#")
            self.follow_html(place, path if not file else self.file(path.parent, file), url, urllib.parse.unquote(anchor))

    def file(self, folder, url):
        """The file of an address: below the site's base path, or relative to a folder."""
        url = urllib.parse.unquote(url.partition("?")[0])
        prefix = self.base.rstrip("/") + "/"
        file = self.folder / url.removeprefix(prefix) if url.startswith(prefix) else pathlib.Path(os.path.normpath(folder / url))
        return file / "index.html" if file.is_dir() else file

    def follow_html(self, place, file, url, anchor):
        page = "/" + str(file.parent.relative_to(self.folder)) if file.is_relative_to(self.folder) else ""
        if not file.is_file():
            self.fail(place, f"there is no {url}")
        elif anchor and anchor not in self.anchors.get(page, set()) | (self.html[file].anchors if file in self.html else set()):
            self.fail(place, f"there is no anchor {url}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    site = Site(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else "/")
    if not site.html:
        sys.exit("There are no pages.")
    site.look()
    for failure in sorted(site.failures):
        print(failure)
    print(f"{len(site.html)} pages, {len(site.pages)} of them of the API reference, {site.links} links, {len(site.failures)} failures.")
    sys.exit(1 if site.failures else 0)


main()
