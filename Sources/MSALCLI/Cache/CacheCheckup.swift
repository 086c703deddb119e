// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The checks of `msal cache doctor`. Each one names its finding, the consequence and the remedy.
struct CacheCheckup {
    private let store: MSALTokenStore
    private let findings: MSALTokenStoreCheckup

    init(_ store: MSALTokenStore) async {
        self.store = store
        findings = await store.checkup()
    }

    /// All checks, in their order.
    var checks: [Check] {
        guard store.exists else { return [place("place"), fileSystem] + (keyToCome.map { [$0] } ?? []) + copies }
        return [place("place"), rights("rights"), fileSystem] + contents + [repairs] + copies
    }

    /// All checks as one check, for `msal doctor`.
    func summary(_ name: String) -> Check {
        let failed = [place(name), rights(name)].first { !$0.isGood }
        return failed ?? unopened(name, remedy: "For more: msal cache doctor") ?? place(name)
    }

    private func place(_ name: String) -> Check {
        guard findings.isWritable else {
            return Check(
                name: name,
                isGood: false,
                finding: "\(store.file): \(findings.existingDirectory) is not writable, so no sign-in is stored",
                remedy: "Make it writable for user \(geteuid()), or set MSAL_STORE_DIR to another directory.",
                status: .store
            )
        }
        let finding = store.exists ? store.file : "\(store.file) will be created by the first sign-in"
        return Check(name: name, isGood: true, finding: finding)
    }

    private func rights(_ name: String) -> Check {
        guard let exposure = findings.exposure else {
            return Check(name: name, isGood: true, finding: "only user \(geteuid()) can open it")
        }
        let (path, mode) = (exposure.path, String(exposure.mode, radix: 8))
        return Check(
            name: name,
            isGood: false,
            finding: "\(path) has mode \(mode) and owner \(exposure.owner): other users may be able to read or "
                + "replace it",
            remedy: "chown \(geteuid()) \(path) && chmod \(String(exposure.safeMode, radix: 8)) \(path)",
            status: .store
        )
    }

    /// The failed check if the store or its key cannot be opened; else `nil`.
    private func unopened(_ name: String, remedy: String?) -> Check? {
        findings.error.map { Check(name, failure: Failure(store: $0, remedy: remedy)) }
    }

    private var fileSystem: Check {
        guard let type = findings.sharedFileSystem else {
            return Check(name: "file system", isGood: true, finding: "local")
        }
        return Check(
            name: "file system",
            isGood: true,
            finding: "\(type): may be shared with other machines, so a slower and simpler journal is used",
            remedy: "Set MSAL_STORE_DIR to a local disk, which is faster and safer."
        )
    }

    /// The location where the first sign-in will store the key.
    private var keyToCome: Check? {
        if let failed = unopened("key", remedy: nil) { return failed }
        return findings.newKeyLocation.map {
            Check(name: "key", isGood: true, finding: "\($0.setting), for the store that the first sign-in creates")
        }
    }

    private var contents: [Check] {
        if let statistics = findings.statistics {
            return [key(statistics), rows(statistics), journal(statistics), size(statistics)]
        }
        let failure = findings.error?.storeFailure
        let name = failure == .keyUnavailable || failure == .unverified ? "key" : "contents"
        let remedy = failure == .damaged ? "To start over: msal cache clear --force" : nil
        return unopened(name, remedy: remedy).map { [$0] } ?? []
    }

    private func key(_ statistics: MSALTokenStoreStatistics) -> Check {
        guard let place = statistics.keyLocation else {
            return Check(name: "key", isGood: true, finding: "none needed yet")
        }
        guard place != .none else {
            return Check(
                name: "key",
                isGood: true,
                finding: "none: the tokens are in plain text, as requested when the store was created",
                remedy: "Only the file permissions protect them."
            )
        }
        let retiring = statistics.keys.count { $0.use == .retiring }
        let note = retiring == 0 ? "" : "; \(retiring) older keys being replaced"
        return Check(name: "key", isGood: true, finding: "\(place.setting)\(note)")
    }

    private func rows(_ statistics: MSALTokenStoreStatistics) -> Check {
        let count = statistics.records.total
        guard statistics.unreadableRows > 0 else {
            return Check(name: "contents", isGood: true, finding: "\(count) records, all readable")
        }
        return Check(
            name: "contents",
            isGood: false,
            finding:
                "\(statistics.unreadableRows) of \(count) rows cannot be read: changed by another program, or "
                + "encrypted with a key that is lost",
            remedy: "They do no harm. If a sign-in is missing, sign in again; to start over: msal cache clear",
            status: .store
        )
    }

    private func journal(_ statistics: MSALTokenStoreStatistics) -> Check {
        Check(name: "journal", isGood: true, finding: statistics.journalMode ?? "none")
    }

    private func size(_ statistics: MSALTokenStoreStatistics) -> Check {
        let kilobytes = (statistics.fileSize + 1023) / 1024
        let limit = MSALPublicClientApplicationConfig(clientId: "").cacheConfig.maximumStoredRecords
        return Check(
            name: "size",
            isGood: true,
            finding: "\(kilobytes) KiB, \(statistics.expiredAccessTokens) expired access tokens",
            remedy: statistics.records.total > limit
                ? "There are more than \(limit) records, so the next save deletes the oldest tokens." : nil
        )
    }

    /// Earlier damage that was repaired. This check never fails.
    private var repairs: Check {
        let repairs = store.repairs
        guard let last = repairs.last else { return Check(name: "recoveries", isGood: true, finding: "none") }
        let lost = last.recordsLost.map { "\($0) were lost" } ?? "an unknown number was lost"
        return Check(
            name: "recoveries",
            isGood: true,
            finding:
                "\(repairs.count), the last on \(last.time.formatted(.iso8601)). The token store was damaged: "
                + "\(last.recordsKept) records were recovered, \(lost). The old file is in \(last.copy).",
            remedy: "Check the disk if this repeats."
        )
    }

    /// Files next to the store with older tokens. Signing out does not delete them.
    private var copies: [Check] {
        let paths = store.olderCopies
        guard !paths.isEmpty else { return [] }
        return [
            Check(
                name: "older copies",
                isGood: true,
                finding: "kept after damage or an update, with the tokens from that time: "
                    + paths.joined(separator: ", "),
                remedy: "Delete them if no sign-in is missing; msal cache clear deletes them with everything else."
            )
        ]
    }
}
