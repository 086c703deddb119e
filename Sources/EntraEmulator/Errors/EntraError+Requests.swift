// Licensed under the MIT License. See LICENSE.

/// Errors about the request itself: its format, its tenant and client, its scopes.
extension EntraError {
    // MARK: Requests

    static func missingParameter(_ name: String) -> EntraError {
        invalidRequest(900_144, message: "The request body must contain the following parameter: '\(name)'.")
    }

    static func duplicatedParameter(_ name: String) -> EntraError {
        invalidRequest(
            9_000_411,
            message: "The request is not properly formatted. The parameter '\(name)' is duplicated."
        )
    }

    /// RFC 8707 §2 defines the code.
    static let otherResource = EntraError(
        number: 9_010_010,
        error: "invalid_target",
        message: "The resource parameter provided in the request doesn't match with the requested scopes."
    )

    /// The service has no number for this error, because it has no such address. A plain 404 would not help a
    /// developer.
    static let noClientRegistration = EntraError(
        number: 9_002_313,
        error: "not_found",
        message:
            "Clients cannot register themselves here (RFC 7591). Register the application beforehand, in the Microsoft "
            + "Entra admin center or in the directory of the emulator, and give its client ID to the client.",
        status: 404
    )

    static let malformed = invalidRequest(9_002_313, message: "Invalid request. Request is malformed or invalid.")

    static let unclearHost = invalidRequest(
        9_002_313,
        message: "Invalid request. The request must have exactly one Host header field, with a host and perhaps a port."
    )

    static func unsupportedValue(_ name: String) -> EntraError {
        invalidRequest(90_023, message: "Unsupported '\(name)' value.")
    }

    /// OAuth 2.0 Multiple Response Types §3: tokens must not appear in query strings.
    static let queryWithToken = invalidRequest(
        70_007,
        message: "'query' is not a supported value of 'response_mode' when requesting a token."
    )

    static let formExpired = invalidRequest(
        165_000,
        message: "The request tokens do not match the user context. The page is too old, or it was opened elsewhere."
    )

    static func methodNotAllowed(_ received: String, accepted: [String]) -> EntraError {
        .init(
            number: 900_561,
            error: "invalid_request",
            message: "The endpoint only accepts \(accepted.joined(separator: ", ")) requests. Received a \(received) "
                + "request.",
            status: 405
        )
    }

    static func unsupportedResponseType(_ reason: String) -> EntraError {
        .init(
            number: 70_005,
            error: "unsupported_response_type",
            message: "The app returned an unsupported response type due to the following reason: \(reason)."
        )
    }

    /// The service has no number for this error.
    static let notFound = EntraError(
        number: 9_002_313,
        error: "not_found",
        message: "There is nothing at this address.",
        status: 404
    )

    static let serverFault = EntraError(
        number: 90_033,
        error: "temporarily_unavailable",
        message: "A transient error has occurred. Please try again.",
        status: 503
    )

    // MARK: Tenant, client, redirect

    static func unknownTenant(_ name: String) -> EntraError {
        .init(
            number: 90_002,
            error: "invalid_tenant",
            message: "Tenant '\(name)' not found. Check to make sure you have the correct tenant ID and are signing "
                + "into the correct cloud. Check with your subscription administrator, this may happen if there are no "
                + "active subscriptions for the tenant."
        )
    }

    static let unknownInstance = EntraError(
        number: 50_049,
        error: "invalid_instance",
        message: "Unknown or invalid instance."
    )

    static func unknownClient(_ clientID: String) -> EntraError {
        if clientID == "00000000-0000-0000-0000-000000000000" {
            return EntraError(
                number: 700_038,
                error: "unauthorized_client",
                message: "\(clientID) is not a valid application identifier."
            )
        }
        return EntraError(
            number: 700_016,
            error: "unauthorized_client",
            message: "Application with identifier '\(clientID)' was not found in the directory "
                + "'\(tenantPlaceholder)'. \(notInstalled)"
        )
    }

    /// The explanation for an application or a resource that the tenant does not have.
    private static let notInstalled =
        "This can happen if the application has not been installed by the administrator of the tenant or consented to "
        + "by any user in the tenant. You might have sent your authentication request to the wrong tenant."

    static func singleTenantClient(_ clientID: String, named name: String, at segment: String) -> EntraError {
        invalidRequest(
            50_194,
            message: "Application '\(clientID)'(\(name)) is not configured as a multi-tenant application. Usage of the "
                + "/\(segment) endpoint is not supported for such apps created after '10/15/2018'. Use a tenant-specific "
                + "endpoint or configure the application to be multi-tenant."
        )
    }

    static func personalClient(_ clientID: String) -> EntraError {
        invalidRequest(
            9_002_331,
            message: "Application '\(clientID)' is configured for use by Microsoft Account users only. Please use the "
                + "/consumers endpoint to serve this request."
        )
    }

    static func missingPrincipal(_ clientID: String, in tenant: String) -> EntraError {
        invalidClient(
            7_000_229,
            message: "The client application \(clientID) is missing service principal in the tenant \(tenant). See "
                + "instructions here: https://go.microsoft.com/fwlink/?linkid=2225119"
        )
    }

    /// A response type that the registration does not enable.
    static func disabledResponseType(_ name: String) -> EntraError {
        .init(
            number: name == "token" ? 700_051 : 700_054,
            error: "unsupported_response_type",
            message: "response_type '\(name)' is not enabled for the application."
        )
    }

    static func redirectMismatch(_ uri: String, clientID: String) -> EntraError {
        invalidRequest(
            50_011,
            message: "The redirect URI '\(uri)' specified in the request does not match the redirect URIs configured "
                + "for the application '\(clientID)'. Make sure the redirect URI sent in the request matches one "
                + "added to your application in the Azure portal. Navigate to "
                + "https://aka.ms/redirectUriMismatchError to learn more about how to troubleshoot this error."
        )
    }

    static let insecureRedirect = invalidRequest(
        500_117,
        message: "The reply URI specified in the request is not using a secure scheme."
    )

    // MARK: Scopes

    static func invalidScope(_ scope: String) -> EntraError {
        .init(
            number: 70_011,
            error: "invalid_scope",
            message: "The provided request must include a 'scope' input parameter. The provided value for the input "
                + "parameter 'scope' is not valid. The scope \(scope) is not valid."
        )
    }

    /// An authorization request names a permission that the API does not define. Reports such as issue 1 of
    /// damienbod/AspNetCoreMicrosoftGraph have this number with `invalid_client`; for a device code it is AADSTS70011.
    static func undefinedScope(_ scope: String, of resource: String, client: String) -> EntraError {
        .init(
            number: 650_053,
            error: "invalid_client",
            message: "The application '\(client)' asked for scope '\(scope)' that doesn't exist on the resource "
                + "'\(resource)'. Contact the app vendor."
        )
    }

    static func mixedDefaultScope(_ scope: String) -> EntraError {
        var error = invalidScope(scope)
        error.message += " .default scope can't be combined with resource-specific scopes."
        return error
    }

    static func unknownResource(_ name: String) -> EntraError {
        .init(
            number: 500_011,
            error: "invalid_resource",
            message: "The resource principal named \(name) was not found in the tenant named "
                + "\(tenantPlaceholder). \(notInstalled)"
        )
    }

    /// A version 1.0 endpoint was called without `resource`.
    static let missingResource = EntraError(
        number: 50_001,
        error: "invalid_resource",
        message: "Resource identifier is not provided."
    )

    /// The documentation of version 1.0 ("Authorize access to web applications using OAuth 2.0") requires the resource
    /// of the authorization request, without a number for another one.
    static let changedResource = invalidGrant(
        70_000,
        message: "The resource of the token request is not the one that the authorization code was issued for."
    )

    static func tokenForItself(_ clientID: String, named name: String) -> EntraError {
        invalidRequest(
            90_009,
            message: "Application '\(clientID)'(\(name)) is requesting a token for itself. This scenario is supported "
                + "only if resource is specified using the GUID based App Identifier."
        )
    }

    static func severalResources(_ scope: String) -> EntraError {
        invalidRequest(
            28_000,
            message: "Provided value for the input parameter scope is not valid because it contains more than one "
                + "resource. Scope \(scope) is not valid."
        )
    }
}
