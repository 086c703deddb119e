// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALCore

/// A request to another API. Its description leaves out query, headers and body.
public struct MSALDownstreamRequest: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// `GET`, `POST` and so on.
    public var method: String

    /// The path beneath the API's base URL, such as `orders/7` or `items:batch`, or an address of the same origin that begins
    /// with `https://`, such as the next page of a list. It is percent-encoded as it goes over the wire, and may end in a query.
    ///
    /// Percent-encode what comes from others before it becomes a part of the path. `.` and `..` are refused.
    public var path: String

    /// Parameters that are added to the query. They are encoded by the library.
    public var query: [String: String] = [:]

    /// Headers. `Authorization`, `Host`, `Content-Length` and those of the connection are the library's own.
    public var headers: [String: String] = [:]

    /// The body. It is bytes and no stream, so that the request can be sent again after a claims challenge.
    public var body: Data?

    /// The largest accepted body of the response, in bytes. It is 4 MiB.
    public var responseLimit = 4 << 20

    /// A request with this method and path.
    public init(_ method: String = "GET", path: String) {
        self.method = method
        self.path = path
    }

    /// The method and the path, without the query.
    public var description: String { "\(method) \(path.prefix { $0 != "?" })" }
}

/// The response of another API. Its description leaves out headers and body.
public struct MSALDownstreamResponse: Sendable, CustomStringConvertible, ServerRedactedReflection {
    /// The HTTP status. A status of failure is a response, too.
    public let status: Int

    /// The headers with their names as they came, without `Set-Cookie`. The values of a repeated header are joined by a comma.
    public let headers: [String: String]

    /// The body.
    public let body: Data

    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        body = response.body
    }

    /// The value of a header, whose name may have any letter case.
    public func header(_ name: String) -> String? {
        headers[name] ?? headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// Whether the status is one of success, 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The status and the size.
    public var description: String { "MSALDownstreamResponse(status: \(status), \(body.count) bytes)" }
}
