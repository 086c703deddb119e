// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
package import MSALCore

extension ServerEnvironment {
    /// Posts a form to a token endpoint and returns the tokens of the response.
    ///
    /// If no connection to the address of the request is possible, `fallback` is asked once. Each of the two addresses
    /// then has half of the time of a request.
    ///
    /// - Throws: The kind of the service's refusal, `.throttled`, `.serviceUnavailable`, `.network` or `.invalidResponse`.
    package func tokens(
        for request: TokenEndpoint.Request,
        orElse fallback: URL? = nil
    ) async throws(MSALTokenError) -> TokenResponse {
        var request = request
        if fallback != nil { request.timeout = requestTimeout / 2 }
        do throws(TokenEndpoint.Failure) {
            let observed = ObservedTransport(transport, time: time, endpoint: .token)
            return try await TokenEndpoint(transport: observed, time: time).tokens(for: request)
        } catch {
            guard let fallback, case .transport(let cause) = error, cause.isWithoutConnection else {
                throw MSALTokenError(error, correlationID: request.correlationID, now: time.now)
            }
            let host = request.url.host() ?? "of the region"
            Log.warning("The host \(host) cannot be reached. The global endpoint is used instead.")
            request.url = fallback
            return try await tokens(for: request)
        }
    }
}

extension TransportError {
    /// Whether the request has reached no server. Another host may be asked then.
    fileprivate var isWithoutConnection: Bool {
        switch kind {
        case .cannotFindHost, .cannotConnect: true
        case .timedOut: !hasSentBody
        case .connectionLost, .offline, .badURL, .untrustedCertificate, .wrongHostName, .certificateExpired,
            .certificateNotYetValid, .tlsHandshake, .canceled, .badResponse, .responseTooLarge:
            false
        }
    }
}
