// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALSupport

/// An error answer of the authorization or the token endpoint, kept whole (RFC 6749 §4.1.2.1 and §5.2).
package struct OAuthError: Error, Sendable, Hashable {
    /// The `error` member.
    package var error: String
    /// `suberror` (or `error_subcode`), the service's finer word.
    package var suberror: String?
    package var description: String?
    /// The numbers behind `AADSTS…`.
    package var codes: [Int] = []
    /// The claims that an interactive request must have to mend this: JSON text, as it was received.
    package var claims: String?
    package var correlationID: UUID?
    /// Where the service finds this error in its own logs, and when it happened, as it wrote them.
    package var traceID: String?
    package var timestamp: String?
    /// `adi`: the name of the user a protection policy applies to.
    package var displayableID: String?
    /// The HTTP status that the answer came with; `nil` for an error that a redirect brought.
    package var status: Int?
    /// The `Retry-After` header that came with the answer.
    package var retryAfter: String?

    package init(error: String, suberror: String? = nil, description: String? = nil) {
        self.error = error
        self.suberror = suberror
        self.description = description
    }

    /// Reads the members of a JSON answer; `nil` without a non-blank `error`.
    package init?(members: [String: JSONValue]) {
        guard let error = members["error"]?.string, !error.isEmpty else { return nil }
        self.error = error
        suberror = members["suberror"]?.string ?? members["error_subcode"]?.string
        description = members["error_description"]?.string
        codes = ServiceWords.codes(in: members)
        // A service may also send the object itself instead of its text.
        claims = members["claims"].flatMap { $0.string ?? $0.object.map { JSONValue.object($0).text } }
        traceID = members["trace_id"]?.string
        timestamp = members["timestamp"]?.string
        correlationID = members["correlation_id"]?.string.flatMap(UUID.init(uuidString:))
        displayableID = members["adi"]?.string
    }

    /// Compares the error name as the reference does: without case.
    package func isNamed(_ name: String) -> Bool { error.caseInsensitiveCompare(name) == .orderedSame }

    /// Compares the finer word, without case.
    package func hasSuberror(_ name: String) -> Bool { suberror?.caseInsensitiveCompare(name) == .orderedSame }
}
