// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase

/// The response of the authorization endpoint, which the browser brings (RFC 6749 §4.1.2;
/// docs/reference/Protocol.md#redirect-parameters).
package struct RedirectResponse: Sendable {
    package let code: Secret
    /// The host of another cloud, if the user belongs there.
    package let cloudHost: String?
    /// The user who signed in, if the redirect says so. Nothing confirms it, so it serves for routing only.
    package let clientInfo: ClientInfo?

    /// A reason to redeem nothing.
    package enum Failure: Error, Sendable {
        /// The redirect belongs to another sign-in, or to an attacker.
        case wrongState
        /// The redirect does not name the expected issuer (RFC 9207).
        case wrongIssuer
        /// The service refused.
        case refused(OAuthError)
        /// The redirect has neither a code nor an error.
        case empty
    }

    /// Reads the redirect in the order of its checks: state, issuer, error, code.
    ///
    /// - Parameters:
    ///   - parameter: Finds a decoded parameter of the redirect by its name.
    ///   - state: The state that was sent.
    ///   - isIssuer: Decides whether the redirect may name this issuer, or none.
    /// - Throws: The first check that failed. Redeem nothing.
    package init(
        _ parameter: (_ name: String) -> String?,
        expecting state: String,
        from isIssuer: (_ iss: String?) -> Bool
    ) throws(Failure) {
        try RedirectResponse.check(state: parameter("state"), expecting: state)
        try self.init(afterStateOf: parameter, from: isIssuer)
    }

    /// Reads a redirect in the order of the other checks: issuer, error, code.
    ///
    /// The caller has checked the state already, because it sends a request to the service in between.
    package init(
        afterStateOf parameter: (_ name: String) -> String?,
        from isIssuer: (_ iss: String?) -> Bool
    ) throws(Failure) {
        /// A parameter without a value counts as absent (RFC 6749 §3.1).
        func value(_ name: String) -> String? { parameter(name).flatMap { $0.isEmpty ? nil : $0 } }

        guard isIssuer(value("iss")) else { throw .wrongIssuer }
        if let name = value("error") {
            var error = OAuthError(
                error: name,
                suberror: value("suberror") ?? value("error_subcode"),
                description: value("error_description")
            )
            error.codes = ServiceErrorDetails.codes(in: error.description)
            error.claims = value("claims")
            error.correlationID = value("correlation_id").flatMap(UUID.init(uuidString:))
            throw .refused(error)
        }
        guard let code = value("code") else { throw .empty }
        self.code = Secret(code)
        cloudHost = value("cloud_instance_host_name")
        clientInfo = value("client_info").flatMap(ClientInfo.init(raw:))
    }

    /// Compares the state of a redirect with the one that was sent, in constant time.
    package static func check(state: String?, expecting expected: String) throws(Failure) {
        guard let state, constantTimeEqual(state, to: expected) else { throw .wrongState }
    }
}
