// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension BrokerResponseShape {
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
        if text.contains(" "), text.contains(where: \.isLetter) {
            return "\(text.split(separator: " ").count) words"
        }
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
