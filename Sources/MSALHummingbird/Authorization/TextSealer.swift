// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer

/// Encrypts values that browsers and clients keep for a service, so that the service stores nothing.
///
/// A text is a 12-byte salt and a sealed value, in base64url. It can be opened only in the same context, on which its key
/// depends, too.
struct TextSealer: Sendable {
    /// The first key seals; all keys open.
    let keys: [MSALSealingKey]
    /// The service and its registration, which the contexts of all its texts have in common.
    let issuer: String
    let clientID: String
    let random: @Sendable (Int) -> [UInt8]

    /// Seals a value; `nil` if it cannot be encoded, or is larger than 64 KiB.
    func seal(_ value: some Encodable, for context: [String]) -> String? {
        let salt = random(12)
        guard let plain = try? JSONEncoder().encode(value),
            let sealed = SealedValue(Array(plain), for: place(of: context, salt: salt[...]), with: keys[0])
        else { return nil }
        return Base64URL.encode(salt + sealed.bytes)
    }

    /// Opens a text; `nil` if it was not sealed for this context with one of the keys.
    func open<Value: Decodable>(_ type: Value.Type, _ text: String?, for context: [String]) -> Value? {
        guard let text, let bytes = Base64URL.decodeStrictly(text[...]), bytes.count > 12,
            let plain = SealedValue(bytes: Array(bytes[12...]))
                .opened(for: place(of: context, salt: bytes.prefix(12)), with: keys)
        else { return nil }
        return try? JSONDecoder().decode(type, from: Data(plain))
    }

    private func place(of context: [String], salt: ArraySlice<UInt8>) -> SealedValue.Place {
        let name = ([Base64URL.encode(salt)] + context).map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
        let partition = MSALStorePartition("authorization adapter")
        return SealedValue.Place(prefix: issuer, clientID: clientID, name: MSALStoreName(name, in: partition))
    }
}
