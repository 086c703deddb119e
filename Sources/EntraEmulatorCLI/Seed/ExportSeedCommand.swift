// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed export`: prints a directory as a file.
struct ExportSeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the directory of a running emulator, a data folder, or a file.",
        discussion: """
            Without --seed and --data, it prints that of the emulator running on this machine. With --with-secrets, serve and \
            check accept the output; without it, passwords and secrets are replaced with <hidden>.
            """
    )

    @Option(help: ArgumentHelp("Print the directory of this file.", valueName: "file"), completion: .file())
    var seed: String?

    @Option(
        help: ArgumentHelp("Print the directory of this data folder, which no emulator may be using.", valueName: "dir")
    )
    var data: String?

    @OptionGroup var control: ControlOptions

    @Flag(help: "Include passwords and secrets.")
    var withSecrets = false

    @Flag(help: "Write JSON instead of YAML.")
    var json = false

    func validate() throws {
        for (option, text) in [("--seed", seed), ("--data", data)] where text?.isEmpty == true {
            throw ValidationError("\(option) must not be empty.")
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
                directory = try Emulator.directory(startingWith: directory, dataDirectory: URL(fileURLWithPath: data))
            }
            text = try directory.text(as: format, withSecrets: withSecrets)
        }
        try Terminal.output.deliver(raw: Data(text.utf8))
    }

    private func exportOfRunning(as format: EmulatorDirectory.FileFormat) async throws -> String {
        let body = try await control.client().get("/directory?secrets=\(withSecrets)")
        guard let text = EmulatorDirectory.text(ofResponse: body, as: format) else {
            throw ControlClient.Failure.other("its response is not a directory")
        }
        return text
    }
}
