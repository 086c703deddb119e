# Licensed under the MIT License. See LICENSE.
"""An independent client of native authentication V2, written from its specification, uses the emulator's flows over TLS. It
knows only two addresses, the entry and the token endpoint, and follows links to all others.

usage: native_v2.py BUILD_FOLDER
"""
import base64
import itertools
import json
import pathlib
import re
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request

from harness import CLIENT_ID, PASSWORD, check, running_emulator

TENANT = "fabrikam.onmicrosoft.com"
ATTRIBUTES_CLIENT = "00000000-0000-4000-8000-000000000002"
SCOPE = "openid profile offline_access"
TELEPHONE, NEW_TELEPHONE = "+15550142", "+15550177"


class Refused(Exception):
    """An error of the service: its code, inner code and AADSTS number, in any of its formats."""

    def __init__(self, status, body):
        error = body["error"]
        if isinstance(error, str):
            code, inner, text = error, body.get("suberror"), body.get("error_description", "")
            self.attributes = [entry["name"] for entry in body.get("invalid_attributes", [])]
        else:
            nested = error.get("innerError") or {}
            code, inner, text = error["code"], nested.get("code"), error.get("message", "")
            self.attributes = [name for detail in nested.get("details", []) for name in detail.get("attributeIds", [])]
        super().__init__(f"{status} {code} {inner} {text}")
        self.status, self.code, self.inner = status, code, inner
        number = re.search(r"AADSTS(\d+)", text)
        self.number = int(number[1]) if number else None


class Browser(Exception):
    """The user has to continue in the browser."""


class ForeignLink(Exception):
    """A link that a client must not follow."""


class Client:
    def __init__(self, emulator, client_id=CLIENT_ID):
        self.emulator, self.client_id = emulator, client_id
        self.authority = f"{emulator.base}/{TENANT}"
        self.context = ssl.create_default_context(cafile=emulator.ca_file)
        self.followed = []

    # Requests and responses.

    def request(self, method, address, body, content_type):
        request = urllib.request.Request(
            address, body.encode(), method=method,
            headers={"Content-Type": content_type, "Accept": "application/hal+json, application/json"})
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=10) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def form(self, address, **values):
        return self.request("POST", address, urllib.parse.urlencode(values), "application/x-www-form-urlencoded")

    def resolve(self, link):
        """The address of a link, if it is one of this authority."""
        href = (link[0] if isinstance(link, list) else link)
        href = href["href"] if isinstance(href, dict) else href
        if href.startswith("https://"):
            parts = urllib.parse.urlsplit(href)
            if f"https://{parts.netloc}" != self.emulator.base:
                raise ForeignLink(href)
            href = parts.path
        place = re.fullmatch(r"/?(?:[^/]+/)?((?:api|oauth2)/[^?#\\]*)", href)
        if not place or "//" in place[1] or "/../" in place[1]:
            raise ForeignLink(href)
        return f"{self.authority}/{place[1]}"

    def follow(self, links, *relations, token, method="POST", **members):
        relation = next(name for name in relations if name in links)
        address = self.resolve(links[relation])
        self.followed.append(address)
        body = json.dumps({"continuationToken": token, **members})
        return self.answer(*self.request(method, address, body, "application/json"))

    @staticmethod
    def answer(status, body):
        error = body.get("error")
        code = error if isinstance(error, str) else (error or {}).get("code")
        inner = body.get("suberror") or ((error.get("innerError") or {}).get("code") if isinstance(error, dict) else None)
        if (body.get("state") == "webFallbackRequired" or code == "redirect_to_web"
                or inner in ("web_redirect_required", "webRedirectRequired")):
            raise Browser
        if error:
            raise Refused(status, body)
        return body

    # The flow.

    def start(self, want, user, scope=SCOPE):
        status, entry = self.form(f"{self.authority}/oauth2/v2.0/authorize-challenge", client_id=self.client_id, scope=scope)
        token = entry.get("continuationToken") or entry.get("continuation_token")
        names = (want, re.sub(r"_(.)", lambda letter: letter[1].upper(), want))
        links = {**entry, **entry.get("_links", {})}
        if not token or not any(name in links for name in names):
            raise Refused(status, entry)
        return self.follow(links, *names, token=token, username=user)

    def step(self, answer, *relations, method_type=None, **members):
        """Follows a link of the response, or of the method with that type."""
        links = answer.get("_links", {})
        if method_type:
            links = next(m for m in answer["_embedded"]["methods"] if m["type"] == method_type)["_links"]
        return self.follow(links, *relations, token=token_of(answer), **members)

    def prove(self, answer, method_type, recipient):
        """Chooses a method, passes its risk check, and submits the code."""
        sent = self.step(answer, "challenge", method_type=method_type)
        if sent["action"] == "riskverify":
            sent = self.step(sent, "riskverify")
        assert int(sent["codeLength"]) == len(self.code(recipient))
        return self.step(sent, "verify", otp=self.code(recipient))

    def finish(self, answer, scope=SCOPE):
        """The tokens, or the response that asks for another step."""
        assert answer["state"] == "continue", answer
        link = answer.get("_links", {}).get("continue")
        address = self.resolve(link) if link else f"{self.authority}/oauth2/v2.0/authorize-challenge"
        resumed = self.answer(*self.form(address, continuation_token=token_of(answer)))
        if "code" not in resumed:
            return resumed
        status, tokens = self.form(
            f"{self.authority}/oauth2/v2.0/token", grant_type="authorization_code", code=resumed["code"],
            client_id=self.client_id, client_info="true", scope=scope)
        if status != 200:
            raise Refused(status, tokens)
        return tokens

    def code(self, recipient):
        messages = self.emulator.steer("GET", "/outbox")["messages"]
        return [message["code"] for message in messages if message["recipient"] == recipient][-1]


def token_of(answer):
    return answer.get("continuationToken") or answer["continuation_token"]


def user_of(tokens):
    payload = tokens["id_token"].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["preferred_username"]


def refusal(run):
    try:
        run()
    except Refused as refused:
        return refused
    raise SystemExit("FAILED: the request was not rejected")


def sign_in(client):
    user = "password@fabrikam.example"
    asked = client.start("sign_in", user)
    check(asked["action"] == "verify" and asked["type"] == "password", "a sign-in asks for the password")
    wrong = refusal(lambda: client.step(asked, "verify", password="wrong"))
    check((wrong.code, wrong.inner, wrong.number) == ("invalidGrant", "invalidUserNameOrPassword", 50126),
          "a wrong password is rejected with the inner error for it")
    done = client.step(asked, "verify", password=PASSWORD)
    check(user_of(client.finish(done)) == user, "the same continuation token accepts the correct password, which leads to tokens")
    used = refusal(lambda: client.finish(done))
    check(used.inner == "invalidContinuationToken", "a continuation token works only once")

    user = "code@fabrikam.example"
    offered = client.start("sign_in", user)
    check(user_of(client.finish(client.prove(offered, "email", user))) == user, "a code by email leads to tokens")
    unknown = refusal(lambda: client.start("sign_in", "nobody@fabrikam.example"))
    check(unknown.number == 50034, "an unknown user is rejected")


def every_form(client):
    styles = itertools.product(["relative", "relativeTenantId", "template", "absolute"], [401, 200],
                               ["snake", "camel", "hal"], ["camel", "snake", "both"])
    for style, status, names, token in styles:
        client.emulator.steer("PATCH", "/native", {"v2": {
            "linkStyle": style, "entryStatus": status, "entryNames": names, "tokenName": token,
            "numbersAsText": status == 200, "unknownMembers": True, "extraMethods": True,
            "interactionStatus": status, "continueLink": names != "hal"}})
        user = "code@fabrikam.example"
        tokens = client.finish(client.prove(client.start("sign_in", user), "email", user))
        assert user_of(tokens) == user, (style, status, names, token)
    check(True, "each form of entry, links and token leads to tokens")
    client.emulator.reset()


def second_factor(client):
    client.emulator.steer("PATCH", "/native", {"v2": {"riskCheck": "pass"}})
    for position in ("afterFirst", "atResume"):
        client.emulator.steer("PATCH", "/native", {"v2": {"secondFactorPosition": position}})
        answer = client.step(client.start("sign_in", "mfa-choice@fabrikam.example"), "verify", password=PASSWORD)
        if position == "atResume":
            answer = client.finish(answer)
        check(answer["challengeContext"]["authenticationFactor"] == "multiFactor"
              and [method["type"] for method in answer["_embedded"]["methods"]] == ["email", "sms"],
              f"a second factor is a choice, {position}")
        tokens = client.finish(client.prove(answer, "sms", TELEPHONE))
        check(user_of(tokens) == "mfa-choice@fabrikam.example", "  a text message after a risk check leads to tokens")
    client.emulator.steer("PATCH", "/native", {"v2": {"riskCheck": "block", "secondFactorPosition": None}})
    answer = client.step(client.start("sign_in", "mfa-choice@fabrikam.example"), "verify", password=PASSWORD)
    blocked = refusal(lambda: client.prove(answer, "sms", TELEPHONE))
    check(blocked.inner == "providerBlockedByReputation", "a phone number that fails the risk check is rejected")
    client.emulator.reset()


def registration(client):
    user = "register-v2@fabrikam.example"
    answer = client.step(client.start("sign_in", user), "verify", password=PASSWORD)
    check(answer["action"] == "enroll", "a user without a method has to register one")
    blocked = refusal(lambda: client.step(answer, "enroll", method_type="email", target="somebody@blocked.example"))
    check(blocked.inner == "providerBlockedByReputation", "  a blocked contact is rejected")
    sent = client.step(answer, "enroll", method_type="sms", target=NEW_TELEPHONE)
    sent = client.step(sent, "resend")
    done = client.step(sent, "activate", code=client.code(NEW_TELEPHONE))
    check(user_of(client.finish(done)) == user, "  another contact receives a code, which leads to tokens")


def sign_up(client):
    user = "new@customer.example"
    asked = client.prove(client.start("sign_up", user), "email", user)
    names = [attribute["attributeId"] for attribute in asked["attributes"]]
    check(asked["action"] == "collectAttributes" and {"displayName", "postalCode", "password"} <= set(names),
          "a sign-up asks for attributes and a password")
    values = {"displayName": "Nia", "postalCode": "x", "password": "short"}
    wrong = refusal(lambda: client.step(asked, "submitAttributes", attributes=values))
    check(wrong.inner == "attributeValidationError" and set(wrong.attributes) == {"postalCode", "password"},
          "an invalid attribute is named")
    values.update(postalCode="01234", password="Gr8-secret!")
    done = client.step(asked, "submitAttributes", attributes=values)
    check(user_of(client.finish(done)) == user, "valid attributes create an account, with tokens")
    again = refusal(lambda: client.start("sign_up", user))
    check(again.inner == "userAlreadyExists", "a second sign-up is rejected")


def reset(client):
    user = "reset-mfa@fabrikam.example"
    asked = client.prove(client.start("reset_password", user), "email", user)
    check(asked["action"] == "update", "a reset asks for a new password after a code")
    weak = refusal(lambda: client.step(asked, "update", "self", method="PUT", newPassword="alllowercase"))
    check(weak.inner == "passwordTooWeak", "a weak password is rejected")
    answer = client.step(asked, "update", "self", method="PUT", newPassword="Gr8-secret!")
    polls = 0
    while answer.get("action") == "poll":
        polls += 1
        answer = client.step(answer, "poll")
    check(polls == 2 and answer["challengeContext"]["authenticationFactor"] == "multiFactor",
          "polls end with a second factor")
    check(user_of(client.finish(client.prove(answer, "sms", TELEPHONE))) == user, "the second factor leads to tokens")
    asked = client.start("sign_in", user)
    old = refusal(lambda: client.step(asked, "verify", password=PASSWORD))
    check(old.number == 50126, "the old password is rejected")


def browser(client):
    for form, step in itertools.product(["state", "error", "suberror", "inner"], ["start", "afterFirst", "atResume"]):
        client.emulator.steer("PATCH", "/native", {"v2": {"fallback": form, "fallbackStep": step}})
        try:
            client.finish(client.step(client.start("sign_in", "password@fabrikam.example"), "verify", password=PASSWORD))
        except Browser:
            continue
        raise SystemExit(f"FAILED: {form} at {step} led to tokens")
    check(True, "each form of the browser fallback is understood at each step")
    client.emulator.reset()


def foreign(client):
    for address in ("https://attacker.example/api/v2.0/verify", "//attacker.example/api/v2.0/verify", "/elsewhere/verify"):
        client.emulator.steer("PATCH", "/native", {"v2": {"hostileLink": {"relation": "verify", "address": address}}})
        asked = client.start("sign_in", "password@fabrikam.example")
        try:
            client.step(asked, "verify", password=PASSWORD)
        except ForeignLink:
            continue
        raise SystemExit(f"FAILED: {address} was followed")
    check(True, "a link to another host receives no password")
    client.emulator.reset()


def by_name(client):
    client.emulator.steer("POST", "/answers", {"endpoint": "/signin/start", "responses": ["flowUserNotFound", "flowUpdate"]})
    unknown = refusal(lambda: client.start("sign_in", "password@fabrikam.example"))
    check(unknown.number == 50034, "a response configured by name can be an error")
    check(client.start("sign_in", "password@fabrikam.example")["action"] == "update", "a response configured by name can be a step")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with running_emulator(build) as emulator:
        client = Client(emulator)
        sign_in(client)
        every_form(client)
        second_factor(client)
        registration(client)
        sign_up(Client(emulator, ATTRIBUTES_CLIENT))
        reset(client)
        browser(client)
        foreign(client)
        by_name(client)
        segments = {address.removeprefix(client.authority).split("/")[4] for address in client.followed}
        check(len(segments) > 72 and all(len(segment) == 22 for segment in segments),
              "each flow had different addresses")
        journal = json.dumps(emulator.journal())
        check(PASSWORD not in journal and "Gr8-secret!" not in journal, "no password is in the journal")


main()
