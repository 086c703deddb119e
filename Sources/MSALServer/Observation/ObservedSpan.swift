// Licensed under the MIT License. See LICENSE.

package import Foundation

#if Tracing
    import Tracing
#endif

/// A span that has begun. Its attributes are fixed, as the labels of metrics are. Only the ID of the request and the
/// host are free.
package struct ObservedSpan: Sendable {
    package enum Name: String, Sendable, CaseIterable {
        /// A call for a token that the memory does not have.
        case acquireToken = "msal.acquire_token"
        /// A request over HTTP.
        case http = "msal.http"
        /// A question to the store that instances share.
        case store = "msal.l2"
        /// The proof of a client.
        case sign = "msal.sign"
        /// A fetch of the keys with which the tokens of an issuer are checked.
        case validate = "msal.validate"
        /// A refresh ahead of time, or a write in the background of a call.
        case background = "msal.background"

        #if Tracing
            var kind: SpanKind {
                switch self {
                case .http, .store: .client
                case .acquireToken, .sign, .validate, .background: .internal
                }
            }
        #endif
    }

    #if Tracing
        /// `nil` if the span is not recorded. Attributes cost time even then.
        private let span: (any Span)?

        init(_ span: (any Span)? = nil) { self.span = span?.isRecording == true ? span : nil }

        func set(_ name: String, to value: String) { span?.attributes[name] = value }
    #else
        func set(_ name: String, to value: String) {}
    #endif

    package func set(flow: TokenFlow) { set("msal.flow", to: flow.label) }
    package func set(source: TokenSourceLabel) { set("msal.source", to: source.rawValue) }
    package func set(error: MSALTokenError) { set("msal.error", to: error.kind.label) }
    package func set(credential: ObservedCredential) { set("msal.credential", to: credential.rawValue) }

    package func set(_ operation: StoreOperation, outcome: StoreOutcome) {
        set("msal.l2.operation", to: operation.rawValue)
        set("msal.l2.outcome", to: outcome.rawValue)
    }

    /// The host without the rest of the address, which may name a tenant.
    package func set(host: String?) { if let host { set("server.address", to: host) } }

    package func set(status: Int) {
        #if Tracing
            span?.attributes["http.response.status_code"] = status
        #endif
    }

    /// The id by which the log and the service know the request.
    package func set(correlationID: UUID?) {
        if let correlationID { set("correlation-id", to: correlationID.uuidString) }
    }
}
