// Licensed under the MIT License. See LICENSE.

private import Foundation
import MSALBase

/// A challenge of a `WWW-Authenticate` header. It describes the token that a server requires (RFC 9110 §11.6.1).
package struct AuthenticateChallenge: Sendable, Hashable {
    /// The scheme as written, such as `Bearer` or `PoP`.
    package let scheme: String
    /// The parameters by lower-cased name, without quotes and escapes. If a name is repeated, the first value is kept.
    package private(set) var parameters: [String: String] = [:]

    /// Parses all values of the header in one response.
    ///
    /// A value may hold several challenges, separated by commas. Malformed challenges are skipped, because the header
    /// comes from an untrusted server.
    package static func parse(_ headers: [String]) -> [AuthenticateChallenge] {
        headers.flatMap { header in
            var challenges: [AuthenticateChallenge] = []
            for item in HeaderList.items(header) {
                if let parameter = HeaderList.parameter(item) {
                    guard let last = challenges.indices.last else { continue }
                    challenges[last].add(parameter)
                } else {
                    challenges.append(AuthenticateChallenge(opening: item))
                }
            }
            return challenges
        }
    }

    /// Parses an item that begins with a scheme name.
    private init(opening item: Substring) {
        let parts = item.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        scheme = parts.first.map(String.init) ?? ""
        guard parts.count == 2 else { return }
        if let parameter = HeaderList.parameter(parts[1].drop(while: \.isWhitespace)) { add(parameter) }
    }

    private mutating func add(_ parameter: (name: String, value: String)) {
        if parameters[parameter.name] == nil { parameters[parameter.name] = parameter.value }
    }

    package var error: String? { parameters["error"] }

    /// The claims that a new token must satisfy, as JSON text. It is `nil` unless the server names `insufficient_claims`.
    ///
    /// The parameter's value may be base64 in either alphabet, or the text itself.
    package var claimsChallenge: String? {
        guard
            error?.lowercased() == "insufficient_claims",
            let claims = parameters["claims"], !claims.isEmpty
        else { return nil }
        guard
            claims.count % 4 == 0, !claims.contains(where: \.isWhitespace),
            let data = Base64URL.decode(claims), let text = String(data: data, encoding: .utf8)
        else { return claims }
        return text
    }
}

extension [AuthenticateChallenge] {
    /// The first claims challenge among these.
    package var claimsChallenge: String? { lazy.compactMap(\.claimsChallenge).first }
}

/// The `Authentication-Info` header (RFC 9110 §11.6.3).
package enum AuthenticationInfo {
    /// The nonce for the next signed request. The result is `nil` if the server names none.
    package static func nextNonce(_ headers: [String]) -> String? {
        headers.lazy
            .flatMap(HeaderList.items)
            .compactMap(HeaderList.parameter)
            .first { $0.name == "nextnonce" }?
            .value
    }
}

/// The comma-separated lists of HTTP header values (RFC 9110 §5.6).
private enum HeaderList {
    /// The trimmed items. Commas inside quotes separate nothing, and blank items are dropped.
    static func items(_ header: String) -> [Substring] {
        var items: [Substring] = []
        var start = header.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in header.indices {
            let character = header[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                items.append(header[start..<index])
                start = header.index(after: index)
            }
        }
        items.append(header[start...])
        return items.map(trimmed).filter { !$0.isEmpty }
    }

    /// Reads `name = value` or `name = "value"`. The result is `nil` for other items, such as a scheme or `token68`.
    static func parameter(_ item: Substring) -> (name: String, value: String)? {
        guard let equals = item.firstIndex(of: "=") else { return nil }
        let name = trimmed(item[..<equals])
        guard !name.isEmpty, name.utf8.allSatisfy(\.isOfHTTPToken) else { return nil }
        let value = trimmed(item[item.index(after: equals)...])
        // `token68` may end in "=" signs, and nothing follows them.
        guard !value.isEmpty, !value.allSatisfy({ $0 == "=" }) else { return nil }
        return (name.lowercased(), unquoted(value))
    }

    private static func unquoted(_ value: Substring) -> String {
        guard value.first == "\"", value.last == "\"", value.count >= 2 else { return String(value) }
        var text = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else {
            return start[start.startIndex..<start.startIndex]
        }
        return start[...end]
    }
}
