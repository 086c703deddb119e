// Licensed under the MIT License. See LICENSE.

/// Errors of an application that authenticates, or should (Microsoft identity platform, "Microsoft Entra authentication and
/// authorization error codes").
extension EntraError {
    static let publicClientSecret = EntraError(
        number: 700_025,
        error: "invalid_client",
        message: "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
        status: 401
    )

    static let missingClientCredentials = EntraError(
        number: 7_000_218,
        error: "invalid_client",
        message: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
        status: 401
    )

    static let publicClientGrant = EntraError(
        number: 7_000_218,
        error: "invalid_client",
        message: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'. The "
            + "application is a public client and has neither; this grant is for confidential clients.",
        status: 401
    )

    static func wrongClientSecret(_ clientID: String) -> EntraError {
        .init(
            number: 7_000_215,
            error: "invalid_client",
            message: "Invalid client secret provided. Ensure the secret being sent in the request is the client secret "
                + "value, not the client secret ID, for a secret added to app '\(clientID)'.",
            status: 401
        )
    }

    static func expiredClientSecret(_ clientID: String) -> EntraError {
        .init(
            number: 7_000_222,
            error: "invalid_client",
            message: "The provided client secret keys for app '\(clientID)' are expired. Add a new secret to the app.",
            status: 401
        )
    }

    static let severalClientCredentials = EntraError(
        number: 9_002_313,
        error: "invalid_request",
        message: "The request authenticates the client in more than one way, or names two clients. Use one of "
            + "'client_secret', 'client_assertion' and the Authorization header."
    )

    static let malformedBasic = EntraError(
        number: 9_002_313,
        error: "invalid_client",
        message: "The Authorization header must be 'Basic' with the base64 of client id, colon and secret.",
        status: 401
    )

    static func malformedAssertion(_ reason: String) -> EntraError {
        .init(
            number: 50_027,
            error: "invalid_client",
            message: "The client assertion is not usable: \(reason).",
            status: 401
        )
    }

    static let assertionOutsideLifetime = EntraError(
        number: 700_024,
        error: "invalid_client",
        message: "Client assertion is not within its valid time range. Check 'nbf' and 'exp', and the clocks.",
        status: 401
    )

    static func unknownAssertionKey(_ clientID: String, thumbprint: String?) -> EntraError {
        .init(
            number: 700_027,
            error: "invalid_client",
            message: "The certificate with identifier '\(thumbprint ?? "")' used to sign the client assertion is not "
                + "registered on application '\(clientID)', or the signature is wrong.",
            status: 401
        )
    }

    static func unknownConnectionCertificate(_ clientID: String, thumbprint: String) -> EntraError {
        .init(
            number: 700_027,
            error: "invalid_client",
            message: "The certificate with identifier '\(thumbprint)' that the client showed in the TLS handshake is "
                + "not registered on application '\(clientID)', or it is not valid now.",
            status: 401
        )
    }

    static let missingConnectionCertificate = EntraError(
        number: 7_000_218,
        error: "invalid_client",
        message: "A token of the type 'mtls_pop' is bound to a TLS client certificate, and the client showed none. "
            + "Call the endpoint that 'mtls_endpoint_aliases' of the metadata names, with a certificate of the application.",
        status: 401
    )

    static let credentialsBesideCertificate = EntraError(
        number: 9_002_313,
        error: "invalid_request",
        message: "Invalid request. With 'token_type=mtls_pop' the client authenticates by its TLS client certificate; "
            + "leave out 'client_secret', 'client_assertion' and the Authorization header."
    )

    static func wrongAssertionAudience(_ audience: String) -> EntraError {
        .init(
            number: 700_023,
            error: "invalid_client",
            message: "Client assertion audience claim '\(audience)' is not the token endpoint of the tenant.",
            status: 401
        )
    }

    // MARK: Grants of confidential clients

    static func scopeIsNotDefault(_ scope: String) -> EntraError {
        .init(
            number: 1_002_012,
            error: "invalid_scope",
            message: "The provided value for scope '\(scope)' is not valid. Client credential flows must have a scope "
                + "value with /.default suffixed to the resource identifier (application ID URI)."
        )
    }

    static let noTenantForApplication = EntraError(
        number: 50_059,
        error: "invalid_request",
        message: "No tenant-identifying information found in the request. An application's own tokens need the id or a "
            + "domain of a tenant in the path."
    )

    static func invalidUserAssertion(_ reason: String) -> EntraError {
        .init(
            number: 50_013,
            error: "invalid_grant",
            message: "Assertion failed validation: \(reason)."
        )
    }

    static let applicationAssertion = EntraError(
        number: 7_000_114,
        error: "invalid_grant",
        message: "Application is not allowed to make application on-behalf-of calls: the assertion is about no user."
    )

    static let passwordGrantEndpoint = EntraError(
        number: 9_001_023,
        error: "invalid_grant",
        message: "The grant type is not supported over the /common or /consumers endpoints. Please use the "
            + "/organizations or tenant-specific endpoint."
    )

    static let passwordGrantForbidden = EntraError(
        number: 53_003,
        error: "invalid_grant",
        message: "Access has been blocked by Conditional Access policies: the tenant does not take passwords from apps."
    )
}
