// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// The service's message and error numbers. The response need not name an OAuth error.
package struct ServiceErrorDetails: Sendable, Hashable {
    /// The message as one visible line.
    package let text: String
    /// The numbers behind `AADSTS…`.
    package let codes: [Int]

    /// Reads the body of a response. The result is `nil` if it is not a JSON object with a description.
    package init?(body: Data) {
        guard let members = JSONValue(parsing: body)?.object else { return nil }
        self.init(members: members)
    }

    /// Reads the members of a JSON response. The result is `nil` without an `error_description`.
    package init?(members: [String: JSONValue]) {
        guard let text = members["error_description"]?.string, !text.allSatisfy(\.isWhitespace) else { return nil }
        self.text = text.visibleLine
        codes = ServiceErrorDetails.codes(in: members)
    }

    /// The numbers of a JSON response. If it lists none, its description may begin with one.
    static func codes(in members: [String: JSONValue]) -> [Int] {
        let listed = members["error_codes"]?.array?.compactMap { $0.double.flatMap(Int.init(exactly:)) } ?? []
        return listed.isEmpty ? codes(in: members["error_description"]?.string) : listed
    }

    /// The number at the beginning of a text such as `AADSTS50011: …`. A redirect names it nowhere else.
    package static func codes(in text: String?) -> [Int] {
        let mark = "AADSTS"
        guard let text, text.hasPrefix(mark) else { return [] }
        let digits = text.dropFirst(mark.count).prefix { $0.isASCII && $0.isNumber }
        return Int(digits).map { [$0] } ?? []
    }
}
