# Licensed under the MIT License. See LICENSE.
"""Userinfo and Microsoft Graph."""

from client import MEGAN, body, jwt
from comparison import ADVANCED, BATCH, FILTER, GD, RC, USERINFO, row


def userinfo(wire, method, scope):
    return wire.session.request(
        method,
        wire.base + "/oidc/userinfo",
        headers={"Authorization": "Bearer " + wire.tokens(scope=scope)["access_token"]},
        timeout=30,
    )


@row("g01", "userinfo", "GET and POST", USERINFO)
def _(wire):
    return [200, 200], [userinfo(wire, m, "openid profile").status_code for m in ("GET", "POST")]


@row("g02", "userinfo", "sub and names with profile, email with email, sub as in the ID token", USERINFO)
def _(wire):
    reply = wire.tokens(scope="openid profile email")
    u = wire.get("/oidc/userinfo", headers={"Authorization": "Bearer " + reply["access_token"]}).json()
    return [True, "Megan Bowen", MEGAN], [u.get("sub") == jwt(reply["id_token"])["sub"], u.get("name"), u.get("email")]


@row("g03", "graph", "/me has the members of a user", RC + "graph-me.json")
def _(wire):
    return sorted(
        [
            "@odata.context",
            "businessPhones",
            "displayName",
            "givenName",
            "jobTitle",
            "mail",
            "mobilePhone",
            "officeLocation",
            "preferredLanguage",
            "surname",
            "userPrincipalName",
            "id",
        ]
    ), sorted(wire.graph("me").json())


@row("g04", "graph", "an error: code, message, innerError with request-id and date", GD + "concepts/errors.md")
def _(wire):
    x = wire.graph("users/nobody@contoso.example").json()["error"]
    return [True, True, True], [
        "code" in x and "message" in x,
        "request-id" in x.get("innerError", {}),
        "date" in x.get("innerError", {}),
    ]


@row("g05", "graph", "missing privileges: 403 Authorization_RequestDenied", BATCH + " (sample response)")
def _(wire):
    response = wire.graph(
        "users", token=wire.kit.access_token(MEGAN, api="https://graph.microsoft.com", scopes=["User.Read"])
    )
    return [403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation."], [
        response.status_code,
        response.json()["error"]["code"],
        response.json()["error"]["message"],
    ]


def batch(wire, *requests):
    return wire.graph(
        "$batch", "POST", body={"requests": [dict(method="GET", url=u, id=i, **m) for i, u, m in requests]}
    )


@row("g06", "graph", "batch of 20, not of 21", BATCH)
def _(wire):
    return [200, 400], [batch(wire, *((str(i), "/me", {}) for i in range(n))).status_code for n in (20, 21)]


@row("g07", "graph", "batch with one id twice: 400", BATCH)
def _(wire):
    return 400, batch(wire, ("1", "/me", {}), ("1", "/me", {})).status_code


@row("g08", "graph", "batch: a request that depends on a failed one is 424", BATCH)
def _(wire):
    response = batch(wire, ("1", "/users/nobody@contoso.example", {}), ("2", "/me", {"dependsOn": ["1"]})).json()[
        "responses"
    ]
    return 424, {x["id"]: x["status"] for x in response}["2"]


@row("g09", "filter", "accountEnabled eq false, without any header", ADVANCED)
def _(wire):
    return 200, wire.graph("users?$filter=accountEnabled eq false").status_code


@row("g10", "filter", "ne: only with ConsistencyLevel and $count=true", ADVANCED)
def _(wire):
    return [400, 200], [
        wire.graph("users?$filter=accountEnabled ne true").status_code,
        wire.graph("users?$filter=accountEnabled ne true&$count=true", ConsistencyLevel="eventual").status_code,
    ]


@row("g11", "filter", "endsWith(mail,'@contoso.example') as an advanced query", FILTER + "; " + ADVANCED)
def _(wire):
    response = wire.graph("users?$count=true&$filter=endswith(mail,'@contoso.example')", ConsistencyLevel="eventual")
    return [200, True], [response.status_code, MEGAN in response.text]


@row("g12", "filter", "any(): groupTypes/any(c:c eq 'Unified')", FILTER + " (any operator)")
def _(wire):
    return 200, wire.graph("groups?$filter=groupTypes/any(c:c eq 'Unified')").status_code


@row("g14", "filter", "startswith(…) or startswith(…)", FILTER + " (examples)")
def _(wire):
    response = wire.graph(
        "users?$filter=startswith(displayName,'megan') or startswith(givenName,'megan') or startswith(surname,'megan')"
    )
    return [200, True], [response.status_code, MEGAN in response.text]


@row("g15", "filter", "$search needs ConsistencyLevel: eventual", ADVANCED)
def _(wire):
    return [400, 200], [
        wire.graph('users?$search="displayName:Megan"', **header).status_code
        for header in ({}, {"ConsistencyLevel": "eventual"})
    ]


@row("g16", "filter", "assignedLicenses/$count eq 0 as an advanced query", ADVANCED)
def _(wire):
    return (
        200,
        wire.graph("users?$filter=assignedLicenses/$count eq 0&$count=true", ConsistencyLevel="eventual").status_code,
    )


def signed_in(wire):
    wire.control.request("POST", "/policies", {"name": "All", "grant": ["mfa"], "mode": "reportOnly"})
    wire.sign_in()
    wire.control.advance(60)
    wire.sign_in()


@row(
    "g17",
    "filter",
    "sign-ins by date: createdDateTime ge 2024-01-01T00:00:00Z, without quotes",
    FILTER + " (DateTimeOffset values aren't enclosed in quotes)",
)
def _(wire):
    signed_in(wire)
    response = wire.graph("auditLogs/signIns?$filter=createdDateTime ge 2024-01-01T00:00:00Z")
    return [200, True], [response.status_code, bool(body(response).get("value"))]


@row("g18", "graph", "sign-ins: newest first", GD + "api-reference/v1.0/api/signin-list.md")
def _(wire):
    signed_in(wire)
    d = [x["createdDateTime"] for x in wire.graph("auditLogs/signIns").json()["value"]]
    return [True, sorted(d, reverse=True)], [len(d) > 1, d]


@row(
    "g19",
    "filter",
    "sign-ins: startsWith(appDisplayName,'Contoso')&$top=10",
    GD + "api-reference/v1.0/api/signin-list.md (example 2)",
)
def _(wire):
    signed_in(wire)
    response = wire.graph("auditLogs/signIns?&$filter=startsWith(appDisplayName,'Contoso')&$top=10")
    return [200, True], [response.status_code, bool(body(response).get("value"))]


@row(
    "g20",
    "graph",
    "throttled: 429 with Retry-After and an error object",
    GD + "concepts/errors.md; learn.microsoft.com answers/questions/1138873 (recorded: TooManyRequests)",
)
def _(wire):
    t = wire.kit.access_token(MEGAN, api="https://graph.microsoft.com")
    wire.control.enqueue_fault("/me", status=429, headers={"Retry-After": "7"})
    response = wire.graph("me", token=t)
    return [429, "7", True], [
        response.status_code,
        response.headers.get("retry-after"),
        (body(response).get("error") or {}).get("code") in ("TooManyRequests", "activityLimitReached"),
    ]


@row("g21", "filter", "mail in ('…', '…')", FILTER + " (syntax)")
def _(wire):
    response = wire.graph(f"users?$filter=mail in ('{MEGAN}', 'nobody@contoso.example')")
    return [200, True], [response.status_code, MEGAN in response.text]


@row("g22", "filter", "userType eq 'Member'", FILTER + " (syntax)")
def _(wire):
    response = wire.graph("users?$filter=userType eq 'Member'")
    return [200, True], [response.status_code, MEGAN in response.text]
