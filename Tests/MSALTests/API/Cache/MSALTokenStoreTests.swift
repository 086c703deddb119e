// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

/// The public API for programs that maintain a token store.
struct MSALTokenStoreTests {
    private static let cache = Data(
        """
        {"RefreshToken": {"k": {"credential_type": "RefreshToken", "secret": "fake-rt", "home_account_id": "a.b",
          "environment": "login.windows.net", "client_id": "c"}}, "Vendor": {"x": 1}}
        """.utf8
    )

    /// Runs `body` with a function that finds the store of a group according to MSAL_STORE_KEY.
    private func withStore(_ body: ((String) throws -> MSALTokenStore) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            try await body { choice in
                let environment = ["MSAL_STORE_DIR": folder.path, "MSAL_STORE_KEY": choice, "HOME": folder.path]
                return try MSALTokenStore(group: "group", environment: environment)
            }
        }
    }

    private func detail(_ error: NSError?) -> Int? {
        (error?.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue
    }

    private func failure(_ error: NSError?) -> MSALTokenStoreFailure? {
        error?.userInfo[MSALTokenStoreFailureKey] as? MSALTokenStoreFailure
    }

    @Test func `no file is created before something is stored`() async throws {
        try await withStore { find in
            let store = try find("key-file")

            let statistics = try await store.statistics()
            let checkup = await store.checkup()

            #expect(statistics.records.isEmpty && statistics.keyLocation == nil)
            #expect(checkup.isSound && checkup.statistics == nil && checkup.newKeyLocation == .keyFile)
            #expect(try await store.repair().isEmpty)
            #expect(!store.exists && !FileManager.default.fileExists(atPath: store.directory))
        }
    }

    @Test func `imported records are counted, exported and cleared`() async throws {
        try await withStore { find in
            let store = try find("key-file")

            let first = try await store.importCache(Self.cache)
            let second = try await store.importCache(Self.cache)

            #expect(first.records[.refreshToken]?.added == 1 && first.keptAside == 1)
            #expect(second.records[.refreshToken]?.unchanged == 1)
            let statistics = try await store.statistics()
            #expect(statistics.records[.refreshToken] == 1 && statistics.keyLocation == .keyFile)
            let text = String(decoding: try await store.exportCache(), as: UTF8.self)
            #expect(text.contains("fake-rt") && text.contains("Vendor"))
            let cleared = try await store.clear()
            #expect(cleared.outcome == .deletedRecords(1) && cleared.olderCopies == 0)
            #expect(try await store.statistics().records.values.reduce(0, +) == 0)
        }
    }

    @Test func `text that is not a cache changes nothing and is not reported as a store failure`() async throws {
        try await withStore { find in
            let store = try find("key-file")

            let error = await #expect(throws: NSError.self) { try await store.importCache(Data("[]".utf8)) }

            #expect(detail(error) == -42008 && failure(error) == nil)
            #expect(!store.exists)
        }
    }

    @Test func `the limit for the length of the text is configurable`() async throws {
        try await withStore { find in
            let store = try find("key-file")
            let size = Self.cache.count

            let error = await #expect(throws: NSError.self) {
                try await store.importCache(Self.cache, maximumSize: size - 1)
            }
            let report = try await store.importCache(Self.cache, maximumSize: size)

            #expect(detail(error) == -42008 && failure(error) == nil)
            #expect(error?.localizedDescription.contains("\(size - 1) bytes") == true)
            #expect(report.records[.refreshToken]?.added == 1)
        }
    }

    @Test func `a host outside all clouds is rejected`() async throws {
        try await withStore { find in
            let error = await #expect(throws: NSError.self) {
                try await find("key-file").exportCache(forHost: "nowhere.example")
            }
            #expect(detail(error) == -42000)
        }
    }

    @Test func `a moved key is found when the store is opened again`() async throws {
        try await withStore { find in
            let store = try find("key-file")
            try await store.importCache(Self.cache)

            let rotation = try await store.rotateKey(to: MSALStoreProtection.none)

            #expect(rotation.previousLocation == .keyFile)
            #expect(rotation.store.protection == .none)
            #expect(try await rotation.store.statistics().keyLocation == MSALTokenStoreKeyLocation.none)
            let error = await #expect(throws: NSError.self) { try await find("key-file").statistics() }
            #expect(failure(error) == .keyUnavailable)
            for protection in [MSALStoreProtection.automatic, .inMemory] {
                let error = await #expect(throws: NSError.self) { try await store.rotateKey(to: protection) }
                #expect(detail(error) == -42000)
            }
        }
    }

    @Test func `a store whose key is missing is reported as unsound, and cleared with a new key`() async throws {
        try await withStore { find in
            try await find("key-file").importCache(Self.cache)
            let store = try find("key-file")
            let names = try FileManager.default.contentsOfDirectory(atPath: store.directory)
            for name in names where name.hasPrefix("key") {
                try FileManager.default.removeItem(atPath: "\(store.directory)/\(name)")
            }

            let checkup = await store.checkup()
            let error = await #expect(throws: NSError.self) { try await store.checkWriting() }

            #expect(!checkup.isSound && failure(checkup.error) == .keyUnavailable)
            #expect(failure(error) == .keyUnavailable)
            #expect(try await store.clear().outcome == .newKey)
            try await store.checkWriting()
            #expect(await store.checkup().isSound)
        }
    }

    @Test func `a file that others may read is reported as exposed`() async throws {
        try await withStore { find in
            let store = try find("key-file")
            try await store.checkWriting()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.file)

            let exposure = try #require(await store.checkup().exposure)

            #expect(exposure.path == store.file && exposure.mode == 0o644 && exposure.safeMode == 0o600)
        }
    }

    @Test(arguments: ["memory", "drawer"])
    func `a key location that is not persistent is an invalid setting`(choice: String) async throws {
        try await withStore { find in
            let error = #expect(throws: NSError.self) { try find(choice) }
            #expect(detail(error) == -42000 && failure(error) == .invalidSetting)
        }
    }

    @Test func `leftovers are listed as copies and names without tokens`() async throws {
        try await withStore { find in
            let store = try find("key-file")
            let names =
                #"{"Account": {"k": {"home_account_id": "a.b", "environment": "e", "realm": "b", "username": "m"}}}"#
            try await store.importCache(Data(names.utf8))
            let copy = store.file + ".v1"
            try FileManager.default.copyItem(atPath: store.file, toPath: copy)
            #expect(store.olderCopies == [copy])

            try await store.removeLeftovers()

            #expect(store.olderCopies.isEmpty)
            #expect(try await store.statistics().records.values.reduce(0, +) == 0)
        }
    }
}
