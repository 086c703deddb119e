// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// Header fields of every response.
enum SecurityHeaders {
    /// Adds the fields that the endpoint has not set, and the IDs of the exchange.
    static func add(to response: inout Response, exchange: Exchange) {
        add(to: &response)
        response.headers[.requestID] = exchange.traceID
        let name = "return-client-request-id"
        let wantsID = exchange.headers[.returnClientRequestID] ?? exchange.query[name] ?? exchange.form[name]
        if wantsID?.lowercased() == "true" { response.headers[.clientRequestID] = exchange.correlationID }
    }

    /// Adds the fields that the endpoint has not set.
    ///
    /// The service also sends `Strict-Transport-Security`. Here it would make browsers reject the plain http of
    /// loopback redirects, because it applies to all ports of a host.
    static func add(to response: inout Response) {
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.xFrameOptions] = "DENY"
        if response.headers[.cacheControl] == nil {
            response.headers[.cacheControl] = "no-store"
            // RFC 6749 §5.1 requires both with tokens.
            response.headers[.pragma] = "no-cache"
        }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
    }
}
