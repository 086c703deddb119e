// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import MSAL

/// `msal version`
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.show(VersionReport(version: MSALPublicClientApplication.sdkVersion ?? "unknown"))
    }
}

/// The version of the command and the library. They are always built together.
struct VersionReport: Report, Encodable {
    var version: String

    func text(_ style: Style) -> TerminalText { "msal \(version)" }
    var raw: String { version }
}
