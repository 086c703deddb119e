# Licensed under the MIT License. See LICENSE.
"""The control API of the emulator: codes, journal, clock, faults and people."""
import json
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request


class ControlError(Exception):
    """The control API refused a request. The text names the member and the allowed values."""


class Control:
    """The side of the service, for a test. Every method is one request."""

    def __init__(self, base, token, ca_file):
        self.base, self._token = base, token
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca_file)))

    def request(self, method, path, body=None):
        """Sends a request and returns the value of its JSON, or ``None`` if there is none.

        :raises ControlError: with the sentence of the response.
        """
        request = urllib.request.Request(
            self.base + path, None if body is None else json.dumps(body).encode(), method=method,
            headers={"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"})
        try:
            with self._opener.open(request, timeout=20) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            text = error.read().decode("utf-8", "replace")
            raise ControlError(f"{method} {path}: {error.code} {described(text)}") from None
        return json.loads(text) if text else None

    def reset(self):
        """Returns to the directory of the start: users, consents, tokens, faults, journal and clock."""
        self.request("POST", "/reset", {})

    def journal(self, **filters):
        """The requests since the start or the last reset, oldest first, secrets masked.

        ``pathSuffix``, ``method``, ``status``, ``correlationId`` and ``number`` filter; ``limit`` and ``after`` page.
        """
        query = "?" + urllib.parse.urlencode(filters) if filters else ""
        return self.request("GET", "/journal" + query)["entries"]

    def take(self, **filters):
        """Takes the oldest request that fits out of the journal; ``None`` if there is none."""
        return self.request("POST", "/journal/take", filters)["entry"]

    def advance(self, seconds):
        """Moves the emulated time: tokens, codes and sessions grow older."""
        self.request("POST", "/clock", {"advance": seconds})

    def fail_next(self, path_suffix, status=503, count=1, **more):
        """Makes the next requests of an endpoint fail.

        ``more``: ``method``, ``body``, ``headers``, ``delayMilliseconds``, ``dropsConnection``, ``stopsAfterBytes``,
        ``hangs``.
        """
        self.request("POST", "/faults", {"pathSuffix": path_suffix, "status": status, "count": count, **more})

    def show_certificate(self, fault=None):
        """Shows a faulty certificate to new connections: ``expired``, ``otherName``, ``selfSigned``; ``None`` the good one."""
        self.request("POST", "/certificate", {"fault": fault} if fault else {})

    def revoke(self, user):
        """Ends all sign-ins of a user."""
        self.request("POST", "/revoke", {"userPrincipalName": user})

    def roll_keys(self):
        """Signs all tokens with a new key from now on; the key sets show the old ones, too."""
        self.request("POST", "/keys", {"rollover": True})

    def entries(self, kind):
        """The entries of a kind: ``tenants``, ``users``, ``groups``, ``applications``, ``apis``, ``managedIdentities``."""
        found, path = [], f"/{kind}"
        while True:
            page = self.request("GET", path)
            found += page[kind]
            if not page.get("more"):
                return found
            path = f"/{kind}?" + urllib.parse.urlencode({"after": page["next"]})

    def add(self, kind, **members):
        """Adds an entry, with the members of a directory file, and returns it with its secrets."""
        return self.request("POST", f"/{kind}", members)

    def change(self, kind, name, **members):
        """Changes members of an entry; ``None`` removes one. It holds for the next request."""
        return self.request("PATCH", f"/{kind}/{quoted(name)}", members)

    def remove(self, kind, name):
        """Removes an entry, by its id or another name."""
        self.request("DELETE", f"/{kind}/{quoted(name)}")

    def users(self):
        """The users."""
        return self.entries("users")

    def add_user(self, name, password, **more):
        """Adds a user. ``more``: ``givenName``, ``surname``, ``tenant``, ``isAdministrator``, ``customer`` and others."""
        return self.add("users", userPrincipalName=name, password=password, **more)

    def remove_user(self, name):
        """Removes a user."""
        self.remove("users", name)

    def apps(self):
        """The app registrations."""
        return self.entries("applications")

    def add_app(self, client_id, **more):
        """Registers an app. ``more``: ``type``, ``displayName``, ``redirectUris``, ``secrets`` and others."""
        return self.add("applications", clientId=client_id, **more)

    def remove_app(self, client_id):
        """Removes an app registration."""
        self.remove("applications", client_id)

    def outbox(self):
        """The one-time codes that were sent, oldest first."""
        return self.request("GET", "/outbox")["messages"]

    def code_on(self, text):
        """The newest code for an address that a page's text names, in full or with asterisks; ``None`` without one."""
        shown = [re.compile(r".*".join(map(re.escape, re.split(r"\*+", word))) + "$")
                 for word in text.split() if "*" in word]
        for message in reversed(self.outbox()):
            recipient = message["recipient"]
            if recipient in text or any(pattern.match(recipient) for pattern in shown):
                return message["code"]
        return None


def quoted(name):
    return urllib.parse.quote(name, safe="")


def described(text):
    try:
        return json.loads(text)["error_description"]
    except (ValueError, KeyError, TypeError):
        return text[:200]
