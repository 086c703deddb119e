// Licensed under the MIT License. See LICENSE.

import Foundation

/// Errors about client authentication (Microsoft identity platform, "Microsoft Entra authentication and authorization
/// error codes").
extension EntraError {
    static let publicClientSecret = invalidClient(
        700_025,
        message: "Client is public so neither 'client_assertion' nor 'client_secret' should be presented."
    )

    static let missingClientCredentials = invalidClient(
        7_000_218,
        message: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'."
    )

    static let publicClientGrant = invalidClient(
        7_000_218,
        message: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'. The "
            + "application is a public client and has neither; this grant is for confidential clients."
    )

    static func wrongClientSecret(_ clientID: String) -> EntraError {
        invalidClient(
            7_000_215,
            message: "Invalid client secret provided. Ensure the secret being sent in the request is the client secret "
                + "value, not the client secret ID, for a secret added to app '\(clientID)'."
        )
    }

    static func expiredClientSecret(_ clientID: String) -> EntraError {
        invalidClient(
            7_000_222,
            message: "The provided client secret keys for app '\(clientID)' are expired. Visit the Azure portal to "
                + "create new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate "
                + "credentials for added security: https://aka.ms/certCreds."
        )
    }

    static let severalClientCredentials = invalidRequest(
        9_002_313,
        message: "The request authenticates the client in more than one way, or names two clients. Use one of "
            + "'client_secret', 'client_assertion' and the Authorization header."
    )

    static let malformedBasic = invalidClient(
        9_002_313,
        message: "The Authorization header must be 'Basic' with the base64 of client ID, colon and secret."
    )

    static func malformedAssertion(_ reason: String) -> EntraError {
        invalidClient(50_027, message: "The client assertion is not usable: \(reason).")
    }

    static func assertionOutsideLifetime(from start: Date, until end: Date, at now: Date) -> EntraError {
        invalidClient(
            700_024,
            message: "Client assertion is not within its valid time range. Current time: \(preciseTime(now)), "
                + "assertion valid from \(preciseTime(start)), expiry time of assertion \(preciseTime(end)). Review "
                + "the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials ."
        )
    }

    /// The format of a time inside a message.
    private static func preciseTime(_ date: Date) -> String { date.formatted(.iso8601).dropLast() + ".0000000Z" }

    static func unknownAssertionKey(_ clientID: String, thumbprint: String?) -> EntraError {
        invalidClient(
            700_027,
            message: "The certificate with identifier '\(thumbprint ?? "")' used to sign the client assertion is not "
                + "registered on application '\(clientID)', or the signature is wrong."
        )
    }

    static func unknownConnectionCertificate(_ clientID: String, thumbprint: String) -> EntraError {
        invalidClient(
            700_027,
            message: "The certificate with identifier '\(thumbprint)' that the client showed in the TLS handshake is "
                + "not registered on application '\(clientID)', or it is not valid now."
        )
    }

    static let missingConnectionCertificate = invalidClient(
        7_000_218,
        message: "A token of the type 'mtls_pop' is bound to a TLS client certificate, and the client showed none. "
            + "Call the endpoint that 'mtls_endpoint_aliases' of the metadata names, with a certificate of the application."
    )

    static let credentialsBesideCertificate = invalidRequest(
        9_002_313,
        message: "Invalid request. With 'token_type=mtls_pop' the client authenticates by its TLS client certificate; "
            + "leave out 'client_secret', 'client_assertion' and the Authorization header."
    )

    static func wrongAssertionAudience(_ audience: String) -> EntraError {
        invalidClient(
            700_023,
            message: "Client assertion audience claim '\(audience)' is not the token endpoint of the tenant."
        )
    }

    // MARK: Grants of confidential clients

    static func scopeIsNotDefault(_ scope: String) -> EntraError {
        .init(
            number: 1_002_012,
            error: "invalid_scope",
            message: "The provided value for scope \(scope) is not valid. Client credential flows must have a scope "
                + "value with /.default suffixed to the resource identifier (application ID URI)."
        )
    }

    static let noTenantForApplication = invalidRequest(
        50_059,
        message: "No tenant-identifying information found in the request. An application's own tokens need the ID or a "
            + "domain of a tenant in the path."
    )

    static func invalidUserAssertion(_ reason: String) -> EntraError {
        invalidGrant(50_013, message: "Assertion failed validation: \(reason).")
    }

    static func expiredUserAssertion(_ end: Date, at now: Date) -> EntraError {
        invalidGrant(
            500_133,
            message: "Assertion is not within its valid time range. Ensure that the access token is not expired before "
                + "using it for user assertion, or request a new token. Current time: \(preciseTime(now)), expiry "
                + "time of assertion \(preciseTime(end))."
        )
    }

    static func foreignAssertion(_ audience: String, clientID: String, named name: String) -> EntraError {
        invalidGrant(
            50_013,
            message: "Assertion audience does not match the Client app presenting the assertion. The audience in the "
                + "assertion was '\(audience)' and the expected audience is '\(clientID)' or one of the Application "
                + "Uris of this application with App ID '\(clientID)'(\(name))."
        )
    }

    static func applicationAssertion(_ clientID: String) -> EntraError {
        invalidGrant(
            7_000_114,
            message: "Application '\(clientID)' is not allowed to make application on-behalf-of calls."
        )
    }

    static let passwordGrantEndpoint = invalidRequest(
        9_001_023,
        message: "The grant type is not supported over the /common or /consumers endpoints. Please use the "
            + "/organizations or tenant-specific endpoint."
    )

    static let passwordGrantForbidden = invalidGrant(
        53_003,
        message: "Access has been blocked by Conditional Access policies: the tenant does not take passwords from apps."
    )
}
