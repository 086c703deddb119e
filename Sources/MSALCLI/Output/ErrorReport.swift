// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// The last words of a command that did not succeed.
///
/// In JSON mode an `error` object is written to standard output, so that a script reads one stream; otherwise lines
/// for people go to standard error.
enum ErrorReport {
    case failure(Failure)
    /// Help or a version was asked for, which the argument parser delivers as an error.
    case help(String)
    /// The command has said everything in its result.
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
                // If the result could not be written to standard output, the error's JSON cannot be either.
                Terminal.errors.write(failure.text(Style(Terminal.errors)))
            }
            exit(failure.status.rawValue)
        }
    }
}
