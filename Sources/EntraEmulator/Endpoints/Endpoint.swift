// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// The handler of a path.
struct Endpoint {
    /// The accepted methods.
    let methods: [HTTPRequest.Method]
    /// The recipient of its errors.
    let audience: Exchange.Audience
    /// Which scripts of other origins may read the responses.
    var readers = CrossOriginReaders.none
    /// Responds to a request; the second argument is the raw body.
    let run: (Exchange, Data) async throws -> Response

    /// The value of `Allow`; every endpoint accepts `OPTIONS`.
    var allowed: String { (methods + [.options]).map(\.rawValue).joined(separator: ", ") }

    /// The response to `OPTIONS`, which browsers send before a cross-origin request.
    func options() -> Response {
        var response = Response(status: .noContent, headers: [.allow: allowed])
        guard readers.preflight != nil else { return response }
        response.headers[.accessControlAllowMethods] = allowed
        // The wildcard does not include `Authorization`.
        response.headers[.accessControlAllowHeaders] = "*, authorization"
        response.headers[.accessControlMaxAge] = "600"
        return response
    }

    /// Allows scripts of other origins to read the response, which does not depend on cookies.
    func open(_ response: inout Response, to exchange: Exchange) {
        guard exchange.headers[.origin] != nil,
            let allowed = exchange.method == .options ? readers.preflight : readers.origin
        else { return }
        response.headers[.accessControlAllowOrigin] = allowed
        if allowed != "*" { response.headers[.vary] = "Origin" }
        response.headers[.accessControlExposeHeaders] = "x-ms-request-id, client-request-id"
    }
}
