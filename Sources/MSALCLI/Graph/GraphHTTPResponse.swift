// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The response to a request, with any status.
struct GraphHTTPResponse: Sendable {
    private let response: MSALAPIResponse
    let body: Data
    /// The id that the request carried to the service's logs; `nil` if it carried none.
    var correlationID: String?
    /// Whether the request was sent with a method that changes something.
    var isOfChange = false

    /// `body`: The body, if it was read in pieces.
    init(_ response: MSALAPIResponse, body: Data? = nil) {
        self.response = response
        self.body = body ?? response.body
    }

    var status: Int { response.status }
    var headers: [String: String] { response.headers }
    /// The time at which the server sent it; `nil` if it does not say so.
    var date: Date? { response.date }

    /// The value of a header, whose name is compared without regard to case.
    subscript(header name: String) -> String? { response[header: name] }

    /// The pause that the server asks for before another request; `nil` if it asks for none.
    func retryAfter(at now: Date) -> Duration? { response.retryAfter(at: now) }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the headers say that the body is JSON.
    var saysJSON: Bool {
        let type = (self[header: "Content-Type"] ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        return type.lowercased() == "application/json" || type.lowercased().hasSuffix("+json")
    }

    /// Whether the body is something else than JSON, such as the page of a portal.
    var isPage: Bool { !body.isEmpty && JSONSource(body) == nil }

    /// The usual cause when a web page came instead of JSON. A portal responds to every request with its page.
    static let portalHint = "A proxy or the network's sign-in portal may have responded."

    /// The body as JSON; `nil` for an empty one.
    ///
    /// `remedy`: What helps the command that wants JSON.
    ///
    /// - Throws: `Failure` with the status `failed`, if it is no JSON.
    func document(
        remedy: String = "Without --query and --paginate, -o raw shows it unchanged."
    ) throws(Failure) -> JSONSource? {
        guard !body.isEmpty else { return nil }
        guard let source = JSONSource(body) else {
            let claim = saysJSON ? " although its headers say so" : ""
            throw .file("The response of Microsoft Graph is not JSON\(claim). \(Self.portalHint)", remedy: remedy)
        }
        return source
    }
}
