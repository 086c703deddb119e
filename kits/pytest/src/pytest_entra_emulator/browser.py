# Licensed under the MIT License. See LICENSE.
"""A headless browser in which one person signs in: it follows redirects, keeps cookies and fills in forms."""
import html.parser
import http.cookiejar
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request

STEPS, BYTES, SECONDS = 30, 1 << 20, 20
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# The names of form fields that contain the platform's response to an app (OAuth 2.0 Form Post Response Mode, 2).
RESPONSE = {"code", "error", "id_token"}


class SignInFailed(Exception):
    """The pages did not lead to a response for the app. The message gives the reason, without passwords and codes."""


class Page:
    """The last page of a visit, or the response for an app that the browser was told not to deliver."""

    def __init__(self, url, status=None, text="", parameters=None):
        self.url = url
        #: The HTTP status; ``None`` for a response that was not delivered.
        self.status = status
        #: The visible text.
        self.text = text
        #: The parameters of the response for the app, such as ``code`` and ``state``.
        self.parameters = parameters if parameters is not None else parameters_of(url)

    def __repr__(self):
        return f"<Page {without_query(self.url)} {self.status}>"


class Browser:
    """One person's browser. It keeps its cookies until :meth:`forget_session`.

    :param ca_file: the only certificate authority to trust.
    :param user: the name to type.
    :param password: the password to type.
    :param code: a function that gets the page's text and returns the code to type, or ``None``.
    :param consent: whether the person accepts an app's consent request.
    :param stay: whether the person stays signed in.
    """

    def __init__(self, ca_file, user, password, code=None, consent=True, stay=False):
        self.user, self._password, self._code = user, password, code or (lambda text: None)
        self.consent, self.stay = consent, stay
        #: The addresses of the pages so far, without their queries.
        self.history = []
        self._tls = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca_file))
        self.forget_session()

    def __repr__(self):
        return f"<Browser of {self.user}>"

    def forget_session(self):
        """Deletes the cookies, like a new browser profile."""
        cookies = http.cookiejar.CookieJar()
        # No proxy: the emulator and the app are on this machine.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), self._tls, urllib.request.HTTPCookieProcessor(cookies), _NoRedirects())

    def sign_in(self, url):
        """Opens an authorization request, signs in, and returns the response's parameters without delivering it.

        They are what the redirect URI would receive: ``{"code": …, "state": …}``, or ``error`` and ``error_description``.

        :raises SignInFailed: if the pages do not lead to a response. The message contains the text of the last page.
        """
        wanted = parameters_of(url).get("redirect_uri")
        if not wanted:
            raise SignInFailed(f"{without_query(url)} is not an authorization request: it has no redirect_uri")
        return self._visit(url, until=wanted).parameters

    def open(self, url):
        """Opens an address, fills in every form on the way, delivers the response to the app, and returns its page.

        :raises SignInFailed: if a page of the platform is an error or rejects the input.
        """
        return self._visit(url, until=None)

    def enter(self, user_code, url):
        """Types the code that a device shows, and signs in for the device."""
        return self._visit(url, until=None, user_code=user_code)

    def deliver_failure(self, request, reason):
        """Notifies the app of an authorization request that no user will complete (RFC 6749, 4.1.2.1).

        A person would leave the page open, and a test would wait in vain.

        :param request: the parameters of the request, whose redirect URI must be on this machine.
        """
        response = {"error": "server_error", "error_description": reason}
        if "state" in request:
            response["state"] = request["state"]
        url = request["redirect_uri"]
        if request.get("response_mode") == "form_post":
            self._request("POST", url, response)
        else:
            self._request("GET", url + ("&" if "?" in url else "?") + urllib.parse.urlencode(response), None)

    def _visit(self, url, until, user_code=None):
        method, fields, typed = "GET", None, set()
        for _ in range(STEPS):
            if until and leads_to(url, until):
                return Page(url, parameters=fields if method == "POST" else None)
            self.history.append(without_query(url))
            response = self._request(method, url, fields)
            location = response.headers.get("Location")
            if response.status in (301, 302, 303, 307, 308) and location:
                # RFC 9110, 15.4: 307 and 308 repeat a form, and browsers use GET after the others.
                if response.status < 307:
                    method, fields = "GET", None
                url = inherit_fragment(urllib.parse.urljoin(url, location), url)
                continue
            text = response.read(BYTES).decode("utf-8", "replace")
            page = _Forms(text)
            if response.status >= 400 and urllib.parse.urlsplit(url).scheme == "https":
                raise SignInFailed(f"{without_query(url)} responded with {response.status}: {page.text[:400]}")
            answer = self._answer(page, typed, user_code)
            if answer is None:
                if until:
                    raise SignInFailed(f"{without_query(url)} is not the app's address: {page.text[:400]}")
                return Page(url, response.status, page.text)
            form, fields = answer
            url, method = urllib.parse.urljoin(url, form.action), form.method
            if method == "GET":
                url, fields = url.partition("?")[0] + "?" + urllib.parse.urlencode(fields), None
        raise SignInFailed(f"the pages do not end: {', '.join(self.history[-5:])}")

    def _request(self, method, url, fields):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise SignInFailed(f"{without_query(url)} is neither https nor on this machine")
        data = urllib.parse.urlencode(fields).encode() if method == "POST" else None
        request = urllib.request.Request(url.partition("#")[0], data, {"Accept": "text/html"}, method=method)
        if data is not None:
            request.add_header("Origin", f"{parts.scheme}://{parts.netloc}" if parts.scheme == "https" else "null")
        try:
            return self._opener.open(request, timeout=SECONDS)
        except urllib.error.HTTPError as error:
            return error
        except (OSError, ValueError) as error:
            raise SignInFailed(f"no response from {without_query(url)}: {error}") from error

    def _answer(self, page, typed, user_code):
        """The form to send and its fields, or ``None`` if there is nothing for the person to do."""
        for form in page.forms:
            names, fields = set(form.visible), dict(form.fields)
            for name, text in (("loginfmt", self.user), ("login", self.user), ("passwd", self._password)):
                if name in names:
                    fields[name] = once(name, text, typed, page)
            if "otc" in names:
                code = self._code(page.text) or user_code or fields["otc"]
                if not code:
                    raise SignInFailed(f"the code that this page requires is unknown: {page.text[:400]}")
                fields["otc"] = once("otc " + code, code, typed, page)
            if names & {"loginfmt", "login", "passwd", "otc"}:
                return form, form.pressed(fields, "signin", "verify", "next")
            if any(name == "account" for name, _ in form.buttons):
                return form, form.picked(fields, self.user)
            actions = {value for name, value in form.buttons if name == "action"}
            if "accept" in actions:
                return form, form.pressed(fields, "accept" if self.consent else "cancel")
            if {"yes", "no"} <= actions:
                return form, form.pressed(fields, "yes" if self.stay else "no")
            if actions == {"other", "cancel"}:
                return form, form.pressed(fields, "cancel")
            if actions or form.method == "POST" and not names and RESPONSE & set(fields):
                return form, form.pressed(fields)
        return None


def once(key, text, typed, page):
    """The text for a field. A page that asks for the same text again has rejected it."""
    if key in typed:
        raise SignInFailed(f"the input for the field {key.split()[0]} was rejected: {page.text[:400]}")
    typed.add(key)
    return text


def parameters_of(url):
    parts = urllib.parse.urlsplit(url)
    return dict(urllib.parse.parse_qsl(parts.fragment or parts.query, keep_blank_values=True))


def without_query(url):
    return re.split(r"[?#]", url, maxsplit=1)[0]


def leads_to(url, redirect_uri):
    """Whether an address is a redirect URI with a response. Browsers give an empty path its slash."""
    return without_query(url).rstrip("/") == without_query(redirect_uri).rstrip("/")


def inherit_fragment(url, former):
    """RFC 9110, 10.2.2: a redirect without a fragment inherits the one of the address that redirects."""
    fragment = urllib.parse.urlsplit(former).fragment
    return url if "#" in url or not fragment else f"{url}#{fragment}"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class _Form:
    def __init__(self, attributes):
        self.action = attributes.get("action") or ""
        self.method = "POST" if (attributes.get("method") or "").lower() == "post" else "GET"
        self.fields, self.visible, self.buttons = {}, [], []

    def pressed(self, fields, *wanted):
        """The fields with the first of these buttons, or with the form's first button."""
        found = [button for value in wanted for button in self.buttons if button == ("action", value)] or self.buttons
        if found and found[0][0]:
            fields[found[0][0]] = found[0][1]
        return fields

    def picked(self, fields, user):
        tiles = [button for button in self.buttons if button[0] == "account" and button[1].lower() == user.lower()]
        name, value = (tiles or [("action", "other")])[0]
        return {**fields, name: value}


class _Forms(html.parser.HTMLParser):
    """The visible text of a page and its forms."""

    def __init__(self, text):
        super().__init__()
        self.forms, self._words, self._hidden = [], [], None
        self.feed(text)
        self.text = " ".join(" ".join(self._words).split())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("style", "script"):
            self._hidden = tag
        elif tag == "form":
            self.forms.append(_Form(attributes))
        elif self.forms and tag == "input" and attributes.get("type") == "submit":
            # The value of an input is its label. The emulator accepts the label of its buttons, too: “Sign in” is `signin`.
            word = (attributes.get("value") or "").lower().replace(" ", "")
            self.forms[-1].buttons.append((attributes.get("name"), word))
        elif self.forms and tag == "input" and attributes.get("name"):
            self.forms[-1].fields[attributes["name"]] = attributes.get("value") or ""
            if attributes.get("type") != "hidden" and "readonly" not in attributes:
                self.forms[-1].visible.append(attributes["name"])
        elif self.forms and tag == "button" and attributes.get("type", "submit") == "submit":
            self.forms[-1].buttons.append((attributes.get("name"), attributes.get("value") or ""))

    def handle_data(self, data):
        if not self._hidden:
            self._words.append(data)

    def handle_endtag(self, tag):
        if tag == self._hidden:
            self._hidden = None
