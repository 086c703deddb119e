# Licensed under the MIT License. See LICENSE.
"""The emulator's addresses, read from the code that routes requests, so that a new one is tested immediately."""
import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "EntraEmulator"
TENANTS = ["common", "organizations", "consumers", "contoso.example", "11111111-1111-1111-1111-111111111111",
           "fabrikam.onmicrosoft.com", "fabrikam.example/B2C_1_signin"]
# Addresses that must be found: otherwise this file cannot parse the code's format.
ANCHORS = {"/devicelogin", "/{tenant}/oauth2/v2.0/token", "/{tenant}/oauth2/v2.0/authorize", "/{tenant}/oauth2/v2.0/initiate",
           "/{tenant}/oauth2/v2.0/authorize-challenge", "/{tenant}/api/v2.0/f/{name}/auth/methods/{name}/{name}/verify"}


def platform():
    """Paths; `{tenant}` is a tenant, `{name}` any text."""
    source = (SOURCES / "Endpoints" / "RouteTable.swift").read_text()
    whole, below = source.split("below tenant: TenantSegment", 1)[0], source.split("below tenant: TenantSegment", 1)[1]
    paths = {"/" + "/".join(each) for each in lists(whole)}
    paths |= {"/{tenant}/" + "/".join(each) for each in lists(below)}
    natives = (SOURCES / "NativeAuth" / "NativeEndpoints.swift").read_text()
    paths |= {"/{tenant}/" + path for path in re.findall(r'^ +case \w+ = "([a-z0-9_./]+)"', natives, re.M)}
    paths |= set(flows())
    paths |= {"/{tenant}/userrealm/{name}", "/api/todos", "/{tenant}", "/{tenant}/nothing", "/nothing"}
    paths |= set(issuers())
    missing = ANCHORS - paths
    assert not missing, f"RouteTable.swift no longer names {missing} in a form that endpoints.py can parse"
    return sorted(paths)


def flows():
    """The addresses of native authentication V2, below a flow that does not exist."""
    text = (SOURCES / "NativeAuth" / "FlowAddress.swift").read_text()
    def listed(name):
        return "/".join(re.findall(r'"([^"]+)"', re.search(rf"static let {name} = \[(.*)\]", text)[1]))
    steps = re.findall(r'^ +case \.\w+(?:\(.*\))?: "([^"]+)"$', text, re.M)
    steps = [re.sub(r"\\\(\w+\)", "{name}", step) for step in steps]
    beginning = listed("beginning") + "/{name}/"
    return ["/{tenant}/" + path for path in [listed("entry")] + [beginning + step for step in steps]]


def issuers():
    """The addresses of the simulated external issuers, such as GitHub's."""
    text = (SOURCES / "Federation" / "FederatedIssuer.swift").read_text()
    folder, head = re.search(r'static let folder = "(\w+)"', text)[1], text.split("static let folder")[0]
    names = [quoted or name for name, quoted in re.findall(r'^ +case (\w+)(?: = "([\w-]+)")?$', head, re.M)]
    assert len(names) > 2, "FederatedIssuer.swift no longer names issuers in a form that endpoints.py can parse"
    rests = ["/.well-known/openid-configuration", "/token"] + re.findall(r': "(/[^"]+jwks)"', text)
    return [f"/{folder}/{name}{rest}" for name in names for rest in rests]


def managed():
    """The addresses of managed identities, which have separate ports."""
    text = (SOURCES / "ManagedIdentity" / "ManagedIdentitySource.swift").read_text()
    paths = re.findall(r': "(/[a-z0-9/]+token)"', text)
    assert len(paths) > 3, "ManagedIdentitySource.swift no longer names paths in a form that endpoints.py can parse"
    return sorted(paths) + ["/", "/metadata/instance"]


def control():
    """Pairs of method and path."""
    text = "".join(path.read_text() for path in sorted((SOURCES / "Control").rglob("*.swift")))
    pairs = re.findall(r'Route\(\s*\.(get|post|put|delete|patch),\s*at: "(/[a-z/.-]+)"', text)
    pairs = {(method.upper(), path) for method, path in pairs}
    pairs |= {("POST", path) for path in re.findall(r'(?:case|path ==) "(/console/\w+)"', text)} | {("POST", "/session"), ("GET", "/")}
    assert ("POST", "/console/edit") in pairs, "ControlConsole.swift no longer names /console/edit in a form that endpoints.py can parse"
    pairs |= {("GET", path) for path in ("/list/x", "/list/groups", "/add/x", "/edit/x/y", "/edit/users/x", "/export")}
    lists = re.findall(r'case "(\w+)": (?:return )?try respond', text)
    assert "tenants" in lists, "ControlAPI+Directory.swift no longer names its lists in a form that endpoints.py can parse"
    pairs |= {(method, f"/{name}{rest}") for name in lists
              for method, rest in [("GET", ""), ("POST", ""), ("GET", "/x"), ("PATCH", "/x"), ("DELETE", "/x"), ("PUT", "/x")]}
    wholes = re.findall(r'case "(\w+)" where name == nil: return try respond', text)
    assert "native" in wholes, "ControlAPI+Directory.swift no longer names /native in a form that endpoints.py can parse"
    pairs |= {(method, f"/{name}") for name in wholes for method in ("GET", "PATCH", "DELETE")}
    assert ("POST", "/clock") in pairs, "ControlOperation.swift no longer names /clock in a form that endpoints.py can parse"
    return sorted(pairs)


def lists(text):
    """The segments of each `case ["a", "b"], ["c"]:`."""
    for line in re.findall(r'^ +case (\[.*?)(?=:)', text, re.M):
        for each in re.findall(r'\[([^\]]*)\]', line):
            yield re.findall(r'"([^"]+)"', each)
