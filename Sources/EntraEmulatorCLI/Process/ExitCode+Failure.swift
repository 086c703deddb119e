// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

extension ExitCode {
    /// Says why a command failed, and returns the status with which it ends.
    static func failure(saying error: any Error) -> ExitCode {
        Terminal.errors.write("entra-emulator: \(error.sentence)")
        return ExitCode(1)
    }
}
