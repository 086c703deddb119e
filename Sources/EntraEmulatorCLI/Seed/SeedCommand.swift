// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `entra-emulator seed`: directory files.
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
