// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL
import SealedStore

/// `msal cache path`
struct CachePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print where the store's file is, or will be.",
        discussion: """
            Nothing is created or opened.

            EXAMPLES
              msal cache path
              ls -l "$(msal cache path --group msal.shared --output raw)"
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        try output.show(
            CachePathReport(
                group: cache.group,
                path: target.location.file,
                directory: target.location.directory,
                exists: target.exists
            )
        )
    }
}

/// Where a store is.
struct CachePathReport: Report, Encodable {
    var group: String
    var path: String
    var directory: String
    var exists: Bool

    func text(_ style: Style) -> TerminalText { exists ? "\(path)" : "\(path) \(style.faint("(not there yet)"))" }

    var raw: String { path }
}
