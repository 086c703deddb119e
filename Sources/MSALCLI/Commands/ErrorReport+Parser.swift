// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

extension ErrorReport {
    /// The report of an error that a command, the library, or the parser threw.
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

    /// The parser's message, and the help command that it names.
    private static func usage(_ error: any Error) -> Failure {
        let fault = UsageError(
            parser: MSALCommand.message(for: error),
            fullMessage: MSALCommand.fullMessage(for: error),
            command: "msal"
        )
        return .usage(fault.message, remedy: fault.remedy)
    }
}
