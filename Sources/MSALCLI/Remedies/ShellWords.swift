// Licensed under the MIT License. See LICENSE.

/// Builds command lines that can be pasted into a shell.
enum ShellWords {
    /// The arguments as one line.
    static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// The flags that choose the client of a command. Settings from the environment and the profile are left out: they
    /// apply to the next command too.
    static func flags(of client: some ClientChoice) -> [String] {
        [("--profile", client.profile), ("--client-id", client.clientID), ("--authority", client.authority)]
            .flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    // POSIX, Shell Command Language §2.2.2: nothing within single quotes is special but the single quote.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@%+=,".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
