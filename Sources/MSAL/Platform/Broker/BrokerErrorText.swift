// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The broker's text about a failure: untrusted text, truncated and without tokens.
struct BrokerErrorText: Sendable {
    let text: String

    /// `secrets` are those of the request, which a broker might repeat.
    init(_ text: String, without secrets: [Secret]) {
        // Secrets are removed before the text is truncated. Otherwise, a part of one could remain at its end.
        var text = secrets.reduce(text) { Self.removing($1, from: $0) }
        text = String(text.prefix(Self.longest))
        // JSON Web Tokens and cookies, complete or truncated: `{"` in base64url, and then at least one dot.
        text = text.replacing(/eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_.\-]*/, with: Secret("").description)
        self.text = text
    }

    private static let longest = 2048
    /// A shorter part of a secret may be an ordinary word of the text.
    private static let shortestPart = 8

    private static func removing(_ secret: Secret, from text: String) -> String {
        guard !secret.exposed.isEmpty else { return text }
        let text = text.replacing(secret.exposed, with: secret.description)
        // The text may already have been truncated in the middle of the secret.
        let (bytes, whole) = (Array(text.utf8), Array(secret.exposed.utf8))
        for length in stride(from: min(bytes.count, whole.count), through: shortestPart, by: -1)
        where bytes.suffix(length).elementsEqual(whole.prefix(length)) {
            return String(decoding: bytes.dropLast(length), as: UTF8.self) + secret.description
        }
        return text
    }

    /// The numbers after each `AADSTS`, in order.
    var serviceCodes: [Int] {
        var codes: [Int] = []
        for match in text.matches(of: /AADSTS([0-9]{1,9})/) {
            if let code = Int(match.1), !codes.contains(code), codes.count < 8 { codes.append(code) }
        }
        return codes
    }

    /// The name of an OAuth error, which newer brokers include in the text.
    var oauthError: String? { name(after: /Code: ?'([^']*)'/) }

    var oauthSuberror: String? { name(after: /suberror: ?'([^']*)'/) }

    private func name(after label: some RegexComponent<(Substring, Substring)>) -> String? {
        text.firstMatch(of: label).flatMap { Self.name(String($0.output.1)) }
    }

    /// The text if it has the form of an OAuth error code.
    static func name(_ text: String?) -> String? {
        text?.wholeMatch(of: /[A-Za-z0-9_.\-]{1,64}/) == nil ? nil : text
    }
}
