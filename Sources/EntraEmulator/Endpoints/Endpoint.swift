// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// The handler of an address.
struct Endpoint {
    /// The methods that the address takes.
    let methods: [HTTPRequest.Method]
    /// The reader of its errors.
    let audience: Exchange.Audience
    /// Whether the script of a page of another origin may read the responses (Fetch Standard, "CORS protocol").
    var isCrossOrigin = false
    /// Responds to a request; the second value is the undecoded body.
    let run: (Exchange, Data) async throws -> Response

    /// The methods as `Allow` lists them; every endpoint takes `OPTIONS`.
    var allowed: String { (methods + [.options]).map(\.rawValue).joined(separator: ", ") }

    /// The response to `OPTIONS`, which browsers send before a request of another origin.
    func options() -> Response {
        var response = Response(status: .noContent, headers: [.allow: allowed])
        guard isCrossOrigin else { return response }
        response.headers[.accessControlAllowMethods] = allowed
        // The wildcard does not stand for `Authorization`.
        response.headers[.accessControlAllowHeaders] = "*, authorization"
        response.headers[.accessControlMaxAge] = "600"
        return response
    }

    /// Lets a page of another origin read the response. No cookie is needed for that, so every origin may.
    func open(_ response: inout Response, to exchange: Exchange) {
        guard isCrossOrigin, exchange.headers[.origin] != nil else { return }
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] = "x-ms-request-id, client-request-id"
    }
}
