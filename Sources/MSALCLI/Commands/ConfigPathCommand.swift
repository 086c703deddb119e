// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// `msal config path`
struct ConfigPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print where the settings file is, or will be.",
        usage: "msal config path [options]",
        discussion: """
            MSAL_CONFIG overrides the path. Nothing is created.

            EXAMPLES
              msal config path
              "$EDITOR" "$(msal config path -o raw)"
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var log: LogOptions

    func run() throws {
        let path = try ConfigFile.path()
        try output.show(ConfigPathReport(path: path, exists: FileManager.default.fileExists(atPath: path)))
    }
}

/// The report of `msal config path`.
struct ConfigPathReport: Report, Encodable {
    var path: String
    var exists: Bool

    func text(_ style: Style) -> TerminalText { exists ? "\(path)" : "\(path) \(style.faint("(does not exist yet)"))" }

    var raw: String { path }
}
