// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import EntraEmulator

/// `entra-emulator serve`, the default subcommand: listens until it is interrupted.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Listen until Ctrl-C. entra-emulator without a subcommand does the same.",
        discussion: """
            Without options, it listens on https://localhost:8443, with a directory of sample users that is kept in memory.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        OpenFiles.takeAll()
        let interruptions = Interruptions()
        let emulator = try await options.start()
        await interruptions.first()
        try await emulator.shutdown()
    }
}
