// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The work of `msal token` for an identity that is no user's.
struct ServiceToken {
    var choice: ServiceChoice
    var authority: String?
    var caFile: String?
    var scopes: [String]
    var isRefresh = false
    var claims: String?

    /// Gets the token.
    ///
    /// - Throws: `Failure`.
    func report(showsToken: Bool) async throws -> ServiceTokenReport {
        guard !scopes.isEmpty else {
            throw Failure.usage(
                "No scope is named.",
                remedy: "Add --scope with <resource>/.default, such as https://graph.microsoft.com/.default"
            )
        }
        let variables = ProcessInfo.processInfo.environment
        let file = (caFile ?? variables["MSAL_CA_FILE"]).flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
        do {
            ServiceLog.begin()
            let identity = try ServiceCredential(choice, authority: authority, caFile: file)
            var request = MSALTokenRequest(scopes: scopes)
            request.options.forceRefresh = isRefresh
            request.options.claims = try ClaimsChallenge.parse(claims)?.text
            let result = try await WaitLine.waiting(for: .network) { [request] in
                try await identity.credential.token(for: request)
            }
            return ServiceTokenReport(result, identity: identity.words, showsToken: showsToken)
        } catch let error as MSALTokenError {
            throw Failure(error)
        }
    }
}
