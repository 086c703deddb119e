// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase

/// A directory `corrupt-<time>-<n>` next to a store, with the files of a damaged store.
struct Quarantine: Sendable {
    /// The number of quarantines to keep. Older ones are deleted.
    static let limit = 3
    private static let prefix = "corrupt-"

    /// The directory of the group.
    let group: String
    let name: String

    var path: String { group + "/" + name }

    /// The quarantines of a group, oldest first.
    static func all(in group: String) -> [Quarantine] {
        // A directory that cannot be listed is treated as empty.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: group)) ?? []
        return names.filter(isName).sorted().map { Quarantine(group: group, name: $0) }
    }

    /// Whether a directory of this name is a quarantine rather than a directory of the user.
    static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: #/corrupt-[0-9]+T[0-9]+Z-[0-9]+/#) != nil
    }

    /// An unused name. Names sort by age.
    static func new(in group: String, at time: Date) -> Quarantine {
        let taken = Set(all(in: group).map(\.name))
        let stamp = time.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let names = (1...).lazy.map { prefix + stamp + "-\($0)" }
        return Quarantine(group: group, name: names.first { !taken.contains($0) } ?? prefix + stamp)
    }

    /// Creates the directory, which may exist from an earlier attempt unless it must be new.
    func create(isNew: Bool = false) throws(StoreError) {
        guard PrivateFile.createDirectory(path) || (errno == EEXIST && !isNew) else {
            throw StoreFile.failure(.unwritable, to: "create", at: path, code: errno)
        }
    }

    /// The report; `nil` while the recovery runs and if it was interrupted.
    var report: StoreRecoveryReport? {
        guard let data = FileManager.default.contents(atPath: path + "/report.json") else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        // An unreadable report is ignored because it is only informational.
        return try? decoder.decode(StoreRecoveryReport.self, from: data)
    }

    /// Writes the report, also to the log, and deletes the group's oldest quarantines above the limit.
    func finish(_ report: StoreRecoveryReport) {
        do {
            try write(report)
        } catch {
            Log.warning("The report of a recovery could not be written to \(path).")
        }
        Self.prune(in: group)
        Log.warning(report.summary)
    }

    private func write(_ report: StoreRecoveryReport) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys]
        try encoder.encode(report).write(to: URL(filePath: path + "/report.json"))
        _ = chmod(path + "/report.json", 0o600)
    }

    private static func prune(in group: String) {
        let excess = all(in: group).dropLast(limit)
        // A directory that cannot be opened now is cleared after the next recovery.
        guard !excess.isEmpty, let directory = try? StoreDirectory.open(group, creating: false) else { return }
        for old in excess where !directory.removeFolder(old.name, where: LeftoverFiles.isContent) {
            Log.warning("The old damaged token store \(old.path) could not be removed.")
        }
    }
}

extension StoreRecoveryReport {
    /// The recoveries of a group whose damaged files still exist, newest last.
    package static func history(of location: StoreLocation) -> [StoreRecoveryReport] {
        Quarantine.all(in: location.directory).compactMap(\.report)
    }
}
