// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

extension ExitCode {
    /// Says why a command could not do its work, and gives the status that it ends with.
    static func failure(saying error: any Error) -> ExitCode {
        Terminal.errors.write("entra-emulator: \(error.sentence)")
        return ExitCode(1)
    }
}
