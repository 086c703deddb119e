// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Asking a person before something is done that cannot be taken back.
enum Consent {
    /// Asks on standard error, and waits for the answer on standard input.
    ///
    /// `act`: The planned act, as a question. `input`: Whether somebody may be asked. `otherwise`: The sentence for the
    /// answer "no": it says what stays as it is.
    ///
    /// - Throws: `Failure` with the status `canceled` unless the answer is yes; with `usage` if nobody is there.
    static func ask(_ act: String, input: InputOptions, otherwise: String) throws(Failure) {
        guard input.canAsk else {
            let reason = input.noInput ? "--no-input forbids to ask" : "Nobody is there to be asked"
            throw .usage("\(reason): \(act)", remedy: "Pass --yes.")
        }
        Terminal.errors.ask("\(act) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure(status: .canceled, code: MSALError.userCanceled.rawValue, message: otherwise)
        }
    }
}
