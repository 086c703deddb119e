// Licensed under the MIT License. See LICENSE.

/// Wrong arguments, as the argument parser tells of them, in the form of the commands' other errors.
public struct UsageFault: Sendable, Equatable {
    /// The exit status of a command whose arguments are wrong.
    public static let status: Int32 = 2

    /// What is wrong, as a sentence in one line.
    public let message: String
    /// The command that shows the help.
    public let remedy: String

    /// Reads the parser's texts.
    ///
    /// - Parameters:
    ///   - message: The parser's message alone.
    ///   - fullMessage: The message with all that the parser adds. Its last line is like: See 'msal token --help'.
    ///   - command: The name of the program. Its help is the remedy if the parser names no other.
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
