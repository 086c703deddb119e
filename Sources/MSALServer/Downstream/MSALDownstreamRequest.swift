// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALCore

/// A request to a downstream API. Its description omits the query, headers, and body.
public struct MSALDownstreamRequest: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The HTTP method, such as `GET` or `POST`.
    public var method: String

    /// The path relative to the API's base URL, such as `orders/7` or `items:batch`, or a URL of the same origin that
    /// begins with `https://`, such as the next page of a list. It must be percent-encoded, and may end in a query.
    ///
    /// Percent-encode untrusted input before you add it to the path. `.` and `..` are rejected.
    public var path: String

    /// Parameters to add to the query. The library encodes them.
    public var query: [String: String] = [:]

    /// Headers. The library sets `Authorization`, `Host`, `Content-Length`, and those of the connection.
    public var headers: [String: String] = [:]

    /// The body. It is data instead of a stream, so that the request can be resent after a claims challenge.
    public var body: Data?

    /// The maximum body size of the response in bytes; 4 MiB by default.
    public var responseLimit = 4 << 20

    /// Creates a request with this method and path.
    public init(_ method: String = "GET", path: String) {
        self.method = method
        self.path = path
    }

    /// The method and the path, without the query.
    public var description: String { "\(method) \(path.prefix { $0 != "?" })" }
}

/// The response of a downstream API. Its description omits the headers and body.
public struct MSALDownstreamResponse: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The HTTP status, which can be an error status.
    public let status: Int

    /// The headers, with their names as received, without `Set-Cookie`. The values of a repeated header are joined with
    /// commas.
    public let headers: [String: String]

    /// The body.
    public let body: Data

    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        body = response.body
    }

    /// Returns the value of a header, whose name is case-insensitive.
    public func header(_ name: String) -> String? {
        headers[name] ?? headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// Whether the status is a success (200 to 299).
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The status and the size.
    public var description: String { "MSALDownstreamResponse(status: \(status), \(body.count) bytes)" }
}
