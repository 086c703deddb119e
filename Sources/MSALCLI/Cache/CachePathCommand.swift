// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal cache path`
struct CachePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print where the store's file is, or will be.",
        usage: "msal cache path [options]",
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
        let store = try CacheTarget(group: cache.group).store
        try output.show(
            CachePathReport(group: cache.group, path: store.file, directory: store.directory, exists: store.exists)
        )
    }
}

/// The report of `msal cache path`.
struct CachePathReport: Report, Encodable {
    var group: String
    var path: String
    var directory: String
    var exists: Bool

    func text(_ style: Style) -> TerminalText { exists ? "\(path)" : "\(path) \(style.faint("(does not exist yet)"))" }

    var raw: String { path }
}
