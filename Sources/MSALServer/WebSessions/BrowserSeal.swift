// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Encrypts small values that a browser keeps for the application, in cookies and links.
package struct BrowserSeal: Sendable {
    let keys: [MSALSealingKey]
    let clientID: String

    /// The value as base64url, bound to the name of a cookie or link; `nil` if it is too large for a cookie.
    package func seal(_ value: some Encodable, as name: String) -> String? {
        // Encryption fails only if the value is too large, and encoding never.
        guard let plain = try? JSONEncoder().encode(value),
            let sealed = SealedValue(Array(plain), for: place(name), with: keys[0])?.bytes,
            sealed.count <= Self.mostBytes
        else { return nil }
        return Base64URL.encode(sealed)
    }

    /// Reads what ``seal(_:as:)`` returned; `nil` for anything else.
    package func open<Value: Decodable>(_ text: String, as name: String) -> Value? {
        guard text.utf8.count <= Self.mostBytes * 2, let bytes = Base64URL.decodeStrictly(text[...]),
            let plain = SealedValue(bytes: bytes).opened(for: place(name), with: keys)
        else { return nil }
        // A value of another version counts as absent.
        return try? JSONDecoder().decode(Value.self, from: Data(plain))
    }

    private func place(_ name: String) -> SealedValue.Place {
        .init(prefix: "", clientID: clientID, name: MSALStoreName(name, in: MSALStorePartition("browser")))
    }

    /// Browsers accept cookies of 4,096 bytes. Base64 makes the value a third longer.
    private static let mostBytes = 2900
}
