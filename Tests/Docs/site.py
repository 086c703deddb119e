# Licensed under the MIT License. See LICENSE.
"""Walks a site that scripts/docs made: no link is dead, and no list is longer than fifteen.

usage: site.py SITE [BASE_PATH]

A page is a file of data and a file that a browser asks for; both must be there. Followed are the links between pages with
their anchors, the images and downloads of pages, the entries of the navigator, and what the HTML files load. Addresses
of other sites are left alone. Looked at are the groups of every page, written or made by DocC. Exits with 1 and names
what is wrong.
"""
import json
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


class Site:
    def __init__(self, folder, base):
        self.folder, self.base = folder, "/" + base.strip("/")
        self.pages = {}
        for path in sorted((folder / "data").rglob("*.json")):
            address = "/" + str(path.relative_to(folder / "data").with_suffix(""))
            self.pages[address] = json.loads(path.read_text())
        self.anchors = {address: set(values(page, "anchor")) | MADE for address, page in self.pages.items()}
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
        self.look_at_navigator()
        for path in sorted(self.folder.rglob("*.html")):
            self.look_at_html(path)

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
            self.follow_file(address, path)
        elif anchor and urllib.parse.unquote(anchor) not in self.anchors[path]:
            self.fail(address, f"{path} has no anchor {anchor}")

    def follow_file(self, address, url):
        if not (self.folder / urllib.parse.unquote(url).lstrip("/")).is_file():
            self.fail(address, f"there is no {url}")

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
        prefix = self.base.rstrip("/") + "/"
        for url in re.findall(r'(?:src|href)="([^"#]+)"', path.read_text()):
            self.links += 1
            if url.startswith(prefix):
                target = self.folder / url.removeprefix(prefix)
            elif not re.match(r"/|[a-z]+:", url):
                target = path.parent / url
            else:
                self.fail(place, f"{url} leads out of the site")
                continue
            if not target.is_file() and not (target / "index.html").is_file():
                self.fail(place, f"there is no {url}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    site = Site(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else "/")
    if not site.pages:
        sys.exit("There are no pages.")
    site.look()
    for failure in sorted(site.failures):
        print(failure)
    print(f"{len(site.pages)} pages, {site.links} links, {len(site.failures)} failures.")
    sys.exit(1 if site.failures else 0)


main()
