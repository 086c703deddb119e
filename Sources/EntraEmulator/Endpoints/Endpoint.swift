// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// What is behind an address.
struct Endpoint {
    /// The methods that the address takes.
    let methods: [HTTPRequest.Method]
    /// Who reads its errors.
    let audience: ErrorRendering.Audience
    /// Whether the script of a page from elsewhere may read the answers (Fetch Standard, "CORS protocol").
    var isCrossOrigin = false
    /// Answers a request; the second value is the undecoded body.
    let run: (Exchange, Data) async throws -> Response

    /// The methods as `Allow` lists them; `OPTIONS` is answered everywhere.
    var allowed: String { (methods + [.options]).map(\.rawValue).joined(separator: ", ") }

    /// The answer to `OPTIONS`, which browsers send before a request from elsewhere.
    func options() -> Response {
        var response = Response(status: .noContent, headers: [.allow: allowed])
        guard isCrossOrigin else { return response }
        response.headers[.accessControlAllowMethods] = allowed
        // The wildcard does not stand for `Authorization`.
        response.headers[.accessControlAllowHeaders] = "*, authorization"
        response.headers[.accessControlMaxAge] = "600"
        return response
    }

    /// Lets the page that asked read the answer. No cookie is needed for that, so every origin may.
    func open(_ response: inout Response, to exchange: Exchange) {
        guard isCrossOrigin, exchange.headers[.origin] != nil else { return }
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] = "x-ms-request-id, client-request-id"
    }
}
