// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// The owner of values in the store: a user, a session or an application, for one client in a cloud.
struct SharedOwner: Sendable, Hashable {
    let kind: MSALSharedCacheConfiguration.Kind
    let environment: String
    let clientID: String
    /// The user, the hash of the session's key, or the tenant.
    let id: String

    /// The partition under the name key of `key`.
    func partition(under key: MSALSealingKey) -> MSALStorePartition {
        MSALStorePartition(key.blinded(["partition", kind.word, environment, clientID, id]))
    }

    /// The name of a value of this owner.
    func name(of entry: [String], under key: MSALSealingKey) -> MSALStoreName { names(of: [entry], under: key)[0] }

    /// The names of some values of this owner.
    func names(of entries: [[String]], under key: MSALSealingKey) -> [MSALStoreName] {
        let partition = partition(under: key)
        return entries.map { MSALStoreName(key.blinded(["name", partition.text] + $0), in: partition) }
    }
}

extension MSALSharedCacheConfiguration.Kind {
    /// The word for the kind in names of the store. It stays as it is, so that values that were kept are found.
    fileprivate var word: String {
        switch self {
        case .users: "user"
        case .longRunning: "session"
        case .application: "application"
        }
    }
}

extension MSALSealingKey {
    /// Computes 22 letters that reveal nothing about the parts without the key.
    ///
    /// They are the first half of the code. RFC 2104 allows no less (section 5), and 128 bits distinguish all names.
    fileprivate func blinded(_ parts: [String]) -> String {
        var code = nameCode
        code.update(data: [UInt8](framing: parts))
        return code.finalize().withUnsafeBytes { Base64URL.encode($0.prefix(16)) }
    }
}

extension [UInt8] {
    /// Each part after its length, so that no two lists of parts look alike.
    init(framing parts: [String]) {
        self.init()
        for part in parts {
            Swift.withUnsafeBytes(of: UInt32(clamping: part.utf8.count).bigEndian) { append(contentsOf: $0) }
            append(contentsOf: part.utf8)
        }
    }
}
