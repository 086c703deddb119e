// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

extension ErrorReport {
    /// The report of what a command, the library or the parser threw.
    init(_ error: any Error) {
        if let failure = error as? Failure {
            self = .failure(failure)
        } else if let code = error as? ExitCode {
            self = .silent(code)
        } else if error is CancellationError {
            self = .failure(.canceled())
        } else if type(of: error) is NSError.Type {
            self = .failure(Failure(error as NSError))
        } else {
            HelpWidth.ensure()
            self.init(parser: error)
        }
    }

    private init(parser error: any Error) {
        if MSALCommand.exitCode(for: error) == .success {
            self = .help(Self.help(error))
        } else {
            self = .failure(Self.usage(error))
        }
    }

    /// The help, wrapped to the terminal's width. Other requested texts, such as a version, stay as they are.
    private static func help(_ error: any Error) -> String {
        let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap(Int.init)
        let text = MSALCommand.fullMessage(for: error)
        guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") else { return text }
        let width = wanted ?? Terminal.output.width ?? HelpText.usual
        // The parser reads the variable before it asks the terminal, and this call has no parameter for the width.
        setenv("COLUMNS", String(HelpText.unbroken), 1)
        return HelpText.fitted(MSALCommand.fullMessage(for: error), parsers: text, width: width)
    }

    /// The parser's message. The remedy is the help command that the parser names, as in: See 'msal token --help'.
    private static func usage(_ error: any Error) -> Failure {
        let quoted = MSALCommand.fullMessage(for: error).split(separator: "'")
        let help = quoted.last { $0.hasPrefix("msal ") && $0.hasSuffix(" --help") } ?? "msal --help"
        // The parser writes each possible value on its own line. An error must be one line.
        let message = MSALCommand.message(for: error).replacing(":\n  - ", with: ": ")
            .replacing("\n  - ", with: ", ")
        let isSentence = message.last.map { ".?!".contains($0) } ?? true
        return .usage(isSentence ? message : "\(message).", remedy: "See: \(help)")
    }
}
