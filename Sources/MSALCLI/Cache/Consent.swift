// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation

/// Asks a person before an action that cannot be undone.
enum Consent {
    /// Asks on standard error, and waits for the answer on standard input.
    ///
    /// `act`: The action, as a question. `input`: Whether the command may ask. `otherwise`: The sentence that is
    /// written after the answer "no". It says what was not changed.
    ///
    /// - Throws: `Failure` with the status `canceled` unless the answer is yes; with `usage` if the command cannot ask.
    static func ask(_ act: String, input: InputOptions, otherwise: String) throws(Failure) {
        guard input.canAsk else {
            let reason =
                input.noInput
                ? "--no-input is set, so the command cannot ask"
                : "There is no terminal to ask on"
            throw .usage("\(reason): \(act)", remedy: Remedy.consent)
        }
        Terminal.errors.ask("\(act) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else { throw .canceled(otherwise) }
    }
}
