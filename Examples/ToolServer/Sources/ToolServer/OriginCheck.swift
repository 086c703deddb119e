// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALHummingbird

/// Rejects requests that a page of another site sends from a browser (Model Context Protocol, "Transports", security warning).
///
/// A browser names the site of the page in `Origin`. Programs do not send this field, and are let through.
struct OriginCheck: RouterMiddleware {
    typealias Context = MSALAPIContext

    private let own: String?

    init(_ address: URL) {
        let scheme = address.scheme?.lowercased()
        var origin = URLComponents()
        origin.scheme = scheme
        origin.host = address.host()?.lowercased()
        // Browsers omit the default port (RFC 6454 §6.2).
        origin.port = address.port == (scheme == "https" ? 443 : 80) ? nil : address.port
        own = origin.string
    }

    func handle(
        _ request: Request,
        context: MSALAPIContext,
        next: @concurrent (Request, MSALAPIContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[values: .origin].allSatisfy({ $0 == own }) else {
            throw HTTPError(.forbidden, message: "Requests from pages of other sites are rejected.")
        }
        return try await next(request, context)
    }
}
