// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing
import UserFiles

@testable import MSALBase
@testable import MSALCLI

struct CacheCommandTests {
    private static let cache = """
        {"RefreshToken": {"k": {"credential_type": "RefreshToken", "secret": "fake-rt", "home_account_id": "a.b",
          "environment": "login.microsoftonline.com", "client_id": "c"}},
         "Account": {"k": {"home_account_id": "a.b", "environment": "login.microsoftonline.com", "realm": "b",
          "username": "megan@contoso.example"}}, "Vendor": 1, "AccountMetadata": {"k": {}}}
        """

    /// Runs `body` in a separate folder that contains a store.
    private func withTarget<R>(_ body: (CacheTarget, URL) async throws -> R) async throws -> R {
        try await withTemporaryDirectory { folder in
            let environment = ["MSAL_STORE_DIR": folder.path, "MSAL_STORE_KEY": "key-file", "HOME": folder.path]
            return try await body(try CacheTarget(group: "group", environment: environment), folder)
        }
    }

    @discardableResult
    private func imported(_ target: CacheTarget) async throws -> MSALTokenStoreImport {
        try await target.store.importCache(Data(Self.cache.utf8))
    }

    @Test(arguments: [
        ["path", "--group", "g"], ["stats"], ["doctor", "-o", "json"], ["rotate-key", "--to", "none"],
        ["repair"], ["repair", "--yes", "--group", "g"],
        ["import", "-"], ["import", "--azure-cli"], ["export", "-", "--force"], ["clear", "--yes", "--force"],
        ["export", "f", "--for-host", "login.microsoftonline.com"],
    ])
    func `valid arguments are parsed`(_ arguments: [String]) throws {
        let command = try MSALCommand.parseAsRoot(["cache"] + arguments)

        #expect("\(type(of: command))".hasPrefix("Cache"))
    }

    @Test(arguments: [
        ["import"], ["import", "file", "--azure-cli"], ["export"], ["export", "-", "--for-host", "nowhere.example"],
    ])
    func `invalid arguments are rejected`(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try MSALCommand.parseAsRoot(["cache"] + arguments) }
    }

    @Test func `a cache with a byte order mark and CR LF is imported`() async throws {
        try await withTarget { target, _ in
            let text = "\u{FEFF}" + Self.cache.replacing("\n", with: "\r\n") + "\r\n"

            let summary = CacheImportReport(
                try await target.store.importCache(Data(text.utf8)),
                path: "/s",
                isAzureCLI: false
            )

            #expect(summary.text(.plain).description.hasPrefix("✓ Added 1 refresh token, 1 account."))
        }
    }

    @Test func `an import is reported in three formats, without secrets`() async throws {
        try await withTarget { target, _ in
            let report = CacheImportReport(try await imported(target), path: "/s/tokens.db", isAzureCLI: false)

            #expect(
                report.text(.plain) == """
                    ✓ Added 1 refresh token, 1 account.
                    Kept for exports, unknown or unusable: 1.
                    Skipped, sign-in metadata of the other library: 1.
                    """
            )
            #expect(report.raw == "2")
            let json = try #require(JSONValue(parsing: Data(report.json.utf8))?.object)
            #expect(json.keys.sorted() == ["added", "ignored", "kept_aside", "store", "unchanged", "updated"])
            #expect(json["added"]?.object?["refresh_tokens"] == .integer(1))
            #expect(json["added"]?.object?["access_tokens"] == .integer(0))
            #expect(!report.json.contains("fake-") && !report.text(.plain).description.contains("megan"))

            let again = CacheImportReport(try await imported(target), path: "/s", isAzureCLI: true)
            #expect(again.text(.plain).description.hasPrefix("Nothing new was found."))
            #expect(again.text(.plain).description.contains(AzureCLICache.clientID))
        }
    }

    @Test func `statistics have the same members each time`() async throws {
        let empty = try await withTarget { target, _ in try await target.store.statistics() }
        let report = CacheStatsReport(group: "g", path: "/s/tokens.db", empty)

        let members = try #require(JSONValue(parsing: Data(report.json.utf8))?.object)

        #expect(
            members.keys.sorted() == [
                "bytes", "expired_access_tokens", "group", "journal_mode", "kept_aside", "key_provider", "keys",
                "last_sweep", "path", "records", "schema_version", "store_id", "unreadable_rows",
            ]
        )
        #expect(members["key_provider"] == .null)
        #expect(members["records"]?.object?["refresh_tokens"] == .integer(0))
        #expect(report.text(.plain).description.contains("Records  0 access tokens"))
    }

    @Test func `a file is written with mode 0600, and replaced only on request`() async throws {
        try await withTarget { _, folder in
            let path = folder.path + "/out.json"
            try UserFile.write(Data("1".utf8), to: path, replacing: false)

            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let failure = try #require(throws: Failure.self) {
                try UserFile.write(Data("2".utf8), to: path, replacing: false)
            }
            #expect(failure.status == .usage && failure.remedy?.contains("--force") == true)
            #expect(try CacheText.read(path) == Data("1".utf8))

            try UserFile.write(Data("3".utf8), to: path, replacing: true)
            #expect(try CacheText.read(path) == Data("3".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.json"])
        }
    }

    @Test func `a link instead of the export is replaced, not followed`() async throws {
        try await withTarget { _, folder in
            let path = folder.path + "/out.json"
            let target = folder.path + "/elsewhere"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)

            #expect(throws: Failure.self) { try UserFile.write(Data("1".utf8), to: path, replacing: false) }
            try UserFile.write(Data("1".utf8), to: path, replacing: true)

            #expect(!FileManager.default.fileExists(atPath: target))
            #expect(try CacheText.read(path) == Data("1".utf8))
        }
    }

    @Test func `damaged text and missing files are failures with a reason`() async throws {
        try await withTarget { target, _ in
            let command = try CacheImportCommand.parse(["-"])
            let damaged = try await #require(throws: Failure.self) {
                try await command.merge(Data("{\n\"a\"".utf8), into: target)
            }
            #expect(damaged.status == .failed && damaged.message.contains("line 2, column 4"))
            #expect(damaged.remedy == "Nothing was changed." && !target.store.exists)
        }

        let endless = #expect(throws: Failure.self) { try CacheText.read("/dev/zero") }
        #expect(endless?.message == "/dev/zero is not a regular file.")
        let absent = try #require(throws: Failure.self) { try CacheText.read("/nowhere/at/all") }
        #expect(absent.message == "/nowhere/at/all does not exist.")
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe without a writer is not waited for indefinitely`() throws {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let pipe = folder.url.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)

        let failure = #expect(throws: Failure.self) { try CacheText.read(pipe, timeout: .milliseconds(10)) }

        #expect(failure?.message == "\(pipe) is a pipe that sent no more data and did not end.")
    }

    @Test func `a missing readable cache of Azure CLI is reported with the reason`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = directory.url
        let cache = AzureCLICache(environment: ["AZURE_CONFIG_DIR": folder.path, "HOME": "/nowhere"])

        let absent = try await #require(throws: Failure.self) { try await cache.read() }
        #expect(absent.remedy == "Run: az login")
        try Data().write(to: folder.appending(path: "msal_token_cache.sig"))
        let keyring = try await #require(throws: Failure.self) { try await cache.read() }
        #expect(keyring.remedy?.contains("secret-tool") == true)
        try Data().write(to: folder.appending(path: "msal_token_cache.bin"))
        let encrypted = try await #require(throws: Failure.self) { try await cache.read() }
        #expect(encrypted.message.contains("Windows"))
        try Data(Self.cache.utf8).write(to: folder.appending(path: "msal_token_cache.json"))
        let text = try await cache.read()
        #expect(text == Data(Self.cache.utf8))
    }

    @Test func `a healthy store passes every check, and no check contains a name or token`() async throws {
        try await withTarget { target, _ in
            let before = (await CacheCheckup(target.store)).checks
            #expect(before.map(\.name) == ["place", "file system", "key"])
            try await imported(target)

            let checks = (await CacheCheckup(target.store)).checks

            #expect(
                checks.map(\.name)
                    == ["place", "rights", "file system", "key", "contents", "journal", "size", "recoveries"]
            )
            #expect(checks.filter { !$0.isGood } == [])
            let text = DoctorReport(checks: checks).json
            #expect(!text.contains("fake-") && !text.contains("megan"))
            #expect(checks.first { $0.name == "contents" }?.finding.hasPrefix("2 records") == true)
        }
    }

    @Test func `permissions for others are a finding with a command`() async throws {
        try await withTarget { target, _ in
            try await imported(target)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.store.file)

            let checks = (await CacheCheckup(target.store)).checks

            let rights = try #require(checks.first { $0.name == "rights" })
            #expect(!rights.isGood && rights.status == .store)
            #expect(rights.remedy?.contains("chmod 600 \(target.store.file)") == true)
        }
    }

    @Test func `an unwritable location is a finding before the first sign-in`() async throws {
        try await withTarget { _, folder in
            let file = folder.path + "/file"
            try Data().write(to: URL(filePath: file))
            let target = try CacheTarget(group: "group", environment: ["MSAL_STORE_DIR": file, "HOME": folder.path])

            let place = try #require((await CacheCheckup(target.store)).checks.first)

            #expect(!place.isGood && place.status == .store)
            #expect(place.finding.contains("\(file) is not writable"))
            #expect(place.remedy?.contains("MSAL_STORE_DIR") == true)
        }
    }

    @Test func `a moved key is reported with the names of the option`() {
        let moved = CacheRotateKeyReport("/s", from: MSALTokenStoreKeyLocation.none, to: .keyFile)
        let opened = CacheRotateKeyReport("/s", from: .keyFile, to: MSALTokenStoreKeyLocation.none)

        #expect(moved.text(.plain) == "✓ The key was moved. Records encrypted: 0. The key is in: key-file")
        #expect(moved.json.contains(#""key_provider" : "keyFile""#))
        #expect(opened.text(.plain).description.hasPrefix("✓ Records now in plain text: 0."))
    }

    @Test(arguments: [
        (MSALTokenStoreClearing.Outcome.deletedRecords(0), "The store was empty."),
        (.deletedRecords(1), "✓ Deleted 1 record."),
        (.deletedRecords(3), "✓ Deleted 3 records."),
        (.newKey, "✓ Deleted everything. The old key was missing; the store has a new key."),
        (.deletedFiles, "✓ Deleted the files of /s."),
    ])
    func `clearing reports how it was done`(_ outcome: MSALTokenStoreClearing.Outcome, text: String) throws {
        let report = CacheClearReport(store: "/s", outcome)

        #expect(report.text(.plain).description == text)
        let members = try #require(JSONValue(parsing: Data(report.json.utf8))?.object)
        #expect(members.keys.sorted() == ["deleted_copies", "deleted_files", "has_new_key", "records", "store"])
    }

    @Test func `clearing deletes the copies next to the store, and the doctor lists them`() async throws {
        try await withTarget { target, _ in
            try await imported(target)
            let copy = target.store.file + ".v1"
            try FileManager.default.copyItem(atPath: target.store.file, toPath: copy)
            let finding = (await CacheCheckup(target.store)).checks.first { $0.name == "older copies" }?.finding

            let report = try await CacheClearCommand.parse([]).clear(target)

            #expect(finding?.contains(copy) == true)
            #expect(report.text(.plain) == "✓ Deleted 2 records.\nOlder copies of the store deleted: 1.")
            #expect(!FileManager.default.fileExists(atPath: copy))
            #expect(!(await CacheCheckup(target.store)).checks.contains { $0.name == "older copies" })
            let again = try await CacheClearCommand.parse([]).clear(target)
            #expect(again.text(.plain) == "The store was empty.")
        }
    }

    @Test func `a logout of all accounts leaves no names without tokens and no older copies`() async throws {
        try await withTarget { target, _ in
            let names =
                #"{"Account": {"k": {"home_account_id": "a.b", "environment": "e", "realm": "b", "username": "m"}}}"#
            try await target.store.importCache(Data(names.utf8))
            let copy = target.store.directory + "/corrupt-20260101T000000Z-1"
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
            try Data("old".utf8).write(to: URL(filePath: copy + "/tokens.db"))

            try await target.store.removeLeftovers()

            #expect(!FileManager.default.fileExists(atPath: copy))
            let left = try await target.store.statistics().records.total
            #expect(left == 0)
        }
    }

    @Test func `a repair is reported in three formats, and the store remains usable`() async throws {
        try await withTarget { target, _ in
            // Closed before it is damaged, because an open store has its pages in the log.
            try await imported(try CacheTarget(group: "group", environment: target.environment))
            let command = try CacheRepairCommand.parse(["--yes"])
            let sound = try await command.repair(try CacheTarget(group: "group", environment: target.environment))
            #expect(sound.text(.plain) == "The store is intact. Nothing was changed.")
            #expect(sound.raw.isEmpty)
            try Data(repeating: 0x2A, count: 8192).write(to: URL(filePath: target.store.file))

            let lost = try await command.repair(target)

            #expect(lost.text(.plain).description.hasPrefix("✓ No records could be kept."))
            #expect(lost.raw == "0")
            let members = try #require(JSONValue(parsing: Data(lost.json.utf8))?.object)
            #expect(members.keys.sorted() == ["copies", "is_repaired", "records_kept", "records_lost", "store"])
            #expect(members["copies"]?.array?.count == 1)
            try await imported(target)
        }
    }

    @Test func `an intact store is repaired without a prompt, another one is not`() async throws {
        try await withTarget { target, _ in
            try await imported(try CacheTarget(group: "group", environment: target.environment))
            let command = try CacheRepairCommand.parse([])
            let sound = try await command.repair(try CacheTarget(group: "group", environment: target.environment))
            #expect(sound.text(.plain) == "The store is intact. Nothing was changed.")
            let keys = try FileManager.default.contentsOfDirectory(atPath: target.store.directory)
            for name in keys.filter({ $0.hasPrefix("key") }) {
                try FileManager.default.removeItem(atPath: "\(target.store.directory)/\(name)")
            }

            let failure = try await #require(throws: Failure.self) { try await command.repair(target) }

            #expect(failure.status == .usage && failure.remedy == "Pass --yes.")
        }
    }

    @Test func `clearing fails if a file that is not a copy has the name of one`() async throws {
        try await withTarget { target, folder in
            try await imported(target)
            let link = target.store.file + ".v1"
            let elsewhere = folder.path + "/elsewhere"
            try Data("kept".utf8).write(to: URL(filePath: elsewhere))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)

            let failure = try await #require(throws: Failure.self) {
                try await CacheClearCommand.parse([]).clear(target)
            }

            #expect(failure.status == .store && failure.message.contains(link))
            #expect(try CacheText.read(elsewhere) == Data("kept".utf8))
            let left = try await target.store.statistics().records.total
            #expect(left == 0)
        }
    }

    @Test func `a missing store is distinguished from an empty one`() async throws {
        try await withTarget { target, _ in
            let failure = try #require(throws: Failure.self) { try target.checkExistence() }
            #expect(failure.status == .store && failure.remedy?.contains("--group") == true)

            try await imported(target)
            #expect(throws: Never.self) { try target.checkExistence() }
        }
    }

    @Test func `a sign-in persists if its file can be written`() {
        #expect(CacheTarget.isPersistent(environment: ["MSAL_STORE_DIR": "/s", "MSAL_STORE_KEY": "key-file"]))
        #expect(!CacheTarget.isPersistent(environment: ["MSAL_STORE_DIR": "/s", "MSAL_STORE_KEY": "memory"]))
        #expect(!CacheTarget.isPersistent(environment: ["MSAL_STORE_DIR": "no path"]))
    }

    @Test func `a store in memory cannot be the target`() throws {
        #expect(throws: Failure.self) {
            try CacheTarget(group: "group", environment: ["MSAL_STORE_DIR": "/s", "MSAL_STORE_KEY": "memory"])
        }
    }
}
