# Licensed under the MIT License. See LICENSE.
"""A headless browser for BROWSER: follows redirects with GET, and posts the forms that pages submit automatically. It logs its
arguments and the pages, and ignores cookies.

usage: browser.py LOG CA_FILE URL
"""
import html.parser
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request


class Form(html.parser.HTMLParser):
    """The first form of a page."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes.get("action", "")
        elif tag == "input" and "name" in attributes:
            self.fields[attributes["name"]] = attributes.get("value", "")


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def visit(url, authority, log):
    context = ssl.create_default_context(cafile=authority)
    opener = urllib.request.build_opener(NoRedirects, urllib.request.HTTPSHandler(context=context))
    body = None
    for _ in range(12):
        request = urllib.request.Request(url, body, {"User-Agent": "foreign-browser", "Accept": "text/html"})
        try:
            answer = opener.open(request, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        text = answer.read().decode(errors="replace")
        print(f"{answer.status} {url}", file=log, flush=True)
        if 300 <= answer.status < 400 and "Location" in answer.headers:
            url, body = urllib.parse.urljoin(url, answer.headers["Location"]), None
            continue
        form = Form(text)
        if form.action is None or answer.status >= 400:
            print(text, file=log, flush=True)
            return
        url, body = urllib.parse.urljoin(url, form.action), urllib.parse.urlencode(form.fields).encode()


def main():
    log, authority, url = sys.argv[1:]
    with open(log, "a", encoding="utf-8") as file:
        print(f"started with {url}", file=file, flush=True)
        try:
            visit(url, authority, file)
        except OSError as error:
            print(f"failed: {error}", file=file, flush=True)


main()
