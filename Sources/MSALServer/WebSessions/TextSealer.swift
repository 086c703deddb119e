// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Encrypts values that browsers and clients keep for a service, so that the service stores nothing.
///
/// A text is a 12-byte salt and a sealed value, in base64url. It can be opened only in the same context, on which its key
/// depends, too.
package struct TextSealer: Sendable {
    /// The first key seals; all keys open.
    private let keys: [MSALSealingKey]
    /// The service and its registration, which the contexts of all its texts have in common.
    private let service: String, clientID: String
    /// The length of the longest text. By default, a sealed value of any size fits.
    private let limit: Int
    private let random: @Sendable (Int) -> [UInt8]

    /// Browsers accept cookies of 4,096 bytes, with their names and attributes.
    package static let cookieLimit = 3_900

    package init(
        keys: [MSALSealingKey],
        service: String,
        clientID: String,
        limit: Int = SealedValue.mostBytes * 2,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        (self.keys, self.limit, self.random) = (keys, limit, random)
        (self.service, self.clientID) = (service, clientID)
    }

    /// Seals a value; `nil` if the text would be too long.
    package func seal(_ value: some Encodable, for context: [String]) -> String? {
        let salt = random(12)
        guard let plain = try? JSONEncoder().encode(value),
            let sealed = SealedValue(Array(plain), for: place(of: context, salt: salt[...]), with: keys[0])
        else { return nil }
        let text = Base64URL.encode(salt + sealed.bytes)
        return text.utf8.count <= limit ? text : nil
    }

    /// Opens a text; `nil` if it was not sealed for this context with one of the keys.
    package func open<Value: Decodable>(_ type: Value.Type, _ text: String?, for context: [String]) -> Value? {
        guard let text, text.utf8.count <= limit, let bytes = Base64URL.decodeStrictly(text[...]), bytes.count > 12,
            let plain = SealedValue(bytes: Array(bytes[12...]))
                .opened(for: place(of: context, salt: bytes.prefix(12)), with: keys)
        else { return nil }
        // A value of another version counts as absent.
        return try? JSONDecoder().decode(type, from: Data(plain))
    }

    private func place(of context: [String], salt: ArraySlice<UInt8>) -> SealedValue.Place {
        let name = ([Base64URL.encode(salt)] + context).map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
        let partition = MSALStorePartition("browser")
        return SealedValue.Place(prefix: service, clientID: clientID, name: MSALStoreName(name, in: partition))
    }
}
