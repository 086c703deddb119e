// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
package import MSALCore

extension AppToken {
    /// The token of a response (docs/reference/Services.md#saving).
    ///
    /// If the response names no scopes, the `scopes` that were asked for count.
    ///
    /// - Throws: `.invalidResponse` if the token or its life is missing, or if its type is another one.
    package convenience init(
        _ response: TokenResponse,
        binding: Binding = Binding(),
        scopes: [String],
        tenant: String?,
        user: TokenUser? = nil,
        correlationID: UUID,
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        func fault(_ text: String) -> MSALTokenError {
            MSALTokenError(.invalidResponse, message: text + " It was not kept.", correlationID: correlationID)
        }
        guard let token = response.accessToken else { throw fault("The response has no access token.") }
        let type = response.tokenType ?? "Bearer"
        guard type.caseInsensitiveCompare(binding.type) == .orderedSame else {
            throw fault("The response has a token of the type \(type.visibleLine), and \(binding.type) was asked for.")
        }
        let start = Int64(response.receivedAt.timeIntervalSince1970)
        let end = Int64(response.expiresOn.timeIntervalSince1970)
        guard response.namesLifetime, end > start else {
            throw fault("The response does not say how long its token lives.")
        }
        var refreshAt = response.refreshOn.map { Int64($0.timeIntervalSince1970) }
        if let moment = refreshAt {
            // A refresh time after the token's end is ignored.
            let spread = min(Double(end - start) / 10, 300)
            let early = Int64(environment.jitter(.seconds(spread)).components.seconds)
            refreshAt = moment < end && moment > start ? moment - early : nil
        }
        self.init(
            accessToken: token,
            binding: Binding(type: type, keyID: binding.keyID),
            life: Life(
                until: end,
                refreshAt: refreshAt,
                extendedExpiresAt: response.extendedExpiresOn.map { Int64($0.timeIntervalSince1970) }
            ),
            scopes: response.scope.map { ScopeSet(parsing: $0).values } ?? scopes,
            tenant: tenant,
            correlationID: correlationID,
            user: user
        )
    }
}
