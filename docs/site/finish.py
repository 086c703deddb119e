#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Completes the joined site: what DocC's merge leaves out of it.

usage: finish.py SITE TITLE ABSTRACT LIBRARY...

The first page gets an abstract, begins with what a reader may want to do, and lists the libraries in this order. Every page's file gets the page's title, for tabs
and for readers that run no program. The root leads to the first page.
"""
import html
import json
import pathlib
import sys

ROOT_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title><meta http-equiv="refresh" content="0; url=documentation/">
<p><a href="documentation/">{title}</a></p></html>
"""

# What a reader may want to do, and the pages that begin there. A page that the site lacks ends this program.
TASKS = {
    "Begin": ["MSAL/Quickstart", "MSAL/WhichProduct"],
    "Sign users in": ["MSAL/YourApp", "MSAL/NativeAuthentication", "MSAL/SignInModes", "MSAL/FromMSALOnApple"],
    "Get tokens for a service": ["MSALServer/TokensForServices", "MSALServer/WebApplication"],
    "Work at a terminal": ["MSAL/TheCommand", "MSAL/msal-manual"],
    "Develop and test without a tenant": ["EntraEmulator/EmulatorGuide", "EntraEmulator/YourClient", "MSAL/TestingYourApp"],
}

def first_page(site, abstract, libraries):
    path = site / "data" / "documentation.json"
    page = json.loads(path.read_text())
    page["abstract"] = [{"type": "text", "text": abstract}]
    order = [library.lower() for library in libraries]
    for section in page["topicSections"]:
        section["identifiers"].sort(key=lambda identifier: order.index(identifier.rpartition("/")[2].lower()))
    sections = []
    for title, pages in TASKS.items():
        identifiers = []
        for library, name in (task.split("/") for task in pages):
            identifier = f"doc://{library}/documentation/{library}/{name}"
            library_page = json.loads((site / "data" / "documentation" / f"{library.lower()}.json").read_text())
            page["references"][identifier] = library_page["references"][identifier]
            identifiers.append(identifier)
        sections.append({"title": title, "anchor": title.replace(" ", "-"), "identifiers": identifiers})
    page["topicSections"][:0] = sections
    path.write_text(json.dumps(page))


def shells(site, title):
    for path in (site / "data").rglob("*.json"):
        name = json.loads(path.read_text()).get("metadata", {}).get("title")
        shell = site / path.relative_to(site / "data").with_suffix("") / "index.html"
        if name and shell.is_file():
            whole = name if name == title else f"{name} | {title}"
            shell.write_text(shell.read_text().replace("<title>Documentation</title>", f"<title>{html.escape(whole)}</title>"))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    site, title = pathlib.Path(sys.argv[1]), sys.argv[2]
    first_page(site, sys.argv[3], sys.argv[4:])
    shells(site, title)
    (site / "theme-settings.json").write_text(json.dumps({"meta": {"title": title}}) + "\n")
    (site / "index.html").write_text(ROOT_PAGE.format(title=html.escape(title)))


main()
