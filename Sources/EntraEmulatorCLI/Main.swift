// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation

/// The entry point. It starts no thread before the arguments are parsed: without `/proc`, the threads that run
/// asynchronous code would end the process without a message.
@main enum Main {
    static func main() {
        if let fault = CommandLine.fault {
            Terminal.errors.write("entra-emulator: \(fault)")
            exit(EXIT_FAILURE)
        }
        Task {
            await EntraEmulatorCommand.run(Array(CommandLine.arguments.dropFirst()))
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
