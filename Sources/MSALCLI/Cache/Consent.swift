// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Asking a person before something is done that cannot be taken back.
enum Consent {
    /// Asks on standard error, and waits for the answer on standard input.
    ///
    /// `act`: What is about to be done, as a question. `otherwise`: What is true if the answer is no.
    ///
    /// - Throws: `Failure` with the status `canceled` unless the answer is yes; with `usage` if nobody is there.
    static func ask(_ act: String, otherwise: String) throws(Failure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw .usage("Nobody is there to be asked: \(act)", remedy: "Pass --yes.")
        }
        Terminal.errors.ask("\(act) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure(status: .canceled, code: MSALError.userCanceled.rawValue, message: otherwise)
        }
    }
}
