// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator seed`: writes, checks, and exports directory files.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Write, check, and export directory files, which serve reads with --seed.",
        discussion: """
            A directory file is YAML or JSON with your tenants, users, applications, and APIs. To start:

              entra-emulator seed init directory.yaml
              entra-emulator seed check directory.yaml
              entra-emulator --seed directory.yaml
            """,
        subcommands: [
            InitSeedCommand.self, CheckSeedCommand.self, SchemaSeedCommand.self, ExportSeedCommand.self,
        ]
    )
}

/// `entra-emulator seed schema`: prints the schema with which editors validate directory files.
struct SchemaSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON schema of directory files, for editors.",
        discussion: """
            If you save it as entra-emulator.schema.json next to a YAML file, editors find it by this comment in the file: \
            # yaml-language-server: $schema=entra-emulator.schema.json
            """
    )

    func run() throws { try Terminal.output.deliver(raw: Data(EmulatorDirectory.schema.utf8)) }
}
