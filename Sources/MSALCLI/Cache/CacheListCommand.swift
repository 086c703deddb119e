// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal cache list`
struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the token stores of this user, by their groups.",
        usage: "msal cache list [options]",
        discussion: """
            Pass a group to --group of the other commands. No store is opened.

            EXAMPLES
              msal cache list
              msal cache list --output raw
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var log: LogOptions

    func run() async throws {
        let own = try CacheTarget(group: Settings.applicationID).store
        try output.show(CacheListReport(folder: URL(filePath: own.directory).deletingLastPathComponent()))
    }
}

/// The stores below one folder.
struct CacheListReport: Report, Encodable {
    /// One store.
    struct Store: Encodable, Equatable {
        var group: String
        var path: String
        var bytes: Int
    }

    var stores: [Store]

    /// Finds the stores in `folder`, the folder of the groups, which may not exist.
    init(folder: URL) {
        let manager = FileManager.default
        // Without the folder there is no store.
        let names = (try? manager.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        stores = names.sorted().compactMap { name in
            // In a file's name, the library writes special characters with percent signs, as in a URL.
            guard let group = name.removingPercentEncoding,
                let store = try? CacheTarget(group: group).store, store.exists,
                URL(filePath: store.directory).lastPathComponent == name
            else { return nil }
            let size = (try? manager.attributesOfItem(atPath: store.file))?[.size] as? Int
            return Store(group: group, path: store.file, bytes: size ?? 0)
        }
    }

    func text(_ style: Style) -> TerminalText {
        guard !stores.isEmpty else { return "There is no token store yet. The first sign-in creates it." }
        return table(stores.map { ($0.group, "\($0.path), \(($0.bytes + 1023) / 1024) KiB") }, style: style)
    }

    /// The groups.
    var raw: String { stores.map(\.group).joined(separator: "\n") }
}
