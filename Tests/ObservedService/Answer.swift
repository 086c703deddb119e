// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import InMemoryTracing
import MSALServer
import Tracing

/// The result of a call.
struct Answer: ResponseEncodable {
    /// The source of the token.
    var source: String?
    var correlationID: String?
    /// The second since 1970 from which the token may be refreshed before it expires.
    var refreshOn: Double?
    /// The key of a long-running session.
    var session: String?
    /// The kind of failure.
    var error: String?
}

extension Answer {
    /// The result of the call. It does not contain the token.
    init(_ call: () async throws(MSALTokenError) -> MSALTokenResult) async {
        do throws(MSALTokenError) {
            self.init(try await call())
        } catch {
            self.init(correlationID: error.correlationID?.uuidString, error: error.kind.rawValue)
        }
    }

    init(_ result: MSALTokenResult, session: MSALSessionKey? = nil) {
        source = result.source.rawValue
        correlationID = result.correlationID?.uuidString
        refreshOn = result.refreshOn?.timeIntervalSince1970
        self.session = session?.text
    }
}

/// A span that has ended.
struct SpanAnswer: ResponseEncodable {
    let name: String
    let id: String
    let parent: String?
    let links: [String]
    let isFailure: Bool
    let attributes: [String: String]

    init(_ span: FinishedInMemorySpan) {
        name = span.operationName
        id = span.spanID
        parent = span.parentSpanID
        links = span.links.compactMap { $0.context.inMemorySpanContext?.spanID }
        isFailure = span.status?.code == .error
        var attributes: [String: String] = [:]
        span.attributes.forEach { name, value in
            switch value {
            case .string(let text): attributes[name] = text
            case .int64(let number): attributes[name] = "\(number)"
            default: attributes[name] = "\(value)"
            }
        }
        self.attributes = attributes
    }
}
