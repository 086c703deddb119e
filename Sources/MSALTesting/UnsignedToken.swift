// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension Secret {
    /// An unsigned ID token with these claims; `nil` without any.
    init?(unsignedTokenOf claims: [String: any Encodable & Sendable]) {
        guard !claims.isEmpty else { return nil }
        // Nothing is signed, so a value that cannot be encoded only omits the claims.
        guard let payload = try? JSONEncoder().encode(Claims(all: claims)) else { return nil }
        let header = Base64URL.encode(Data(#"{"alg":"none"}"#.utf8))
        self.init("\(header).\(Base64URL.encode(payload)).")
    }
}

private struct Claims: Encodable {
    let all: [String: any Encodable & Sendable]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        for (name, value) in all { try members.encode(value, forKey: Name(stringValue: name)) }
    }
}
