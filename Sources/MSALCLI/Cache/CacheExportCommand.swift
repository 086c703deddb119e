// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import UserFiles

/// `msal cache export`
struct CacheExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the store as a token cache that other Microsoft libraries read.",
        usage: "msal cache export <file> [--force] [options]",
        discussion: """
            The file contains refresh tokens in plain text: anyone who has it can use the sign-ins. It is created with \
            mode 0600, and an existing file is not overwritten without --force. Tokens that are bound to a key, and \
            sign-in metadata, are not exported.

            EXAMPLES
              msal cache export tokens.json
              msal cache export - | age -r RECIPIENT > tokens.json.age
              msal cache export tokens.json --for-host login.microsoftonline.com
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The file; - for standard output.", completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "Write all records of this host's cloud under this host name.",
            discussion: "MSAL Python finds only records with the host of its authority.",
            valueName: "host"
        )
    )
    var forHost: String?

    func validate() throws {
        guard let forHost, Cloud.of(host: forHost) == nil else { return }
        throw ValidationError("--for-host must be a host of a known cloud, not \(forHost).")
    }

    func run() async throws {
        let target = try CacheTarget(group: cache.group)
        try target.checkExistence()
        let host = forHost
        let text = try await target.run { try await $0.exportCache(forHost: host) }
        guard file != "-" else {
            try Terminal.output.result { (output) throws(OutputError) in try output.deliver(raw: text) }
            return
        }
        try UserFile.write(text, to: file, replacing: force)
        Terminal.errors.write("\(file) contains tokens in plain text. Delete it when you no longer need it.")
        try output.show(CacheExportReport(file: file, bytes: text.count))
    }
}

/// The report of `msal cache export`.
struct CacheExportReport: Report, Encodable {
    var file: String
    var bytes: Int

    func text(_ style: Style) -> TerminalText { "\(style.good("✓")) Wrote \(style.strong(file)), \(bytes) bytes." }

    var raw: String { file }
}
