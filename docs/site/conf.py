# Licensed under the MIT License. See LICENSE.
"""Sphinx renders the pages that pages.py has prepared: https://www.sphinx-doc.org/en/master/usage/configuration.html"""
project = html_title = "MSAL for Swift on Linux"
language = "en"
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 6
# pages.py has resolved the links, and Tests/Docs/site.py checks them.
myst_all_links_external = True
# Code with an ellipsis is not valid Swift; the index is not in itself.
suppress_warnings = ["misc.highlighting_failure", "toc.not_included"]

html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
smartquotes = html_copy_source = html_show_copyright = html_use_index = False
html_permalinks_icon = "#"


def name_headings(app, doctree):
    """Gives each heading the anchor that a code host gives it."""
    for section in doctree.findall(lambda node: "slug" in getattr(node, "attributes", ())):
        section["ids"] = [section["slug"], *(name for name in section["ids"] if name != section["slug"])]


def setup(app):
    app.connect("doctree-read", name_headings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
