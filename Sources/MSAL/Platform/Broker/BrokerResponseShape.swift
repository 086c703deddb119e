// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

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
            members.append(Member(path: place, form: shows ? "integer \(number)" : "integer, \(digits) digits"))
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

    /// The form of a text: its length, and its type if it is a known one.
    static func form(of text: String, named name: String) -> String {
        let length = "string(\(text.utf8.count))"
        if text.isEmpty { return length }
        if let value = shownValue(of: text, named: name) { return "\(length) \(value)" }
        if let kind = kind(of: text) { return "\(length), \(kind)" }
        return length
    }

    /// A text that is a property of the broker and not personal data.
    private static func shownValue(of text: String, named name: String) -> String? {
        switch name {
        case "linuxBrokerVersion", "broker_version":
            return isWord(text, maximum: 32, also: ".+-~") ? text : nil
        case "cookieName": return isWord(text, maximum: 64, also: "-_.") && text.hasPrefix("x-ms-") ? text : nil
        case "environment", "homeEnvironment":
            return KnownClouds.isTrusted(text) ? text : nil
        case "raw_error_code", "oauth2_sub_error_code", "subError", "stsSubError", "suberror", "auth_flow",
            "dbus_method_name", "api_name":
            return isWord(text, maximum: 48, also: "_") && text.utf8.count(where: isDigit) <= 4 ? text : nil
        case "api_status_code": return isWord(text, maximum: 64, also: "_:") ? text : nil
        case "mode", "preferredAuthMethod": return isWord(text, maximum: 16, also: "") ? text : nil
        case "is_successful": return ["true", "false"].contains(text) ? text : nil
        case "context":
            // The service's text may contain a name, so only parts of a known form are included.
            let words = text.matches(of: /AADSTS[0-9]{4,8}|[Cc]ode: '[a-z_]{1,40}'|suberror: '[a-z_]{1,40}'/)
            return words.isEmpty ? nil : words.prefix(4).map { String($0.output) }.joined(separator: " ")
        default: return nil
        }
    }

    /// The type of a text. It contains nothing of the text itself except the header of a token, which describes its
    /// format.
    private static func kind(of text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if UUID(uuidString: text) != nil { return "GUID" }
        if parts.count == 2, parts.allSatisfy({ UUID(uuidString: String($0)) != nil }) { return "GUID.GUID" }
        if parts.count == 3 || parts.count == 5, let header = object(parts[0]) {
            let algorithm = header["alg"]?.string.map { isWord($0, maximum: 16, also: "-") ? $0 : "?" } ?? "none"
            return "\(parts.count == 3 ? "JWT" : "JWE") header alg \(algorithm)"
        }
        if let object = object(text[...]) {
            let names = object.keys.sorted().prefix(8).map { isWord($0, maximum: 24, also: "_") ? $0 : "?" }
            return "base64url of an object with \(names.joined(separator: ", "))"
        }
        if text.utf8.allSatisfy(isDigit) { return "digits" }
        if text.contains(" "), text.contains(where: \.isLetter) { return "\(text.split(separator: " ").count) words" }
        if text.hasPrefix("https://") { return "https address" }
        if text.contains("@") { return "with an @" }
        return nil
    }

    private static func object(_ text: Substring) -> [String: JSONValue]? {
        guard text.utf8.count >= 8, let data = Base64URL.decode(text) else { return nil }
        return JSONValue(parsing: data)?.object
    }

    /// Whether a text has only ASCII letters and digits and the characters of `extra`.
    static func isWord(_ text: String, maximum: Int, also extra: String) -> Bool {
        text.utf8.count <= maximum && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || extra.utf8.contains($0) }
    }
}
