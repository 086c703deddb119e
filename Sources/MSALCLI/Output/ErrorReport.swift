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

    init(_ error: any Error) {
        if let failure = error as? Failure {
            self = .failure(failure)
        } else if let code = error as? ExitCode {
            self = .silent(code)
        } else if error is CancellationError {
            self = .failure(.canceled)
        } else if type(of: error) is NSError.Type {
            self = .failure(Failure(error as NSError))
        } else {
            HelpWidth.ensure()
            self.init(parser: error)
        }
    }

    private init(parser error: any Error) {
        if MSALCommand.exitCode(for: error) == .success {
            self = .help(MSALCommand.fullMessage(for: error))
        } else {
            self = .failure(Self.usage(error))
        }
    }

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
                    try output.deliver(json: Self.json(failure))
                }
            } catch {
                // Standard output that takes no result takes no JSON about it either.
                Terminal.errors.write(Self.text(failure, style: Style(Terminal.errors)))
            }
            exit(failure.status.rawValue)
        }
    }

    /// `msal: …`, the remedy, and the correlation id where the service knows one.
    static func text(_ failure: Failure, style: Style) -> TerminalText {
        var lines: [TerminalText] = ["\(style.problem("msal:")) \(failure.message)"]
        if let remedy = failure.remedy { lines.append("\(remedy)") }
        if let id = failure.correlationID { lines.append("Correlation id: \(id)") }
        return lines.joined(separator: "\n")
    }

    static func json(_ failure: Failure) -> String {
        JSONText.encode(["error": FailureMembers(failure)])
    }

    /// The parser's message; the remedy is the command's help, which the parser names as in: See 'msal token --help'.
    private static func usage(_ error: any Error) -> Failure {
        let quoted = MSALCommand.fullMessage(for: error).split(separator: "'")
        let help = quoted.last { $0.hasPrefix("msal ") && $0.hasSuffix(" --help") } ?? "msal --help"
        let message = MSALCommand.message(for: error)
        let isSentence = message.last.map { ".?!".contains($0) } ?? true
        return .usage(isSentence ? message : "\(message).", remedy: "See: \(help)")
    }
}

extension Failure {
    fileprivate static let canceled = Failure(status: .canceled, code: -50005, message: "Cancelled.")
}

/// The members of the `error` object; all are always there.
private struct FailureMembers: Encodable {
    private let failure: Failure

    init(_ failure: Failure) {
        self.failure = failure
    }

    private enum CodingKeys: String, CodingKey {
        case code, internalCode, message, remedy, correlationId, errorCodes, suberror, claims
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(failure.code, forKey: .code)
        try members.encode(failure.internalCode, forKey: .internalCode)
        try members.encode(failure.message, forKey: .message)
        try members.encode(failure.remedy, forKey: .remedy)
        try members.encode(failure.correlationID, forKey: .correlationId)
        try members.encode(failure.serviceCodes, forKey: .errorCodes)
        try members.encode(failure.suberror, forKey: .suberror)
        try members.encode(failure.claims, forKey: .claims)
    }
}
