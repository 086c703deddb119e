// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// The command line that signs in with the settings of the command that failed, ready to be pasted into a shell.
struct SignInCommand: Equatable {
    /// The flags of the failed command. Settings from the environment and the profile are left out: they apply to the
    /// next command too.
    private var flags: [[String]] = []
    var authority: String?
    var scopes: [String] = []
    var loginHint: String?
    var prompt: PromptOption?
    /// The claims that the tokens must have.
    var claims: ClaimsChallenge?

    /// The command without any flags.
    init() {}

    init(_ client: some ClientChoice, scopes: [String] = [], redirect: RedirectOptions? = nil) {
        self.scopes = scopes
        authority = client.authority
        flags = [
            client.profile.map { ["--profile", $0] }, client.clientID.map { ["--client-id", $0] },
            client.caFile.map { ["--ca-file", $0] }, redirect?.port.map { ["--port", $0] },
            redirect?.redirectURI.map { ["--redirect-uri", $0] },
        ].compactMap(\.self)
        flags += client.knownAuthority.map { ["--known-authority", $0] }
    }

    /// Whether the command line has any flags.
    var isExact: Bool { self != SignInCommand() }

    var text: String {
        var words = ["msal", "login"] + flags.joined()
        if let authority { words += ["--authority", authority] }
        if !scopes.isEmpty { words += ["--scope", scopes.joined(separator: " ")] }
        if let loginHint { words += ["--login-hint", loginHint] }
        if let prompt { words += ["--prompt", prompt.rawValue] }
        if let claims { words += ["--claims", claims.text] }
        return ShellWords.line(words)
    }
}

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

    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@%+=,".contains($0)) }
        return isPlain && !word.isEmpty ? word : word.shellQuoted
    }
}
