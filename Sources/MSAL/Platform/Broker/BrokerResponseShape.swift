// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The structure of a broker's response without its content: names of members, types of values, and lengths.
///
/// A value is only included if it is a property of the broker and cannot identify a person or grant access: status
/// codes, versions, and names of clouds (docs/reference/Broker.md#report).
package enum BrokerResponseShape {
    /// A path in a response, with the type of its value.
    package struct Member: Sendable, Hashable, Encodable {
        /// The member names leading to the value, such as `brokerTokenResponse.error.status`; empty for the whole
        /// response.
        package var path: String
        /// The type of the value, such as `string(36), GUID`.
        package var form: String
    }

    /// The maximum number of members. Valid responses have fewer.
    static let maximumMembers = 200
    static let maximumDepth = 8

    /// The members of a response, sorted by name.
    package static func members(of response: String) -> [Member] {
        let count = response.utf8.count
        guard count > 0 else { return [Member(path: "", form: "empty")] }
        guard count <= 1 << 20 else { return [Member(path: "", form: "text(\(count)), not looked at")] }
        guard let value = JSONValue(parsing: Data(response.utf8)) else {
            let isMarkup = response.drop(while: \.isWhitespace).hasPrefix("<")
            return [Member(path: "", form: "text(\(count)), not JSON\(isMarkup ? ", markup" : "")")]
        }
        var members: [Member] = []
        add(value, at: [], to: &members)
        return members
    }

    private static func add(_ value: JSONValue, at path: [String], to members: inout [Member]) {
        guard members.count < maximumMembers else { return }
        let name = path.last ?? ""
        let place = path.joined(separator: ".")
        switch value {
        case .object(let object):
            guard !object.isEmpty, path.count < maximumDepth else {
                return members.append(Member(path: place, form: "object(\(object.count))"))
            }
            for (member, value) in object.sorted(by: { $0.key < $1.key }) {
                add(value, at: path + [shown(name: member)], to: &members)
            }
        case .array(let array):
            members.append(Member(path: place, form: "array(\(array.count))"))
            // The elements of a list are alike, so the first one is sufficient.
            if let first = array.first, path.count < maximumDepth { add(first, at: path + ["0"], to: &members) }
        case .null: members.append(Member(path: place, form: "null"))
        case .bool(let bool): members.append(Member(path: place, form: "boolean \(bool)"))
        case .integer(let number):
            let shows = numbersShown.contains(name) || number == 0
            let digits = String(number.magnitude).count
            members.append(
                Member(path: place, form: shows ? "integer \(number)" : "integer, \(digits) digits")
            )
        case .number: members.append(Member(path: place, form: "number with a fraction"))
        case .string(let text): members.append(Member(path: place, form: form(of: text, named: name)))
        }
    }

    /// The members whose numbers describe the broker's behavior. For times, the number of digits is sufficient: ten for
    /// seconds, thirteen for milliseconds.
    private static let numbersShown: Set = ["status", "subStatus", "errorCode", "tag", "accessTokenType"]

    /// A member's name, unless it may be a person's name or ID.
    private static func shown(name: String) -> String {
        let isName =
            isWord(name, maximum: 48, also: "_-") && name.first?.isLetter == true
            && name.utf8.count(where: isDigit) <= 4
        return isName ? name : "‹name of \(name.utf8.count)›"
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
