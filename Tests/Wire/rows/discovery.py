# Licensed under the MIT License. See LICENSE.
"""Metadata and instance discovery."""

import urllib.parse

from client import T, T2, jwt, text, told
from comparison import RC, row

DISCOVERY = {  # {B} is the base address, {P} the tenant in the path.
    "token_endpoint": "{B}/{P}/oauth2/v2.0/token",
    "jwks_uri": "{B}/{P}/discovery/v2.0/keys",
    "authorization_endpoint": "{B}/{P}/oauth2/v2.0/authorize",
    "device_authorization_endpoint": "{B}/{P}/oauth2/v2.0/devicecode",
    "end_session_endpoint": "{B}/{P}/oauth2/v2.0/logout",
    "kerberos_endpoint": "{B}/{P}/kerberos",
    "token_endpoint_auth_methods_supported": [
        "client_secret_post",
        "private_key_jwt",
        "client_secret_basic",
        "self_signed_tls_client_auth",
    ],
    "response_modes_supported": ["query", "fragment", "form_post"],
    "subject_types_supported": ["pairwise"],
    "id_token_signing_alg_values_supported": ["RS256"],
    "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
    "scopes_supported": ["openid", "profile", "email", "offline_access"],
    "request_uri_parameter_supported": False,
    "http_logout_supported": True,
    "frontchannel_logout_supported": True,
    "tls_client_certificate_bound_access_tokens": True,
    "claims_supported": [
        "sub",
        "iss",
        "cloud_instance_name",
        "cloud_instance_host_name",
        "cloud_graph_host_name",
        "msgraph_host",
        "aud",
        "exp",
        "iat",
        "auth_time",
        "acr",
        "nonce",
        "preferred_username",
        "name",
        "tid",
        "ver",
        "at_hash",
        "c_hash",
        "email",
    ],
    "cloud_instance_name": "microsoftonline.com",
    "cloud_graph_host_name": "graph.windows.net",
}


def discovery(wire, tenant=T):
    return wire.get(f"/{tenant}/v2.0/.well-known/openid-configuration").json()


def member(id, name):
    @row(id, "discovery", f"metadata: {name} is as recorded", RC + "openid-configuration-aad.json")
    def check(wire):
        want = DISCOVERY[name]
        return (want.format(B=wire.base, P=T) if isinstance(want, str) else want), discovery(wire).get(name)


for n, name in enumerate(
    [
        "token_endpoint",
        "authorization_endpoint",
        "jwks_uri",
        "end_session_endpoint",
        "device_authorization_endpoint",
        "response_modes_supported",
        "subject_types_supported",
        "id_token_signing_alg_values_supported",
        "scopes_supported",
        "request_uri_parameter_supported",
        "frontchannel_logout_supported",
        "kerberos_endpoint",
        None,
        "token_endpoint_auth_methods_supported",
        "response_types_supported",
        "claims_supported",
        "tls_client_certificate_bound_access_tokens",
    ]
):
    if name:
        member(f"d{n + 1:02}", name)


@row(
    "d18",
    "discovery",
    "mtls_endpoint_aliases has the token endpoint of the tenant",
    RC + "openid-configuration-aad.json",
)
def _(wire):
    return (
        f"/{T}/oauth2/v2.0/token",
        urllib.parse.urlsplit((discovery(wire).get("mtls_endpoint_aliases") or {}).get("token_endpoint", "")).path,
    )


@row("d20", "discovery", "metadata has no code_challenge_methods_supported", RC + "openid-configuration-aad.json")
def _(wire):
    return False, "code_challenge_methods_supported" in discovery(wire)


@row("d22", "discovery", "tenant_region_scope of /common is null", RC + "openid-configuration-aad.json")
def _(wire):
    return None, discovery(wire, "common").get("tenant_region_scope", "absent")


@row("d23", "discovery", "instance discovery has the recorded clouds", RC + "instance-discovery.json")
def _(wire):
    want = {
        "login.microsoftonline.com": [
            "login.microsoftonline.com",
            "login.windows.net",
            "login.microsoft.com",
            "sts.windows.net",
        ],
        "login.partner.microsoftonline.cn": ["login.partner.microsoftonline.cn", "login.chinacloudapi.cn"],
        "login.microsoftonline.de": ["login.microsoftonline.de"],
        "login.microsoftonline.us": ["login.microsoftonline.us", "login.usgovcloudapi.net"],
        "login-us.microsoftonline.com": ["login-us.microsoftonline.com"],
    }
    m = wire.get(
        "/common/discovery/instance?api-version=1.1&authorization_endpoint=https://login.microsoftonline.com/common/oauth2/v2.0/authorize"
    ).json()["metadata"]
    return want, {x["preferred_network"]: x["aliases"] for x in m if x["preferred_network"] in want}


def unknown_instance(wire):
    return wire.get(
        "/common/discovery/instance?api-version=1.1&authorization_endpoint=https://evil.example/common/oauth2/v2.0/authorize"
    )


@row("d24", "discovery", "unknown instance: 400 invalid_instance 50049", RC + "instance-discovery-unknown.json")
def _(wire):
    return [400, "invalid_instance", [50049]], told(unknown_instance(wire))


@row("d25", "texts", "unknown instance: the message", RC + "instance-discovery-unknown.json")
def _(wire):
    return "AADSTS50049: Unknown or invalid instance.", text(unknown_instance(wire))


@row("d26", "discovery", "unknown tenant: invalid_tenant 90002", RC + "tenant-not-found.json")
def _(wire):
    return ["invalid_tenant", [90002]], told(wire.get("/nope.example/v2.0/.well-known/openid-configuration"))[1:]


COMMON = {
    "token_endpoint",
    "token_endpoint_auth_methods_supported",
    "jwks_uri",
    "response_modes_supported",
    "subject_types_supported",
    "id_token_signing_alg_values_supported",
    "response_types_supported",
    "scopes_supported",
    "issuer",
    "authorization_endpoint",
    "end_session_endpoint",
    "claims_supported",
}
EXTERNAL = COMMON | {
    "request_uri_parameter_supported",
    "userinfo_endpoint",
    "device_authorization_endpoint",
    "http_logout_supported",
    "frontchannel_logout_supported",
    "kerberos_endpoint",
    "tenant_region_scope",
    "cloud_instance_name",
    "cloud_graph_host_name",
    "msgraph_host",
    "rbac_url",
}
WORKFORCE = EXTERNAL | {"mtls_endpoint_aliases", "tls_client_certificate_bound_access_tokens"}


@row("d30", "discovery", "the members of an organization's metadata", RC + "openid-configuration-aad.json")
def _(wire):
    return sorted(WORKFORCE), sorted(discovery(wire))


@row("d31", "discovery", "the members of an External ID tenant's metadata", RC + "openid-configuration-ciam.json")
def _(wire):
    return sorted(EXTERNAL), sorted(discovery(wire, T2))


@row("d32", "discovery", "the members of a B2C policy's metadata", RC + "openid-configuration-b2c.json")
def _(wire):
    return sorted(COMMON), sorted(discovery(wire, T2 + "/B2C_1_signin"))


@row(
    "d33",
    "discovery",
    "authentication methods of External ID and B2C",
    RC + "openid-configuration-ciam.json and -b2c.json",
)
def _(wire):
    methods = ["client_secret_post", "private_key_jwt", "client_secret_basic"]
    tenants = (T2, T2 + "/B2C_1_signin")
    return [methods, methods[::2]], [discovery(wire, t)["token_endpoint_auth_methods_supported"] for t in tenants]


@row("d34", "discovery", "no address at which clients register themselves", RC + "openid-configuration-aad.json")
def _(wire):
    return [False, 404], [
        "registration_endpoint" in discovery(wire),
        wire.post(f"/{T}/oauth2/v2.0/register").status_code,
    ]


@row(
    "d35",
    "discovery",
    "the issuer of a B2C policy ends with a slash, in metadata and tokens",
    RC + "openid-configuration-b2c.json",
)
def _(wire):
    tenant = T2 + "/B2C_1_signin"
    token = wire.tokens(t=tenant, user="password@fabrikam.example", scope="openid profile")["id_token"]
    issuers = {discovery(wire, tenant)["issuer"], jwt(token)["iss"]}
    return True, len(issuers) == 1 and issuers.pop().endswith("/v2.0/")
