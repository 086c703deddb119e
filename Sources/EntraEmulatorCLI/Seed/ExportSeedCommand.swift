// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed export`: a directory as a file.
struct ExportSeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the directory of a running emulator, of a data folder or of a file.",
        discussion: """
            Without --seed and --data it asks the emulator that runs on this machine. With --with-secrets, serve and \
            check take what it prints; without, <hidden> stands in the place of passwords and secrets.
            """
    )

    @Option(help: ArgumentHelp("Print the directory of this file.", valueName: "file"), completion: .file())
    var seed: String?

    @Option(help: ArgumentHelp("Print what this data folder keeps; no emulator may use it.", valueName: "dir"))
    var data: String?

    @OptionGroup var control: ControlOptions

    @Flag(help: "Write passwords and secrets.")
    var withSecrets = false

    @Flag(help: "Write JSON, and not YAML.")
    var json = false

    func validate() throws {
        for (option, text) in [("--seed", seed), ("--data", data)] where text?.isEmpty == true {
            throw ValidationError("\(option) wants a name, and what it was given is empty.")
        }
    }

    func run() async throws {
        let format: EmulatorDirectory.FileFormat = json ? .json : .yaml
        let text: String
        if seed == nil, data == nil {
            text = try await exportOfRunning(as: format)
        } else {
            var directory = try seed.map { name throws(ExitCode) in try EmulatorDirectory(seedFile: name) } ?? .seed
            if let data {
                directory = try Emulator.directory(
                    startingWith: directory,
                    dataDirectory: URL(fileURLWithPath: data)
                )
            }
            text = try directory.text(as: format, withSecrets: withSecrets)
        }
        try Terminal.output.deliver(raw: Data(text.utf8))
    }

    private func exportOfRunning(as format: EmulatorDirectory.FileFormat) async throws -> String {
        let body = try await control.client().get("/directory?secrets=\(withSecrets)")
        guard let text = EmulatorDirectory.text(ofResponse: body, as: format) else {
            throw ControlClient.Failure.other("it sent something else than a directory")
        }
        return text
    }
}
