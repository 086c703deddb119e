// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import MSAL

/// The modes in which a cache is loaded before its lookup.
enum CacheRoute: String, CaseIterable, CustomTestStringConvertible {
    /// Imported into an encrypted file.
    case sqlite
    /// Imported into memory.
    case memory
    /// Imported, exported, and imported again.
    case roundTrip

    var testDescription: String { rawValue }

    /// Runs `body` with a store that contains `cache`.
    func withStore<R>(_ cache: Data, _ body: (any TokenStore) async throws -> R) async throws -> R {
        let document = try CacheDocument(parsing: cache)
        switch self {
        case .memory:
            let store = MemoryStore()
            _ = try store.merge(document)
            return try await body(store)
        case .roundTrip:
            let first = MemoryStore()
            _ = try first.merge(document)
            let second = MemoryStore()
            _ = try second.merge(CacheDocument(parsing: first.exportedCache()))
            return try await body(second)
        case .sqlite:
            return try await withTemporaryDirectory { directory in
                let store = encryptedStore(in: try location(in: directory), HeldKeys())
                _ = try store.merge(document)
                return try await body(store)
            }
        }
    }
}
