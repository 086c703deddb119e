// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed init`: a file to begin with.
struct InitSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a directory file to begin with.",
        discussion: "It has comments and an entry of each common kind. A file that exists is left as it is."
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
                    ? "entra-emulator: \(file) exists; choose another name, or remove it"
                    : "entra-emulator: \(file) cannot be written; choose a folder that exists and is yours"
            )
            throw ExitCode(1)
        }
        Terminal.output.write("\(file) is written. Check it after a change: entra-emulator seed check \(file)")
    }
}
