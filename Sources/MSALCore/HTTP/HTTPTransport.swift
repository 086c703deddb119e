// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALSupport

/// Carries one HTTP request to its server and the answer back.
///
/// An implementation follows no redirect, keeps no cookie and caches nothing. Any status is an answer, not an error.
package protocol HTTPTransport: Sendable {
    /// Sends `message` and returns the whole answer.
    ///
    /// - Throws: `TransportError` if no complete answer came; its kind says whether trying again makes sense.
    ///   Cancelling the calling task ends the request with `.canceled`.
    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse
}

/// One HTTP request. It prints without query, headers and body, which carry secrets.
package struct HTTPMessage: Sendable, CustomStringConvertible, CustomReflectable {
    /// `GET` or `POST`.
    package var method: String
    package var url: URL
    package var headers: [String: String]
    package var body: Data?
    /// The time the whole exchange may take; `nil` leaves it to the transport (300 seconds,
    /// docs/reference/Protocol.md#transport).
    package var timeout: Duration?
    /// The largest body accepted in the answer, in bytes; 1 MiB by default.
    package var maximumResponseBytes = 1_048_576
    /// When a transport that retries may send this message again.
    package var repetition = Repetition.always

    /// When a message may be sent again after a failure.
    package enum Repetition: Sendable {
        case always
        /// Not if the connection broke after the body was on its way: the server may have taken what can be used once.
        case unlessSent
        case never
    }

    package init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    package var description: String {
        "\(method) \(url.scheme ?? "")://\(url.host() ?? "")\(url.path())"
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The response to an `HTTPMessage`. It prints without headers and body, which carry secrets.
package struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
    package var status: Int
    /// Names as received, `Set-Cookie` left out; a repeated header's values are joined by a comma and a space
    /// (RFC 9110 §5.3).
    package var headers: [String: String]
    package var body: Data

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header, whose name is compared without regard to case (RFC 9110 §5.1).
    package subscript(header name: String) -> String? {
        headers[name] ?? headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// The message about a status that the body does not explain. `source` names the server that sent it.
    package func refusal(from source: String) -> String {
        let text = "\(source) answered with HTTP status \(status)"
        if status == 429 || status >= 500 { return "\(text). Try again later." }
        // A portal sends a page. A server that sends JSON is the service, or speaks its language.
        if JSONValue(parsing: body)?.object != nil { return "\(text) and gave no reason." }
        return "\(text). A proxy or a sign-in portal of the network may stand between."
    }

    package var description: String {
        "HTTP \(status), \(body.count) bytes"
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
