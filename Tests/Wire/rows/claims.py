# Licensed under the MIT License. See LICENSE.
"""Claims and optional claims."""

from client import A1, ALEX, GUEST, MEGAN, PUB, PUB2, body, jwt, optional
from comparison import ACCESS_TOKEN, ED, ID_TOKEN, OPTIONAL, row


@row("k01", "claims", "oid is the same in two apps, sub of the ID token is not", ID_TOKEN)
def _(wire):
    a, members = (jwt(wire.tokens(client=x)["id_token"]) for x in (PUB, PUB2))
    return [True, False], [a["oid"] == members["oid"], a["sub"] == members["sub"]]


@row(
    "k02",
    "claims",
    "sub of an access token depends on the API, not on the client",
    ID_TOKEN + " (based on the token recipient, tenant, and user); " + ACCESS_TOKEN,
)
def _(wire):
    s = f"openid api://{A1}/ToDoList.Read"
    a, members = (jwt(wire.tokens(client=x, scope=s)["access_token"])["sub"] for x in (PUB, PUB2))
    return True, a == members


@row("k04", "claims", "guest: idp names the home tenant", ID_TOKEN)
def _(wire):
    return True, "22222222-2222-2222-2222-222222222222" in jwt(wire.tokens(user=GUEST)["id_token"]).get("idp", "")


@row(
    "k05",
    "claims",
    "guest: email without a request",
    ID_TOKEN + " (present by default for guest accounts); " + OPTIONAL,
)
def _(wire):
    return GUEST, jwt(wire.tokens(user=GUEST)["id_token"]).get("email")


@row("k06", "claims", "member: email only with the scope", ID_TOKEN)
def _(wire):
    return [None, MEGAN], [
        jwt(wire.tokens(scope=s)["id_token"]).get("email") for s in ("openid profile", "openid profile email")
    ]


@row("k07", "claims", "without the scope profile: no name, no preferred_username", ID_TOKEN)
def _(wire):
    return [], [k for k in ("name", "preferred_username") if k in jwt(wire.tokens(scope="openid")["id_token"])]


@row("k08", "claims", "sid of an ID token", ID_TOKEN)
def _(wire):
    return True, "sid" in jwt(wire.tokens()["id_token"])


@row("k09", "claims", "v2 user token: azp, azpacr 0, scp, aud is the client ID of the API", ACCESS_TOKEN)
def _(wire):
    claims = jwt(wire.tokens(scope=f"openid api://{A1}/ToDoList.Read")["access_token"])
    return [PUB, "0", "ToDoList.Read", A1], [
        claims.get("azp"),
        claims.get("azpacr"),
        claims.get("scp"),
        claims.get("aud"),
    ]


@row("k10", "claims", "v1 app token with a secret: appidacr 1", ACCESS_TOKEN)
def _(wire):
    return "1", jwt(body(wire.cc())["access_token"]).get("appidacr")


@row("o01", "optional", "acct: 0 for a member, 1 for a guest", OPTIONAL)
def _(wire):
    optional(wire, "acct")
    return [0, 1], [jwt(wire.tokens(user=u)["id_token"]).get("acct") for u in (MEGAN, GUEST)]


@row("o02", "optional", "upn and login_hint", OPTIONAL)
def _(wire):
    wire.control.change("applications", PUB, optionalClaims=["upn", "login_hint"])
    claims = jwt(wire.tokens()["id_token"])
    return [MEGAN, True], [claims.get("upn"), "login_hint" in claims]


@row("o03", "optional", "ipaddr", OPTIONAL + "; " + ED + "optional-claims.md")
def _(wire):
    optional(wire, "ipaddr")
    return True, jwt(wire.tokens()["id_token"]).get("ipaddr") in ("127.0.0.1", "::1")


@row("o04", "optional", "ctry, from the user's country", OPTIONAL)
def _(wire):
    for name in ("country", "usageLocation"):
        wire.graph("users/" + MEGAN, "PATCH", body={name: "FR"})
    optional(wire, "ctry")
    return "FR", jwt(wire.tokens()["id_token"]).get("ctry")


@row("o07", "optional", "wids of an administrator, with groupMembershipClaims DirectoryRole", ACCESS_TOKEN + " (wids)")
def _(wire):
    wire.register(PUB, {"groupMembershipClaims": "DirectoryRole"})
    return True, bool(jwt(wire.tokens(user=ALEX)["id_token"]).get("wids"))


@row("o08", "optional", "aud with use_guid: the client ID of the API in v1 tokens", OPTIONAL)
def _(wire):
    optional(wire, "aud", A1, ["use_guid"], "apis", "accessToken")
    wire.control.change("apis", A1, accessTokenAcceptedVersion=1)
    return A1, jwt(wire.tokens(scope=f"api://{A1}/ToDoList.Read")["access_token"]).get("aud")


@row("o09", "optional", "directory extension: extn.skypeId", ED + "optional-claims.md (Directory extension formatting)")
def _(wire):
    name = f"extension_{PUB.replace('-', '')}_skypeId"
    app = wire.graph(f"applications(appId='{PUB}')").json().get("id")
    wire.graph(
        f"applications/{app}/extensionProperties",
        "POST",
        body={"name": "skypeId", "dataType": "String", "targetObjects": ["User"]},
    )
    wire.graph("users/" + MEGAN, "PATCH", body={name: "megan.skype"})
    wire.register(PUB, {"optionalClaims": {"idToken": [{"name": name, "source": "user"}]}}, {"optionalClaims": [name]})
    got = jwt(wire.tokens()["id_token"]).get("extn.skypeId")
    return True, got in ("megan.skype", ["megan.skype"]) or got


@row("o10", "optional", "idtyp of an API that requests it: app in app tokens", OPTIONAL)
def _(wire):
    wire.control.change("apis", A1, optionalClaims=["idtyp"])
    return "app", jwt(body(wire.cc(scope=f"api://{A1}/.default"))["access_token"]).get("idtyp")
