# Licensed under the MIT License. See LICENSE.
"""Checks `msal` against Microsoft's service, with your own tenant and app registration. You sign in once; everything else only
reads. The report can be published: it contains only the fields of `FORMS`, and no token, name, or ID.

usage: real.py MSAL TENANT CLIENT-ID [--device-code] [--limit SECONDS] [--report FILE]
    --device-code      sign in with a code, in a browser on any machine
    --limit SECONDS    the time limit of a check, 60 by default; the sign-in has 300
    --report FILE      where the report is written; real-report.txt by default

The app needs the redirect URI http://localhost and, for --device-code, public client flows: docs/RegisterAnApp.md. Tokens are
in a temporary folder, which is deleted at the end. The exit status is 0 if every check passed, 1 if one failed, 2 for invalid
arguments, and 130 after Ctrl-C.
"""
import argparse
import base64
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

LOGIN, GRAPH = "https://login.microsoftonline.com", "https://graph.microsoft.com"
# Microsoft Graph as the audience of an access token.
GRAPH_AUDIENCES = {GRAPH, f"{GRAPH}/", "00000003-0000-0000-c000-000000000000"}
ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
TENANT = re.compile(r"(?!(?:common|organizations|consumers)$)[A-Za-z0-9][A-Za-z0-9.-]*")
ERRORS = {"invalid_request", "invalid_grant", "invalid_client", "invalid_scope", "invalid_resource", "invalid_tenant",
          "unauthorized_client", "unsupported_grant_type", "interaction_required", "consent_required", "login_required",
          "authorization_pending", "temporarily_unavailable", "server_error", "access_denied", "InvalidAuthenticationToken",
          "BadRequest", "Request_ResourceNotFound", "Authorization_RequestDenied"}
CLAIMS = set("""acct acr acrs aio amr app_displayname appid appidacr aud azp azpacr cc deviceid e_exp email exp family_name
    given_name iat idp idtyp in_corp ipaddr iss name nbf nonce oid onprem_sid platf preferred_username puid pwd_exp rh roles scp sid
    signin_state sub tenant_ctry tenant_region_scope tid unique_name upn uti ver wids xms_cc xms_ftd xms_idrel xms_st xms_tcdt
    xms_tdbr""".split())


class Stop(Exception):
    """A result with which the other checks are pointless; the message says what to do."""


class Failure(Exception):
    """A check that failed. The message is for the terminal; the fields are for the report."""

    def __init__(self, message, **fields):
        super().__init__(message)
        self.fields = fields


class Service:
    """What the checks use: the command with a store of its own, and HTTPS."""

    def __init__(self, arguments, folder):
        self.tenant, self.client, self.limit, self.folder = arguments.tenant, arguments.client, arguments.limit, folder
        self.device_code, self.program = arguments.device_code, str(arguments.msal.resolve())
        # Nothing of the user's settings, and no emulator. HOME stays, because the browser is the user's.
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("MSAL_", "AZURE_")) or name == "MSAL_CA_FILE"}
        self.environment = {
            **kept, "MSAL_STORE_DIR": str(folder), "MSAL_STORE_KEY": "key-file", "MSAL_CONFIG": str(folder / "config.yaml"),
            "MSAL_CLIENT_ID": self.client, "MSAL_AUTHORITY": f"{LOGIN}/{self.tenant}", "MSAL_SCOPES": "User.Read"}
        self.tenant_id = self.token = self.user = ""
        self.document = {}

    def msal(self, *words, limit=None, is_shown=False):
        """The exit status and the JSON of a command."""
        with subprocess.Popen([self.program, *words, "-o", "json"], env=self.environment, stdout=subprocess.PIPE, text=True,
                              stdin=None if is_shown else subprocess.DEVNULL,
                              stderr=None if is_shown else subprocess.DEVNULL) as process:
            try:
                output, _ = process.communicate(timeout=limit or self.limit)
            except BaseException:
                process.kill()
                raise
        try:
            return process.returncode, json.loads(output)
        except ValueError:
            raise Failure(f"msal {words[0]} ended with status {process.returncode} and without JSON.") from None

    def get(self, *words, **options):
        """The JSON of a command that has to succeed."""
        status, value = self.msal(*words, **options)
        if status:
            raise Failure(f"{value['error']['message']} {value['error']['remedy'] or ''}", **fields_of(value["error"]))
        return value

    def http(self, url, form=None, token=None):
        """The status, the headers, and the JSON of a response."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(url, form and urllib.parse.urlencode(form).encode(), headers)
        try:
            reply = urllib.request.urlopen(request, timeout=self.limit)
        except urllib.error.HTTPError as error:
            reply = error
        with reply:
            try:
                return reply.status, reply.headers, json.loads(reply.read(1 << 20))
            except ValueError:
                raise Failure(f"The response of {urllib.parse.urlsplit(url).hostname} is not JSON.", http=reply.status) from None


def fields_of(error):
    """The publishable part of an error in the JSON of the command."""
    return {"aadsts": error["error_codes"], "code": [error["code"], error["internal_code"]]}


def expect(condition, message, **fields):
    if not condition:
        raise Failure(message, **fields)


def metadata(service):
    """the tenant's metadata names its issuer and its endpoints"""
    status, _, document = service.http(f"{LOGIN}/{service.tenant}/v2.0/.well-known/openid-configuration")
    if status != 200:
        numbers = document.get("error_codes", [])
        raise Stop(f"The service does not know the tenant {service.tenant} ({', '.join(f'AADSTS{number}' for number in numbers)}). "
                   "Pass one of its domains, or its ID.")
    service.document = document
    issuer = re.fullmatch(f"{re.escape(LOGIN)}/({ID.pattern})/v2.0", document["issuer"], re.I)
    expect(issuer, "The issuer has another form.", http=status)
    service.tenant_id = issuer[1].lower()
    names = ["authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "end_session_endpoint", "jwks_uri"]
    missing = [name for name in names if not str(document.get(name)).startswith(f"{LOGIN}/")]
    expect(not missing, f"The metadata lack {', '.join(missing)}.", http=status)
    return {"http": status}


def keys(service):
    """the signing keys are RSA keys with an ID"""
    status, _, document = service.http(service.document["jwks_uri"])
    keys = document.get("keys", [])
    expect(keys and all(key["kty"] == "RSA" and key["kid"] for key in keys), "There is another key.", http=status)
    return {"http": status}


def doctor(service):
    """msal doctor finds no fault before the sign-in"""
    _, report = service.msal("doctor")
    for check in report.get("checks", []):
        if check["name"] in ("settings", "authority", "sign-in page") and not check["is_good"]:
            raise Stop(f"{check['finding']}. {check['remedy'] or ''}".strip())
    bad = [check["name"] for check in report["checks"] if not check["is_good"]]
    expect(not bad, f"msal doctor reports: {', '.join(bad)}.")
    return {}


def token_error(service):
    """the token endpoint rejects an invalid code with an AADSTS number"""
    status, _, error = service.http(service.document["token_endpoint"], {
        "client_id": service.client, "grant_type": "authorization_code", "code": "invalid", "redirect_uri": "http://localhost",
        "code_verifier": 43 * "a", "scope": "User.Read"})
    fields = {"http": status, "error": error.get("error"), "aadsts": error.get("error_codes")}
    expect(status == 400 and fields["aadsts"] and error["error_description"].startswith("AADSTS"), "The error has another form.",
           **fields)
    return fields


def device_code(service):
    """the service issues a device code, and reports that it is pending"""
    status, _, codes = service.http(service.document["device_authorization_endpoint"],
                                    {"client_id": service.client, "scope": "User.Read"})
    fields = {"http": status, "error": codes.get("error"), "aadsts": codes.get("error_codes")}
    expect(status == 200, "There is no device code.", **fields)
    expect(codes["user_code"] and codes["verification_uri"].startswith("https://") and codes["expires_in"] > 0,
           "A member is missing.")
    status, _, error = service.http(service.document["token_endpoint"], {
        "client_id": service.client, "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": codes["device_code"]})
    fields = {"http": status, "error": error.get("error"), "aadsts": error.get("error_codes")}
    # The app does not allow public client flows. Only device codes need them.
    if fields["aadsts"] == [7000218] and not service.device_code:
        return {**fields, "result": "not run"}
    expect(fields["error"] == "authorization_pending", "The poll has another result.", **fields)
    return fields


def sign_in(service):
    """a user signs in, and the ID token's signature is verified"""
    words = ["--use-device-code"] if service.device_code else ["--mode", "browser"]
    result = service.get("login", *words, "--timeout", "300", limit=310, is_shown=True)
    expect(result["is_id_token_signature_verified"], "The signature of the ID token was not verified.")
    expect(result["account"]["tenant_id"].lower() == service.tenant_id, "The user is not a member of the tenant.")
    expect(result["is_persisted"], "The sign-in was not stored.")
    service.user = result["account"]["username"]
    return {}


def cached(service):
    """the next token comes from the cache"""
    result = service.get("token", "--show-token")
    service.token = result["access_token"]
    expect(result["source"] == "cache", "The token was requested again.")
    expect("User.Read" in {scope.rpartition("/")[2] for scope in result["scopes"]}, "User.Read was not granted.")
    return {}


def claims(service):
    """the access token's claims name Graph, the tenant, the app, and a lifetime"""
    parts = service.token.split(".")
    expect(len(parts) == 3, "The token is not a JWT.")
    claims = json.loads(base64.urlsafe_b64decode(parts[1] + -len(parts[1]) % 4 * "="))
    fields = {"claims": sorted(claims)}
    expect(claims["aud"] in GRAPH_AUDIENCES, "The audience is not Graph.", **fields)
    expect(claims["tid"].lower() == service.tenant_id, "The token is of another tenant.", **fields)
    expect(claims.get("azp", claims.get("appid", "")).lower() == service.client.lower(), "The token is for another app.", **fields)
    expect("User.Read" in claims["scp"].split(), "The token lacks User.Read.", **fields)
    expect(claims["iat"] - 60 <= time.time() < claims["exp"], "The token is not valid now.", **fields)
    return fields


def refreshed(service):
    """a forced refresh returns another token"""
    result = service.get("token", "--refresh", "--show-token")
    expect(result["source"] == "refresh", "The token came from another source.")
    expect(result["access_token"] != service.token, "The token is the same.")
    service.token = result["access_token"]
    return {}


def reading(path, member):
    def check(service):
        response = service.get("graph", path)
        expect(member in response["body"], f"The response lacks {member}.", http=response["status"])
        return {"http": response["status"]}

    check.__doc__ = f"msal graph {path}"
    return check


def rejecting(status, sentence, path, has_token):
    def check(service):
        got, headers, body = service.http(f"{GRAPH}/v1.0{path}", token=service.token if has_token else None)
        fields = {"http": got, "error": body.get("error", {}).get("code")}
        expect(got == status and fields["error"], "Graph responds differently.", **fields)
        expect(has_token or headers.get("WWW-Authenticate", "").startswith("Bearer"), "There is no challenge.", **fields)
        return fields

    check.__doc__ = sentence
    return check


def unknown_scope(service):
    """a scope that does not exist is an error with an AADSTS number"""
    status, result = service.msal("token", "--scope", f"{GRAPH}/Nonexistent.Read")
    expect(status in (1, 3) and "error" in result, "The scope was granted.")
    fields = fields_of(result["error"])
    expect(fields["aadsts"], "The error has no number.", **fields)
    return fields


def sign_out(service):
    """after msal logout there is no token and no account"""
    service.get("logout")
    status, result = service.msal("token")
    expect(status == 4 and "error" in result, "There is still a token.")
    # A broker lists the accounts of the device.
    accounts = service.get("account", "list")["accounts"]
    expect(not any(account["signed_in"] for account in accounts), "There is still an account.")
    return {}


def no_secret(service):
    """no stored file contains the token or the user's name in the clear"""
    files = [path.read_bytes() for path in service.folder.rglob("*") if path.is_file()]
    expect(files, "Nothing was stored.")
    for secret in (service.token, service.user):
        expect(not any(secret.encode() in file for file in files), "A file contains the token or the name.")
    return {}


CHECKS = [
    metadata, doctor, sign_in, cached, claims, refreshed, no_secret,
    reading("/me", "userPrincipalName"), reading("/me?$select=id,displayName", "displayName"),
    reading("/me/memberOf?$top=1", "value"),
    rejecting(401, "Graph rejects a request without a token", "/me", False),
    rejecting(400, "Graph rejects a path that does not exist", "/me/nonexistent", True),
    unknown_scope, keys, token_error, device_code, sign_out,
]

# What the report may show, and the only form that each value may have. A value of another form is not shown.
FORMS = {
    "check": {check.__doc__ for check in CHECKS}.__contains__,
    "result": {"passed", "FAILED", "not run"}.__contains__,
    "seconds": re.compile(r"\d{1,3}\.\d").fullmatch,
    "http": re.compile("[1-5][0-9]{2}").fullmatch,
    "aadsts": re.compile("[0-9]{4,8}").fullmatch,
    "error": ERRORS.__contains__,
    "code": re.compile("-[0-9]{1,6}").fullmatch,
    "claims": CLAIMS.__contains__,
}


def cell(row, field):
    """The values of a field that have its form. The number of the others is shown instead of them."""
    values = row.get(field)
    values = [str(value) for value in (values if isinstance(values, list) else [values]) if value is not None]
    shown = [value for value in values if FORMS[field](value)]
    return ", ".join(shown + ([f"{len(values) - len(shown)} not shown"] if len(shown) < len(values) else []))


def version(program):
    output = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout.strip()
    return output if re.fullmatch(r"\d+\.\d+\.\d+(-[a-z0-9.]+)?", output) else "unknown"


def report(rows, program):
    """The report as Markdown."""
    system = platform.freedesktop_os_release() if pathlib.Path("/etc/os-release").exists() else {}
    system = " ".join(value for value in (system.get("ID", ""), system.get("VERSION_ID", "")) if re.fullmatch(r"[a-z0-9.]+", value))
    titles = ["check", "result", "seconds", "HTTP", "AADSTS", "error", "codes", "claims"]
    lines = ["# A run against Microsoft's service", "",
             f"msal {version(program)}, {system or 'Linux'}, Python {platform.python_version()}. This report contains no token, "
             "name, or ID.", "", f"| {' | '.join(titles)} |", f"|{len(titles) * ' --- |'}"]
    return "\n".join(lines + [f"| {' | '.join(cell(row, field) for field in FORMS)} |" for row in rows]) + "\n"


def run(service):
    """Runs the checks, and yields what the report may show of each. After `Stop`, the others are not run."""
    reason = ""
    for check in CHECKS:
        row, begin, problem = {"check": check.__doc__, "result": "not run"}, time.monotonic(), ""
        if not reason:
            try:
                row |= {"result": "passed"} | check(service)
            except Stop as stop:
                reason = problem = str(stop)
            except Failure as failure:
                problem = str(failure)
                row |= failure.fields
            except subprocess.TimeoutExpired:
                problem = "It did not end within its time limit."
            except OSError as error:
                problem = f"No response: {error}"
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                problem = f"The response has another form: {type(error).__name__}"
            row |= {"seconds": f"{time.monotonic() - begin:.1f}"} | ({"result": "FAILED"} if problem else {})
            print(f"{row['result']:7} {check.__doc__}" + (f"\n        {problem}" if problem else ""), flush=True)
            if check is sign_in and problem:
                reason = "Not signed in."
        yield row


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0], add_help=False)
    parser.add_argument("msal", type=pathlib.Path)
    parser.add_argument("tenant")
    parser.add_argument("client")
    parser.add_argument("--device-code", action="store_true")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path("real-report.txt"))
    found = parser.parse_args()
    if os.environ.get("CI", "false") not in ("", "0", "false"):
        parser.error("a run against Microsoft's service needs a person, so it refuses to start where CI is set")
    if not TENANT.fullmatch(found.tenant):
        parser.error(f"{found.tenant} is not a tenant: pass its ID, or a domain such as contoso.onmicrosoft.com")
    if not ID.fullmatch(found.client):
        parser.error(f"{found.client} is not a client ID: copy “Application (client) ID” from the app's page")
    return found


def main():
    found = arguments()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="msal-real-") as folder:
        try:
            rows = list(run(Service(found, pathlib.Path(folder))))
        except KeyboardInterrupt:
            print("\nInterrupted. Tokens are deleted, and there is no report.", file=sys.stderr)
            return 130
    found.report.parent.mkdir(parents=True, exist_ok=True)
    found.report.write_text(report(rows, str(found.msal.resolve())))
    counts = {result: sum(row["result"] == result for row in rows) for result in ("passed", "FAILED", "not run")}
    print(f"\n{counts['passed']} passed, {counts['FAILED']} failed, {counts['not run']} not run. The report, without tokens, names, "
          f"and IDs, is {found.report}. The browser is still signed in.")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
