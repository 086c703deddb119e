# Licensed under the MIT License. See LICENSE.
"""Constructed, not recorded: bodies and facts of the service for which there is no recording. Their forms are those that
Microsoft documents ("Microsoft identity platform and OAuth 2.0 authorization code flow", "Microsoft identity platform and
the OAuth 2.0 device authorization grant flow", "Azure AD B2C: Error codes", "Microsoft Graph error responses", "National
cloud deployments"), with the members that recorded errors have."""
import json

from wire import as_json

IDS = ("Trace ID: 82e709b9-f0b3-431d-99cd-f3c2ca3d4b00", "Correlation ID: e7619cf4-53ea-443c-b76a-194c032e9840",
       "Timestamp: 2021-04-14 11:27:26Z")

# The sign-in host of each cloud, and its Microsoft Graph.
GRAPHS = {
    "login.microsoftonline.com": "graph.microsoft.com",
    "login.windows.net": "graph.microsoft.com",
    "login.microsoftonline.us": "graph.microsoft.us",
    "login.partner.microsoftonline.cn": "microsoftgraph.chinacloudapi.cn",
    "login.chinacloudapi.cn": "microsoftgraph.chinacloudapi.cn",
}

# Responses with a claims challenge that requires multi-factor authentication.
CLAIMS = json.dumps({"access_token": {"acrs": {"essential": True, "value": "c1"}}})


def description(number, words):
    return "\r\n".join([f"AADSTS{number}: {words}", *IDS])


def error(name, number, words, status=400, **members):
    """An error of the token endpoint and similar endpoints. A member that is `None` is omitted."""
    whole = {"error": name, "error_description": description(number, words), "error_codes": [number],
             "timestamp": "2021-04-14 11:27:26Z", "trace_id": "82e709b9-f0b3-431d-99cd-f3c2ca3d4b00",
             "correlation_id": "e7619cf4-53ea-443c-b76a-194c032e9840", **members}
    return as_json({name: value for name, value in whole.items() if value is not None}, status)


def device_code(code, **members):
    """The response of the device code endpoint. A member that is `None` is omitted. The service's interval is five seconds."""
    page, typed = "https://microsoft.com/devicelogin", "FJHQZXQ4T"
    whole = {"user_code": typed, "device_code": code, "verification_uri": page, "expires_in": 900, "interval": 1,
             "message": f"To sign in, use a web browser to open the page {page} and enter the code {typed} to "
                        "authenticate.", **members}
    return {name: value for name, value in whole.items() if value is not None}


def graph_error(status, code, words, **headers):
    inner = {"date": "2021-04-14T11:27:26", "request-id": "82e709b9-f0b3-431d-99cd-f3c2ca3d4b00"}
    return as_json({"error": {"code": code, "message": words, "innerError": inner}}, status, headers=headers)
