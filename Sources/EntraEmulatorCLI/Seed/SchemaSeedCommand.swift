// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed schema`: the schema by which editors check directory files.
struct SchemaSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON schema of directory files, for editors.",
        discussion: """
            Kept as entra-emulator.schema.json beside a YAML file, it is found by the file's comment \
            # yaml-language-server: $schema=entra-emulator.schema.json
            """
    )

    func run() throws {
        try Terminal.output.deliver(raw: Data(EmulatorDirectory.schema.utf8))
    }
}
