// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// The `entra-emulator` command.
@main
struct EntraEmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entra-emulator",
        abstract: "A local stand-in for the Microsoft Entra sign-in platform, for development and tests.",
        subcommands: [StartCommand.self],
        defaultSubcommand: StartCommand.self
    )
}
