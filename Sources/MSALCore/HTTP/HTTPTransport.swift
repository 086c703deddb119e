// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// Carries one HTTP request to its server and the response back.
///
/// An implementation follows no redirect, keeps no cookie and caches nothing. No status is an error.
package protocol HTTPTransport: Sendable {
    /// Sends `message` and returns the whole response.
    ///
    /// - Throws: `TransportError` if no complete response came. Its kind says whether to try again. The kind is
    ///   `.canceled` if the calling task was canceled.
    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse
}

/// Receives a piece of a response's body. `head` is the response without its body. The next piece is read after it
/// returns.
package typealias BodyReceiver =
    @Sendable (_ head: HTTPResponse, _ piece: Data) async throws(TransportError) -> Void

/// One HTTP request. Its description leaves out query, headers and body, which carry secrets.
package struct HTTPMessage: Sendable, CustomStringConvertible, CustomReflectable {
    /// `GET` or `POST`.
    package var method: String
    package let address: HTTPAddress
    package var headers: [String: String]
    package var body: Data?
    /// The time limit of the whole exchange. The transport has its own limit for `nil`, which is 300 seconds
    /// (docs/reference/Protocol.md#transport). A transport that retries has this limit for each attempt or for all of them,
    /// as its settings say.
    package var timeout: Duration?
    /// The largest accepted body of the response, in bytes. It is 1 MiB by default.
    package var maximumResponseBytes = 1_048_576
    /// The cases in which a transport that retries may send this message again.
    package var repetition = Repetition.always
    /// Receives the body of the response piece by piece. The returned response then has no body.
    package var receiver: BodyReceiver?
    /// Whether the library names itself to the server, in `User-Agent`.
    package var namesLibrary = true
    /// Whether the path of the address is a secret, which the description leaves out, too.
    package var hasSecretPath = false
    /// The client certificate, for a server that requests one. Its connections are not shared with other messages.
    package var identity: TLSIdentity?

    /// The cases in which a message may be sent again after a failure.
    package enum Repetition: Sendable {
        case always
        /// The message is not repeated after its body was sent, because the server may have redeemed a grant.
        case unlessSent
        case never
    }

    package init(method: String, to address: HTTPAddress, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }

    package var url: URL { address.url }

    package var description: String { hasSecretPath ? "\(method) \(address.origin)" : "\(method) \(address)" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The response to an `HTTPMessage`. Its description leaves out headers and body, which carry secrets.
package struct HTTPResponse: Sendable, CustomStringConvertible, CustomReflectable {
    package var status: Int
    /// The headers with their names as received, without `Set-Cookie`. The values of a repeated header are joined by a comma
    /// and a space (RFC 9110 §5.3).
    package var headers: [String: String]
    package var body: Data

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header. Names are compared without regard to case (RFC 9110 §5.1).
    package subscript(header name: String) -> String? {
        headers[name] ?? headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// The message about a status that the body does not explain. `source` names the sender.
    package func refusal(from source: String) -> String {
        let text = "\(source) responded with HTTP status \(status)"
        if status == 429 || status >= 500 { return "\(text). Try again later." }
        // A portal sends a page. A server that sends JSON is probably the service.
        if JSONValue(parsing: body)?.object != nil { return "\(text) and gave no reason." }
        return "\(text). \(Self.portalHint)"
    }

    /// The usual cause of a web page instead of JSON: a portal responds to every request with its page.
    package static let portalHint = "A proxy or a sign-in portal of the network may stand between."

    /// The message about a body that is not the expected JSON object. `source` names the sender.
    package func notJSON(from source: String) -> String {
        "\(source) responded with something that is not a JSON object (HTTP \(status), \(body.count) bytes). "
            + Self.portalHint
    }

    package var description: String { "HTTP \(status), \(body.count) bytes" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
