// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// Header fields that every answer carries.
enum SecurityHeaders {
    /// Adds what the endpoint has not set itself, and the ids of the exchange.
    static func add(to response: inout Response, _ exchange: Exchange) {
        add(to: &response)
        response.headers[.requestID] = exchange.traceID
        let wantsID = exchange.headers[.returnClientRequestID] ?? exchange.query["return-client-request-id"]
        if wantsID?.lowercased() == "true" {
            response.headers[.clientRequestID] = exchange.correlationID
        }
    }

    /// Adds what the endpoint has not set itself.
    static func add(to response: inout Response) {
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.xFrameOptions] = "DENY"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
    }
}
