# Licensed under the MIT License. See LICENSE.
"""The control API of the emulator: codes, journal, clock, faults and people."""
import json
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request


class ControlError(Exception):
    """The control API rejected a request. The message names the member and the allowed values."""


class Control:
    """The control API, for a test. Every method is one request."""

    def __init__(self, base, token, ca_file):
        self.base, self._token = base, token
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca_file)))

    def request(self, method, path, body=None):
        """Sends a request and returns its JSON response, or ``None`` if there is none.

        :raises ControlError: with the message of the response.
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
        """Restores the initial directory: users, consents, tokens, faults, journal and clock."""
        self.request("POST", "/reset", {})

    def journal(self, **filters):
        """The requests since the start or the last reset, oldest first, with secrets masked.

        ``pathSuffix``, ``method``, ``status``, ``correlationId`` and ``number`` filter; ``limit`` and ``after`` page.
        """
        query = "?" + urllib.parse.urlencode(filters) if filters else ""
        return self.request("GET", "/journal" + query)["entries"]

    def take_from_journal(self, **filters):
        """Removes the oldest matching request from the journal and returns it; ``None`` if there is none."""
        return self.request("POST", "/journal/take", filters)["entry"]

    take = take_from_journal

    def expect_request(self, **filters):
        """Waits until a matching request is in the journal, and returns it; ``None`` if none arrives.

        ``seconds``, ten at most, is the time limit; ``after`` is the ID of an entry that the request must follow.
        """
        return self.request("POST", "/expect", filters)["entry"]

    def clock(self):
        """The emulated time: ``now``, ``frozen`` and ``skews``."""
        return self.request("GET", "/clock")

    def advance_clock(self, seconds):
        """Moves the emulated time: tokens, codes and sessions grow older."""
        self.request("POST", "/clock", {"advance": seconds})

    advance = advance_clock

    def set_clock(self, date):
        """Sets the emulated time to a date such as ``2030-12-31T23:59:59Z``."""
        self.request("POST", "/clock", {"set": date})

    def freeze_clock(self, frozen=True):
        """Stops the emulated time, or lets it continue."""
        self.request("POST", "/clock", {"freeze": frozen})

    def skew_clock(self, client_id, seconds):
        """Sets a difference in seconds for the time of one client; 0 ends it."""
        self.request("POST", "/clock", {"clientId": client_id, "skew": seconds})

    def fail_next(self, path_suffix, status=503, count=1, **more):
        """Makes the next requests of an endpoint fail.

        ``more``: ``method``, ``body``, ``headers``, ``delayMilliseconds``, ``dropsConnection``, ``stopsAfterBytes``,
        ``hangs``.
        """
        self.request("POST", "/faults", {"pathSuffix": path_suffix, "status": status, "count": count, **more})

    def enqueue_fault(self, path_suffix, **members):
        """Adds a fault with any members: also ``script``, ``refusal``, ``skip``, ``probability`` and ``seed``."""
        self.request("POST", "/faults", {"pathSuffix": path_suffix, **members})

    def clear_faults(self):
        """Removes the pending faults."""
        self.request("DELETE", "/faults")

    def enqueue_responses(self, endpoint, responses, correlation_id=None):
        """Queues named responses for the next native authentication requests."""
        body = {"endpoint": endpoint, "responses": responses}
        self.request("POST", "/answers", {**body, "correlationId": correlation_id} if correlation_id else body)

    def show_certificate(self, fault=None):
        """Shows a faulty certificate to new connections: ``expired``, ``otherName``, ``selfSigned``; ``None`` for the valid one."""
        self.request("POST", "/certificate", {"fault": fault} if fault else {})

    def revoke_sign_ins(self, user):
        """Revokes all sign-ins of a user."""
        self.request("POST", "/revoke", {"userPrincipalName": user})

    revoke = revoke_sign_ins

    def sign_ins(self):
        """The policy decisions, oldest first."""
        return self.request("GET", "/signins")["signins"]

    def sign_in_next(self, user, client_id=None, count=1):
        """Completes the next authorization requests without a page, including consent and second factor."""
        body = {"userPrincipalName": user, "count": count}
        self.request("POST", "/sign-in", {**body, "clientId": client_id} if client_id else body)

    def set_claims(self, claims, **scope):
        """Sets claims in tokens; ``None`` removes a claim. ``scope``: ``user``, ``application``, ``api``, ``token``
        (``idToken`` or ``accessToken``), ``once=True`` for only the next sign-in, ``force=True`` for restricted claims.
        Returns the setting; ``remove("tokenClaims", setting["id"])`` ends it."""
        return self.request("POST", "/claims", {"claims": claims, **scope})

    def challenge(self, user, claims=None):
        """Makes the APIs challenge a user's app for claims, JSON with ``acrs`` or ``nbf``; ``None`` ends it."""
        self.request("POST", "/challenge", {"user": user, "claims": claims} if claims else {"user": user})

    def access_token(self, **members):
        """An access token without a sign-in; :meth:`Emulator.access_token` documents the members."""
        return self.request("POST", "/tokens", members)["access_token"]

    def roll_over_signing_key(self):
        """Signs all tokens with a new key from now on; the key sets include the old ones, too."""
        self.request("POST", "/keys", {"rollover": True})

    def announce_signing_key(self):
        """Publishes the next key, which does not sign yet."""
        self.request("POST", "/keys", {"announce": True})

    roll_keys = roll_over_signing_key

    def flaw_federated_tokens(self, flaw, issuer=None, count=1):
        """Makes the next tokens of the emulator's external issuers invalid."""
        body = {"flaw": flaw, "count": count}
        self.request("POST", "/issuers", {**body, "issuer": issuer} if issuer else body)

    def managed_identity(self):
        """The identities of the machine, the environment of programs, and the pending failures."""
        return self.request("GET", "/managed-identity")

    def assign_managed_identity(self, name, assigned):
        """Assigns an identity of the directory to the machine, or removes it."""
        self.request("POST", "/managed-identity", {"identity": name, "assigned": assigned})

    def fail_managed_identity(self, status, **more):
        """Makes its endpoints fail. ``more``: ``source``, ``retryAfter``, ``message``, ``count``."""
        self.request("POST", "/managed-identity", {"status": status, **more})

    def flaw_managed_identity(self, flaw, **more):
        """Makes responses untrustworthy. ``more``: ``source``, ``count``."""
        self.request("POST", "/managed-identity", {"flaw": flaw, **more})

    def snapshots(self):
        """The names of the snapshots."""
        return self.request("GET", "/snapshots")["snapshots"]

    def take_snapshot(self, name):
        """Saves directory, users, consents, sessions, and tokens under a name."""
        self.request("POST", f"/snapshots/{quoted(name)}")

    def restore_snapshot(self, name):
        """Restores a snapshot."""
        self.request("PUT", f"/snapshots/{quoted(name)}")

    def directory(self, secrets=False):
        """The whole directory, in the form of a file."""
        return self.request("GET", "/directory" + ("?secrets=true" if secrets else ""))

    def add_to_directory(self, **lists):
        """Adds many entries at once, or none: ``users=[…]``, ``groups=[…]``. Returns how many of each."""
        return self.request("POST", "/directory", lists)["added"]

    def native_auth(self):
        """The settings of native authentication."""
        return self.request("GET", "/native")

    def change_native_auth(self, **members):
        """Changes settings of native authentication; ``None`` restores the default."""
        return self.request("PATCH", "/native", members)

    def api_description(self):
        """The OpenAPI description of this API."""
        return self.request("GET", "/openapi.json")

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

    def entry(self, kind, name):
        """An entry, by its ID or another name."""
        return self.request("GET", f"/{kind}/{quoted(name)}")

    def change(self, kind, name, **members):
        """Changes members of an entry; ``None`` removes one. It applies to the next request."""
        return self.request("PATCH", f"/{kind}/{quoted(name)}", members)

    def remove(self, kind, name):
        """Removes an entry, by its ID or another name."""
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
        """The latest code for an address that a page's text names, in full or with asterisks; ``None`` if there is none."""
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
