// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore

/// The checks of `msal cache doctor`: each says what it found, why that matters, and what to do.
struct CacheCheckup {
    private let target: CacheTarget
    private let now: Date

    init(_ target: CacheTarget, now: Date) {
        self.target = target
        self.now = now
    }

    func checks() -> [Check] {
        var checks = [place]
        guard target.exists else { return checks + [fileSystem, keyToCome] + copies }
        checks += rights + [fileSystem]
        do throws(StoreError) {
            let statistics = try target.store.statistics(now: now)
            checks += [key(statistics), rows(statistics), journal(statistics), size(statistics)]
        } catch {
            checks.append(
                Check(
                    name: [.keyUnavailable, .unverified].contains(error.kind) ? "key" : "contents",
                    isGood: false,
                    finding: error.message,
                    remedy: error.kind == .corrupt ? "To start anew: msal cache clear --force" : nil,
                    status: .store
                )
            )
        }
        return checks + [recoveries] + copies
    }

    private var place: Check {
        if let failed = StorePlace(location: target.location).failedCheck("place") { return failed }
        let file = target.location.file
        let finding = target.exists ? file : "\(file) will be made by the first sign-in"
        return Check(name: "place", isGood: true, finding: finding)
    }

    /// Owner and modes: 0700 for the directory, 0600 for the files.
    private var rights: [Check] {
        let directory = target.location.directory
        let paths =
            [(directory, mode_t(0o700))] + ["", "-wal", "-shm"].map { (target.location.file + $0, mode_t(0o600)) }
        for (path, mode) in paths {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            let found = status.st_mode & 0o777
            guard status.st_uid == geteuid(), found & ~mode == 0, status.st_mode & S_IFMT != S_IFLNK else {
                return [
                    Check(
                        name: "rights",
                        isGood: false,
                        finding:
                            "\(path) has mode \(String(found, radix: 8)) and owner \(status.st_uid): others may read "
                            + "or replace it",
                        remedy: "chown \(geteuid()) \(path) && chmod \(String(mode, radix: 8)) \(path)",
                        status: .store
                    )
                ]
            }
        }
        return [Check(name: "rights", isGood: true, finding: "only user \(geteuid()) may open it")]
    }

    private var fileSystem: Check {
        switch FileSystemKind(of: StorePlace(location: target.location).existingDirectory) {
        case .local:
            Check(name: "file system", isGood: true, finding: "local")
        case .shared(let type):
            Check(
                name: "file system",
                isGood: true,
                finding: "\(type): shared with other machines or programs, so a slower and simpler journal is used",
                remedy: "MSAL_STORE_DIR on a local disk is faster and safer."
            )
        }
    }

    /// The place where the first sign-in will put the key.
    private var keyToCome: Check {
        do throws(StoreError) {
            let provider = try target.tryKey()
            return Check(name: "key", isGood: true, finding: "\(provider?.choiceName ?? "none"), for the store to come")
        } catch {
            return Check(name: "key", isGood: false, finding: error.message, status: .store)
        }
    }

    private func key(_ statistics: StoreStatistics) -> Check {
        guard let provider = statistics.provider else {
            return Check(name: "key", isGood: true, finding: "none needed yet")
        }
        guard provider != .none else {
            return Check(
                name: "key",
                isGood: true,
                finding: "none: the tokens are in plain text, as was asked for when the store was made",
                remedy: "Only the file's rights protect them."
            )
        }
        let retiring = statistics.keys.count { $0.state == .retiring }
        let note = retiring == 0 ? "" : "; \(retiring) older being replaced"
        return Check(name: "key", isGood: true, finding: "\(provider.choiceName)\(note)")
    }

    private func rows(_ statistics: StoreStatistics) -> Check {
        let count = statistics.records.values.reduce(0, +)
        guard statistics.unreadableRows > 0 else {
            return Check(name: "contents", isGood: true, finding: "\(count) records, all readable")
        }
        return Check(
            name: "contents",
            isGood: false,
            finding:
                "\(statistics.unreadableRows) of \(count) rows cannot be read: changed by something else than this "
                + "library, or sealed with a key that is gone",
            remedy: "They do no harm. Whoever misses a sign-in signs in again; to start anew: msal cache clear",
            status: .store
        )
    }

    private func journal(_ statistics: StoreStatistics) -> Check {
        Check(name: "journal", isGood: true, finding: statistics.journalMode ?? "none")
    }

    private func size(_ statistics: StoreStatistics) -> Check {
        let count = statistics.records.values.reduce(0, +)
        let kilobytes = (statistics.fileSize + 1023) / 1024
        let isFull = count > MemoryStore.defaultCap
        return Check(
            name: "size",
            isGood: true,
            finding: "\(kilobytes) KiB, \(statistics.expiredRows) expired access tokens",
            remedy: isFull
                ? "It is above \(MemoryStore.defaultCap) records; the next save drops the oldest tokens." : nil
        )
    }

    /// Damage of the past is told, but it is mended: nothing fails because of it.
    private var recoveries: Check {
        let history = StoreRecovered.history(of: target.location)
        guard let last = history.last else { return Check(name: "recoveries", isGood: true, finding: "none") }
        return Check(
            name: "recoveries",
            isGood: true,
            finding: "\(history.count), the last on \(last.time.formatted(.iso8601)). \(last.summary)",
            remedy: "Check the disk if this repeats."
        )
    }

    /// Files beside the store in which former tokens are; no sign-out reaches them.
    private var copies: [Check] {
        let paths = StoreRemains(of: target.location).paths
        guard !paths.isEmpty else { return [] }
        return [
            Check(
                name: "older copies",
                isGood: true,
                finding: "kept after damage or an update, with the tokens of that time: "
                    + paths.joined(separator: ", "),
                remedy: "Delete them when nothing is missed; msal cache clear deletes them with everything else."
            )
        ]
    }
}
