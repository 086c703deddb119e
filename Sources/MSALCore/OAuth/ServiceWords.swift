// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALSupport

/// What the service says of a failure in words and numbers, whether or not it names an OAuth error.
package struct ServiceWords: Sendable, Hashable {
    package let text: String
    /// The numbers behind `AADSTS…`.
    package let codes: [Int]

    /// Reads the body of an answer; `nil` if it is no JSON object with words in it.
    package init?(body: Data) {
        guard let members = JSONValue(parsing: body)?.object else { return nil }
        self.init(members: members)
    }

    /// Reads the members of a JSON answer; `nil` without an `error_description`.
    package init?(members: [String: JSONValue]) {
        guard let text = members["error_description"]?.string, !text.allSatisfy(\.isWhitespace) else { return nil }
        self.text = text
        codes = ServiceWords.codes(in: members)
    }

    /// The numbers of a JSON answer: those it lists, else the one that its words begin with.
    static func codes(in members: [String: JSONValue]) -> [Int] {
        let listed = members["error_codes"]?.array?.compactMap { $0.double.flatMap(Int.init(exactly:)) } ?? []
        return listed.isEmpty ? codes(in: members["error_description"]?.string) : listed
    }

    /// The number that a text begins with, as in `AADSTS50011: …`; redirects tell it in no other way.
    package static func codes(in text: String?) -> [Int] {
        let mark = "AADSTS"
        guard let text, text.hasPrefix(mark) else { return [] }
        let digits = text.dropFirst(mark.count).prefix { $0.isASCII && $0.isNumber }
        return Int(digits).map { [$0] } ?? []
    }
}
