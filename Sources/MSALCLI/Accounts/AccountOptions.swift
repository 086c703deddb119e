// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `--account`.
struct AccountOptions: ParsableArguments {
    @Option(help: help, completion: completion)
    var account: String?

    static let help = ArgumentHelp(
        "The account: its user name, the part before the @, or its ID from `msal account list -o json`.",
        valueName: "name"
    )

    /// The names of the signed-in accounts, for the client that the earlier words choose.
    static let completion = CompletionKind.custom { words, _, _ in
        // If settings are missing or the store does not open, there are no suggestions.
        guard let client = ClientOptions(completing: words), let settings = try? Settings(client) else { return [] }
        return (try? settings.application().allAccounts().compactMap(\.username).sorted()) ?? []
    }
}

extension ClientOptions {
    /// The options in an unfinished command line; `nil` if its arguments cannot be parsed.
    init?(completing words: [String]) {
        var arguments: [String] = []
        let names = ["--profile", "--client-id", "--authority"]
        for (index, word) in words.enumerated() {
            if names.contains(where: { word.hasPrefix("\($0)=") }) {
                arguments.append(word)
            } else if names.contains(word), index + 1 < words.count {
                arguments += [word, words[index + 1]]
            }
        }
        guard let options = try? ClientOptions.parse(arguments) else { return nil }
        self = options
    }
}
