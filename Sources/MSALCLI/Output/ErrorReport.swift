// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// The final output of a failed command.
///
/// In JSON mode an `error` object is written to standard output, so that a script reads only one stream. Otherwise text
/// for people is written to standard error.
enum ErrorReport {
    case failure(Failure)
    /// The text of the help or the version. The argument parser throws it as an error.
    case help(String)
    /// The result on standard output is complete; nothing is added.
    case silent(ExitCode)

    /// Writes the report and ends the process.
    func end(as format: OutputFormat) -> Never {
        switch self {
        case .help(let text):
            do throws(Failure) {
                try Terminal.output.result { (output) throws(OutputError) in
                    try output.deliver(TerminalText(lines: text))
                }
            } catch {
                ErrorReport.failure(error).end(as: format)
            }
            exit(CommandExit.done.rawValue)
        case .silent(let code):
            exit(code.rawValue)
        case .failure(let failure):
            do throws(Failure) {
                guard format == .json else { throw failure }
                try Terminal.output.result { (output) throws(OutputError) in
                    try output.deliver(json: failure.json)
                }
            } catch {
                // Standard output does not work, so the error's JSON cannot go there either.
                Terminal.errors.write(failure.text(Style(Terminal.errors)))
            }
            exit(failure.status.rawValue)
        }
    }
}
