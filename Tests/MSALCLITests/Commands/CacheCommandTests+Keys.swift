// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCLI

/// `msal cache rotate-key` with real files, for a user without a session bus.
struct CacheKeyCommandTests {
    private static let cache = """
        {"RefreshToken": {"k": {"credential_type": "RefreshToken", "secret": "fake-rt", "home_account_id": "a.b",
          "environment": "login.microsoftonline.com", "client_id": "c"}}}
        """

    /// A folder with a store and two credential files.
    private struct Bench {
        let folder: URL

        func credential(_ byte: UInt8) throws -> String {
            let path = folder.path + "/credential-\(byte)"
            try Data(repeating: byte, count: 32).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return "credential-file:" + path
        }

        /// The store as a program with this MSAL_STORE_KEY opens it.
        func target(_ choice: String) throws -> CacheTarget {
            let environment = ["MSAL_STORE_DIR": folder.path, "MSAL_STORE_KEY": choice, "HOME": folder.path]
            return try CacheTarget(group: "group", environment: environment)
        }

        func fill(_ choice: String) async throws {
            try await target(choice).store.importCache(Data(CacheKeyCommandTests.cache.utf8))
        }

        func rotate(_ choice: String, to place: String? = nil) async throws -> CacheRotateKeyReport {
            let command = try CacheRotateKeyCommand.parse(place.map { ["--to", $0] } ?? [])
            return try await command.change(target(choice))
        }

        /// The data keys with which a program with this MSAL_STORE_KEY can read the one record.
        func keys(_ choice: String) async throws -> Set<String> {
            let statistics = try await target(choice).store.statistics()
            try #require(statistics.records[.refreshToken] == 1 && statistics.unreadableRows == 0)
            return Set(statistics.keys.map(\.id))
        }

        var keyFiles: [String] {
            get throws {
                let directory = try target("key-file").store.directory
                return try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("key") }
            }
        }
    }

    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        try await withTemporaryDirectory { try await body(Bench(folder: $0)) }
    }

    @Test(arguments: [nil, "key-file"])
    func `the keys are new, whether or not their location is named`(place: String?) async throws {
        try await withBench { bench in
            try await bench.fill("key-file")
            let (files, keys) = (try bench.keyFiles, try await bench.keys("key-file"))

            let report = try await bench.rotate("key-file", to: place)

            #expect(report.text(.plain) == "✓ New keys. Records encrypted: 1. The key is in: key-file")
            #expect(report.advice == nil)
            let now = try bench.keyFiles
            #expect(now.count == 1 && now != files)
            #expect(try await bench.keys("key-file") != keys)
        }
    }

    @Test func `a missing keyring does not prevent later commands`() async throws {
        try await withBench { bench in
            try await bench.fill("key-file")

            let failure = try await #require(throws: Failure.self) {
                try await bench.rotate("key-file", to: "secret-service")
            }

            #expect(failure.status == .store)
            let report = try await bench.rotate("key-file")
            #expect(report.keyProvider == "keyFile")
            let plain = try await bench.rotate("key-file", to: "none")
            #expect(plain.keyProvider == "none")
            #expect(try bench.keyFiles.isEmpty)
        }
    }

    @Test(arguments: [("key-file", MSALTokenStoreKeyLocation.keyFile), ("none", .none)])
    func `the old key is read from the credential file that the variable names`(
        place: String,
        kind: MSALTokenStoreKeyLocation
    ) async throws {
        try await withBench { bench in
            let old = try bench.credential(1)
            try await bench.fill(old)

            let report = try await bench.rotate(old, to: place)

            #expect(report.formerKeyProvider == "credentialFile" && report.keyProvider == kind.rawValue)
            #expect(report.advice == nil)
            _ = try await bench.keys(place)
        }
    }

    @Test func `the command that an error names converts the store to the requested protection`() async throws {
        try await withBench { bench in
            try await bench.fill("key-file")
            let asked = "credential-file:" + bench.folder.path + "/credential-1"
            let refused = await #expect(throws: NSError.self) { try await bench.keys(asked) }
            #expect(refused?.userMessage.contains("msal cache rotate-key --to \(asked) --group group") == true)
            _ = try bench.credential(1)
            _ = try await bench.rotate("auto", to: asked)
            _ = try await bench.keys(asked)
            _ = try await bench.rotate(asked, to: "none")

            // MSAL_STORE_KEY is set permanently, and names the requested protection.
            let plain = await #expect(throws: Failure.self) { try await bench.rotate("key-file", to: "key-file") }
            #expect(plain?.message.contains("MSAL_STORE_KEY=none msal cache rotate-key --to key-file") == true)
            _ = try await bench.rotate("none", to: "key-file")
            _ = try await bench.rotate("secret-service", to: "key-file")
            _ = try await bench.keys("key-file")
        }
    }

    @Test func `a credential file that replaces another is named for every program`() async throws {
        try await withBench { bench in
            let (old, new) = (try bench.credential(1), try bench.credential(2))
            try await bench.fill(old)
            let keys = try await bench.keys(old)

            let report = try await bench.rotate(old, to: new)

            #expect(report.advice?.contains("MSAL_STORE_KEY=\(new)") == true)
            #expect(try await bench.keys(new) != keys)
            await #expect(throws: NSError.self) { try await bench.keys(old) }
            let members = try #require(JSONValue(parsing: Data(report.json.utf8))?.object)
            #expect(members.keys.sorted() == ["former_key_provider", "key_provider", "records", "store"])
        }
    }

    @Test func `a key that moves to a credential file is named for every program`() async throws {
        try await withBench { bench in
            try await bench.fill("key-file")
            let new = try bench.credential(2)

            let report = try await bench.rotate("key-file", to: new)

            #expect(report.text(.plain).description.hasPrefix("✓ The key was moved."))
            #expect(report.advice?.contains("MSAL_STORE_KEY=\(new)") == true)
            _ = try await bench.keys(new)
        }
    }

    @Test func `a credential file that is unchanged is reported to contain the same key`() async throws {
        try await withBench { bench in
            let old = try bench.credential(1)
            try await bench.fill(old)
            for place in [nil, old] {
                let keys = try await bench.keys(old)

                let report = try await bench.rotate(old, to: place)

                #expect(report.advice?.contains("its key is unchanged") == true)
                #expect(try await bench.keys(old) != keys)
            }
        }
    }

    @Test(arguments: ["auto", "memory", "drawer", "credential-file:"])
    func `an invalid key location is rejected`(place: String) async throws {
        try await withBench { bench in
            try await bench.fill("key-file")

            let failure = try await #require(throws: Failure.self) { try await bench.rotate("key-file", to: place) }

            #expect(failure.status == .usage && failure.message.contains("credential-file:PATH"))
        }
    }
}
