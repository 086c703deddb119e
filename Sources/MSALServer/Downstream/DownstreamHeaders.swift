// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The headers that a program may set in a request to another API.
enum DownstreamHeaders {
    /// - Throws: `.invalidRequest` for a malformed or repeated name, for a malformed value, and for a header that the
    ///   library sets.
    static func check(_ headers: [String: String]) throws(MSALDownstreamError) {
        var seen: Set<String> = []
        for (name, value) in headers {
            // A line break would begin another header.
            guard !name.isEmpty, name.utf8.allSatisfy(\.isOfHTTPToken) else {
                throw .invalidRequest("A header name is invalid in HTTP.")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
                throw .invalidRequest("The header \(name) contains a control character, such as a line break.")
            }
            guard !own.contains(name.lowercased()) else {
                throw .invalidRequest("The header \(name) is set by the library. Remove it from the request.")
            }
            guard seen.insert(name.lowercased()).inserted else {
                throw .invalidRequest("The header \(name) is set twice.")
            }
        }
    }

    /// The headers that carry the token, choose the server, or mark the end of the request.
    private static let own: Set = [
        "authorization", "connection", "content-length", "host", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}
