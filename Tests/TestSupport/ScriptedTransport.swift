// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALCore
import Synchronization

/// A transport with prepared responses, each for one request.
///
/// A request gets the first unused response that matches it. A request without one fails, and `verify()` reports it.
/// `verify()` also reports unused responses.
package final class ScriptedTransport: HTTPTransport {
    /// One response, or failure, and the requests that it matches.
    package struct Response: Sendable {
        let name: String
        let fits: @Sendable (HTTPMessage) -> Bool
        let result: @Sendable (HTTPMessage) async throws(TransportError) -> HTTPResponse

        /// A response from a closure. It can depend on the request, or wait for something.
        package init(
            _ name: String,
            to fits: @escaping @Sendable (HTTPMessage) -> Bool = { _ in true },
            result: @escaping @Sendable (HTTPMessage) async throws(TransportError) -> HTTPResponse
        ) {
            self.name = name
            self.fits = fits
            self.result = result
        }

        /// A JSON response to a request whose URL contains `part`.
        package static func json(
            _ text: String,
            status: Int = 200,
            headers: [String: String] = [:],
            to part: String = ""
        ) -> Response {
            let headers = headers.merging(["Content-Type": "application/json"]) { given, _ in given }
            let response = HTTPResponse(status: status, headers: headers, body: Data(text.utf8))
            return Response("\(status) to \(part)", to: { $0.goes(to: part) }) { _ in response }
        }

        /// A failure of the transport for a request whose URL contains `part`.
        ///
        /// `hasSentBody` says whether the server may have the request.
        package static func failure(
            _ kind: TransportError.Kind,
            hasSentBody: Bool = false,
            to part: String = ""
        ) -> Response {
            Response("\(kind) to \(part)", to: { $0.goes(to: part) }) { _ throws(TransportError) in
                var error = TransportError(kind, message: "As the script says.")
                error.hasSentBody = hasSentBody
                throw error
            }
        }
    }

    /// A deviation from the script.
    package struct Deviation: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State {
        var responses: [Response]
        var messages: [HTTPMessage] = []
        var unexpected: [HTTPMessage] = []
    }

    private let state: Mutex<State>

    package init(_ responses: Response...) {
        state = Mutex(State(responses: responses))
    }

    package init(_ responses: [Response]) {
        state = Mutex(State(responses: responses))
    }

    /// All requests in order, including unexpected ones.
    package var messages: [HTTPMessage] { state.withLock { $0.messages } }

    /// Adds a response to the end of the script.
    package func append(_ response: Response) {
        state.withLock { $0.responses.append(response) }
    }

    /// - Throws: `Deviation` if a request was unexpected or a response is unused.
    package func verify() throws {
        let (unused, unexpected) = state.withLock { ($0.responses, $0.unexpected) }
        guard unexpected.isEmpty else {
            throw Deviation(description: "unexpected: " + unexpected.map(\.description).joined(separator: "; "))
        }
        guard unused.isEmpty else {
            throw Deviation(description: "unused: " + unused.map(\.name).joined(separator: "; "))
        }
    }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let response = state.withLock { state -> Response? in
            state.messages.append(message)
            guard let index = state.responses.firstIndex(where: { $0.fits(message) }) else {
                state.unexpected.append(message)
                return nil
            }
            return state.responses.remove(at: index)
        }
        guard let response else { throw TransportError(.badURL, message: "The script has no response to \(message).") }
        var result = try await response.result(message)
        // A streamed body arrives in small pieces.
        if let receive = message.receiver {
            let body = result.body
            result.body = Data()
            for start in stride(from: 0, to: body.count, by: 5) {
                try await receive(result, body[start..<min(start + 5, body.count)])
            }
        }
        return result
    }
}

extension HTTPMessage {
    /// Whether the URL contains `part`. An empty one matches all.
    fileprivate func goes(to part: String) -> Bool {
        part.isEmpty || url.absoluteString.contains(part)
    }

    /// The fields of a form body by name.
    package var form: [String: String] {
        let text = String(decoding: body ?? Data(), as: UTF8.self).replacing("+", with: "%20")
        let items = URLComponents(string: "?\(text)")?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
