// Licensed under the MIT License. See LICENSE.

/// Wrong arguments as reported by the argument parser, in the form of the commands' other errors.
public struct UsageError: Sendable, Equatable {
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
        let values = message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
        let line = Self.withoutFarSuggestion(values.split(separator: /\n */).joined(separator: " "))
        let isSentence = line.last.map { ".?!".contains($0) } ?? true
        self.message = isSentence ? line : "\(line)."
        remedy = "See: \(help)"
    }

    /// Removes a suggestion that has little in common with the option, such as the parser's `--port` for `--foo`.
    private static func withoutFarSuggestion(_ line: String) -> String {
        guard let found = line.wholeMatch(of: /(Unknown option '-*([^']+)'\.) Did you mean '-*([^']+)'\?/),
            String(found.2).editDistance(to: String(found.3)) > max(1, found.3.count / 3)
        else { return line }
        return String(found.1)
    }
}

extension String {
    /// The number of letters that are missing, extra, wrong, or swapped with a neighbor, ignoring case.
    ///
    /// This is the optimal string alignment distance.
    public func editDistance(to other: String) -> Int {
        let (from, to) = (Array(lowercased()), Array(other.lowercased()))
        var rows = [Array(0...to.count)]
        for i in from.indices {
            var row = [i + 1]
            for j in to.indices {
                var best = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (from[i] == to[j] ? 0 : 1))
                if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
                    best = Swift.min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[from.count][to.count]
    }
}
