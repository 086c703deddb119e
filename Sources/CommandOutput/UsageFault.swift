// Licensed under the MIT License. See LICENSE.

/// Wrong arguments as reported by the argument parser, in the form of the commands' other errors.
public struct UsageFault: Sendable, Equatable {
    /// The exit status for wrong arguments.
    public static let status: Int32 = 2

    /// The error, as a sentence on one line.
    public let message: String
    /// The command that shows the help.
    public let remedy: String

    /// Parses the parser's messages.
    ///
    /// - Parameters:
    ///   - message: The parser's message without additions.
    ///   - fullMessage: The message with everything that the parser adds. Its last line is, for example: See 'msal
    ///     token --help'.
    ///   - command: The name of the program. Its help is the remedy if the parser does not name another one.
    public init(parser message: String, fullMessage: String, command: String) {
        let quoted = fullMessage.split(separator: "'")
        let help = quoted.last { $0.hasPrefix("\(command) ") && $0.hasSuffix(" --help") } ?? "\(command) --help"
        // The parser writes each possible value on its own line. An error must be one line.
        let line = message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
        let isSentence = line.last.map { ".?!".contains($0) } ?? true
        self.message = isSentence ? line : "\(line)."
        remedy = "See: \(help)"
    }
}
