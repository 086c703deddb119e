// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed init`: writes a file to start from.
struct InitSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a directory file to start from.",
        discussion: "It contains comments and an entry of each common type. An existing file is not overwritten."
    )

    @Argument(help: "The file to write; - is standard output.", completion: .file())
    var file = "directory.yaml"

    func run() throws {
        let text = Data(EmulatorDirectory.startingFile.utf8)
        guard file != "-" else { return try Terminal.output.deliver(raw: text) }
        do {
            try text.write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
        } catch {
            let exists = FileManager.default.fileExists(atPath: file)
            Terminal.errors.write(
                exists
                    ? "entra-emulator: \(file) already exists; choose another name, or remove it"
                    : "entra-emulator: cannot write \(file); choose an existing folder that you can write to"
            )
            throw ExitCode(1)
        }
        Terminal.output.write("Wrote \(file). After changes, check it with: entra-emulator seed check \(file)")
    }
}
