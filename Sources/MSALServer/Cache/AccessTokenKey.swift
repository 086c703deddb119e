// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// The key of a token in a cache. A single dictionary lookup finds the token.
///
/// Its hash is computed only once, although it is needed twice: to select the shard, and within it.
package struct AccessTokenKey: Sendable, Hashable {
    /// The number of the client in its cloud.
    package let partition: AccessTokenCache.Partition
    /// The tenant as it was given.
    package let realm: String
    /// The scope as it was given.
    package let target: String
    /// The thumbprint to which the token is bound, and the hash of what the application adds to its requests. They are
    /// one text, so that a key is small. The text is nearly always empty.
    let qualifier: String
    /// The hash of all members, keyed by the process, so that no client can choose names that collide.
    let hash: Int

    /// A key. `keyID` is the thumbprint to which the token is bound, `components` the hash of what the application adds to
    /// its requests.
    package init(
        partition: AccessTokenCache.Partition,
        realm: String,
        target: String,
        keyID: String? = nil,
        components: String? = nil
    ) {
        // Neither has a space: both are base64url.
        let qualifier = keyID == nil && components == nil ? "" : "\(keyID ?? "") \(components ?? "")"
        self.init(partition: partition, realm: realm, target: target, qualifier: qualifier)
    }

    private init(partition: AccessTokenCache.Partition, realm: String, target: String, qualifier: String) {
        self.partition = partition
        self.realm = realm
        self.target = target
        self.qualifier = qualifier
        var hasher = Hasher()
        hasher.combine(partition)
        hasher.combine(realm)
        hasher.combine(target)
        if !qualifier.isEmpty { hasher.combine(qualifier) }
        hash = hasher.finalize()
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package static func == (left: AccessTokenKey, right: AccessTokenKey) -> Bool {
        left.hash == right.hash && left.partition == right.partition && left.realm == right.realm
            && left.target == right.target && left.qualifier == right.qualifier
    }

    /// The key under which the token is kept: tenants and scopes are the same in capitals. It is `nil` for such a key
    /// itself.
    var lowercased: AccessTokenKey? {
        guard realm.utf8.contains(where: isCapital) || target.utf8.contains(where: isCapital) else { return nil }
        return AccessTokenKey(
            partition: partition,
            realm: lowercasedASCII(realm),
            target: lowercasedASCII(target),
            qualifier: qualifier
        )
    }

    /// The bytes of its texts.
    var textBytes: Int { realm.utf8.count + target.utf8.count + qualifier.utf8.count }
}

/// The extra parameters of an application's requests, which are a part of the token's identity.
package enum CacheKeyComponents {
    /// One text for all components. Two different sets never give the same text; no components give `nil`.
    ///
    /// Each name and value follows its length in bytes. Joined without lengths, as some libraries do it, `fmi_path` with
    /// `value` and `fmi_pat` with `hvalue` would share their tokens.
    package static func hash(of components: [String: String]) -> String? {
        guard !components.isEmpty else { return nil }
        var digest = SHA256()
        for (name, value) in components.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            for text in [name, value] { digest.update(data: Data("\(text.utf8.count):\(text)".utf8)) }
        }
        return Base64URL.encode(digest.finalize()).lowercased()
    }
}

private func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

/// Letters outside of ASCII stay as they are, because the service may tell them apart.
private func lowercasedASCII(_ text: String) -> String {
    String(decoding: text.utf8.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}
