// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import TestSupport

/// The behavior of a responder in a case: a text such as `timeout`, or an object with the response.
struct CaseAnswer: Sendable {
    /// A member or a value that no test supports.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    let result: Result<HTTPResponse, TransportError>
    /// Whether the response never arrives.
    let isMissing: Bool
    /// The delay before it arrives.
    let delay: Duration
    private let text: String

    /// Reads a response. `body` is the body of a response for which the case has only a status.
    init(_ value: JSONValue, body: String = "") throws(Unknown) {
        text = value.text
        isMissing = value == .string("never")
        var members = value.object ?? [:]
        func take(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }
        delay = .seconds(take("afterSeconds")?.double ?? 0)
        let failure = value.string ?? take("networkError")?.string
        if let failure, !isMissing {
            result = .failure(TransportError(try Self.kind(failure), message: "As the case says."))
        } else {
            let content = take("json")?.text ?? (take("body") ?? take("text")).map { $0.string ?? $0.text } ?? body
            result = .success(
                HTTPResponse(
                    status: Int(take("status")?.double ?? 200),
                    headers: take("headers")?.object?.compactMapValues(\.string) ?? [:],
                    body: Data(content.utf8)
                )
            )
        }
        guard members.isEmpty else {
            throw Unknown(description: "No test supports \(members.keys.sorted()) of a response.")
        }
    }

    private static func kind(_ word: String) throws(Unknown) -> TransportError.Kind {
        switch word {
        case "timeout", "timedOut": .timedOut
        case "refused", "cannotConnect", "networkUnreachable": .cannotConnect
        case "noRoute", "offline": .offline
        case "reset", "connectionLost": .connectionLost
        default: throw Unknown(description: "No test supports the failure \(word).")
        }
    }

    /// The number of requests that the service's transport sends for this response: transient errors are retried once.
    var attempts: Int {
        switch result {
        case .success(let response):
            (500...599).contains(response.status) && response[header: "Retry-After"] == nil ? 2 : 1
        case .failure(let error): error.isTransient ? 2 : 1
        }
    }

    /// The response for a scripted transport. It waits for a flag, if there is one.
    func response(heldUntil flag: AtomicFlag? = nil) -> ScriptedTransport.Response {
        ScriptedTransport.Response(text) { [result, isMissing] _ throws(TransportError) in
            while flag?.isSet == false || isMissing {
                guard !Task.isCancelled else {
                    throw TransportError(.canceled, message: "No caller is waiting.")
                }
                await Task.yield()
            }
            return try result.get()
        }
    }
}

extension ScriptedTransport {
    /// Adds a response of the service, as often as production requests it.
    func append(_ answer: CaseAnswer, heldUntil flag: AtomicFlag? = nil) {
        for _ in 0..<answer.attempts { append(answer.response(heldUntil: flag)) }
    }
}
