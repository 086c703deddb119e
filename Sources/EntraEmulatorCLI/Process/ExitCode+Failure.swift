// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

extension ExitCode {
    /// Prints why a command failed, and returns its exit status.
    static func failure(printing error: any Error) -> ExitCode {
        Terminal.errors.write("entra-emulator: \(error.sentence)")
        return ExitCode(1)
    }
}
