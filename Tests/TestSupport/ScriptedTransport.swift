// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
package import MSALCore
import Synchronization

/// A transport that knows its answers beforehand, each good for one request.
///
/// A request takes the first unused answer that fits it. One that fits none fails, and `verify()` tells of it, as it
/// tells of answers that nobody asked for.
package final class ScriptedTransport: HTTPTransport {
    /// One answer and the requests it fits.
    package struct Answer: Sendable {
        let name: String
        let fits: @Sendable (HTTPMessage) -> Bool
        let result: @Sendable (HTTPMessage) async throws(TransportError) -> HTTPResponse

        /// An answer by code: for requests whose content shapes the answer, or that must wait for something.
        package init(
            _ name: String,
            to fits: @escaping @Sendable (HTTPMessage) -> Bool = { _ in true },
            result: @escaping @Sendable (HTTPMessage) async throws(TransportError) -> HTTPResponse
        ) {
            self.name = name
            self.fits = fits
            self.result = result
        }

        /// A JSON answer to a request whose URL contains `part`.
        package static func json(
            _ text: String,
            status: Int = 200,
            headers: [String: String] = [:],
            to part: String = ""
        ) -> Answer {
            let headers = headers.merging(["Content-Type": "application/json"]) { given, _ in given }
            let reply = HTTPResponse(status: status, headers: headers, body: Data(text.utf8))
            return Answer("\(status) to \(part)", to: { $0.goes(to: part) }) { _ in reply }
        }

        /// A failure of the transport for a request whose URL contains `part`.
        ///
        /// `hasSentBody`: Whether the server may have the request.
        package static func failure(
            _ kind: TransportError.Kind,
            hasSentBody: Bool = false,
            to part: String = ""
        ) -> Answer {
            Answer("\(kind) to \(part)", to: { $0.goes(to: part) }) { _ throws(TransportError) in
                var error = TransportError(kind, message: "As the script says.")
                error.hasSentBody = hasSentBody
                throw error
            }
        }
    }

    /// What went differently from the script.
    package struct Deviation: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State {
        var answers: [Answer]
        var messages: [HTTPMessage] = []
        var unexpected: [HTTPMessage] = []
    }

    private let state: Mutex<State>

    package init(_ answers: Answer...) {
        state = Mutex(State(answers: answers))
    }

    package init(_ answers: [Answer]) {
        state = Mutex(State(answers: answers))
    }

    /// Every request that came, in order, unexpected ones included.
    package var messages: [HTTPMessage] { state.withLock { $0.messages } }

    /// Adds an answer to the end of the script.
    package func append(_ answer: Answer) {
        state.withLock { $0.answers.append(answer) }
    }

    /// - Throws: `Deviation` if a request was unexpected or an answer is unused.
    package func verify() throws {
        let (answers, unexpected) = state.withLock { ($0.answers, $0.unexpected) }
        guard unexpected.isEmpty else {
            throw Deviation(description: "unexpected: " + unexpected.map(\.description).joined(separator: "; "))
        }
        guard answers.isEmpty else {
            throw Deviation(description: "unused: " + answers.map(\.name).joined(separator: "; "))
        }
    }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let answer = state.withLock { state -> Answer? in
            state.messages.append(message)
            guard let index = state.answers.firstIndex(where: { $0.fits(message) }) else {
                state.unexpected.append(message)
                return nil
            }
            return state.answers.remove(at: index)
        }
        guard let answer else { throw TransportError(.badURL, message: "The script has no answer to \(message).") }
        return try await answer.result(message)
    }
}

extension HTTPMessage {
    /// Whether the URL contains `part`; an empty one fits all.
    fileprivate func goes(to part: String) -> Bool {
        part.isEmpty || url.absoluteString.contains(part)
    }

    /// The fields of a form body by name.
    package var form: [String: String] {
        RedirectParameters.parse(String(decoding: body ?? Data(), as: UTF8.self))
    }
}
