# Licensed under the MIT License. See LICENSE.
"""A person with a headless browser: opens addresses, types a name and a password, and presses buttons.

As a program for BROWSER: person.py USER PASSWORD URL, with the certificate authority in REQUESTS_CA_BUNDLE
"""
import html.parser
import os
import sys
import urllib.parse

import requests

# The person's action on each page of the emulator: the value of the button that continues.
FORWARD = ("next", "signin", "no", "accept", "verify")


class Forms(html.parser.HTMLParser):
    """The forms of a page, its text, and its automatic redirect."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.text, self.title, self.inside, self.next = [], [], "", None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.inside = tag
        if tag == "form":
            self.forms.append({"action": attributes.get("action", ""), "method": attributes.get("method", "get").lower(),
                               "fields": {}, "buttons": []})
        elif tag == "input" and self.forms and attributes.get("type") == "submit":
            self.forms[-1]["buttons"].append((attributes.get("name"), (attributes.get("value") or "").lower().replace(" ", "")))
        elif tag == "input" and self.forms and "name" in attributes:
            self.forms[-1]["fields"][attributes["name"]] = attributes.get("value") or ""
        elif tag == "button" and self.forms:
            self.forms[-1]["buttons"].append((attributes.get("name"), attributes.get("value")))
        elif tag == "meta" and attributes.get("http-equiv") == "refresh":
            self.next = attributes.get("content", "").partition("URL=")[2] or None

    def handle_data(self, data):
        if self.inside == "title":
            self.title += data
        if self.inside not in ("style", "script"):
            self.text.append(data)

    def handle_endtag(self, tag):
        self.inside = None


class Person:
    """A user with a name and a password, whose browser keeps cookies. `pages` are the titles of the pages seen."""

    def __init__(self, ca_file, user, password):
        self.user, self.password, self.pages = user, password, []
        self.browser = requests.Session()
        self.browser.trust_env, self.browser.verify = False, ca_file
        self.browser.headers.update({"Accept": "text/html", "User-Agent": "a browser without a screen"})

    def open(self, url, until=None):
        """Opens an address and fills in each form on the way. Returns the last response: of a page without a form, or for an
        address that begins with `until`, which is not opened."""
        request = requests.Request("GET", url)
        for _ in range(40):
            if until and request.url.startswith(until):
                return request
            response = self.browser.send(self.browser.prepare_request(request), allow_redirects=False, timeout=20)
            if response.is_redirect:
                request = requests.Request("GET", urllib.parse.urljoin(response.url, response.headers["Location"]))
                continue
            page = Forms(response.text)
            self.pages.append(page.title.strip())
            if page.next:
                request = requests.Request("GET", urllib.parse.urljoin(response.url, page.next))
                continue
            if not page.forms or response.status_code >= 400:
                return response
            request = self.answer(page.forms[0], response.url)
        raise AssertionError(f"the pages do not end: {self.pages}")

    def answer(self, form, url):
        """The request of a filled-in form."""
        fields = dict(form["fields"])
        if "loginfmt" in fields:
            fields["loginfmt"] = self.user
        if "passwd" in fields:
            assert self.pages[-1:] != self.pages[-2:-1], f"the password is rejected: {self.pages}"
            fields["passwd"] = self.password
        buttons = form["buttons"]
        pressed = (next((b for b in buttons if b == ("account", self.user)), None)
                   or next((b for b in buttons if b[1] in FORWARD), None)
                   or next(iter(buttons), (None, None)))
        if pressed[0]:
            fields[pressed[0]] = pressed[1] or ""
        target = urllib.parse.urljoin(url, form["action"])
        if form["method"] == "post":
            origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(url))
            return requests.Request("POST", target, data=fields, headers={"Origin": origin})
        return requests.Request("GET", target, params=fields)


def main():
    user, password, url = sys.argv[1:]
    response = Person(os.environ["REQUESTS_CA_BUNDLE"], user, password).open(url)
    print(response.status_code, response.url.partition("?")[0])


if __name__ == "__main__":
    main()
