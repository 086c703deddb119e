// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput

/// A word among the arguments that is not the name of a command, and the most similar name.
struct UnknownCommand: Equatable {
    /// The full name, such as `cache nope`.
    let name: String
    /// A command with a similar name, if there is one.
    let suggestion: String?
    /// The command whose help lists the valid names.
    let group: String

    /// The first unknown name; `nil` if the arguments name only existing commands.
    ///
    /// For `help` with an unknown name, the parser itself shows the general help.
    static func first(in arguments: [String]) -> UnknownCommand? {
        let isHelp = arguments.first == "help"
        let words = (isHelp ? arguments.dropFirst() : arguments[...]).prefix { !$0.hasPrefix("-") }
        var path: [String] = []
        var command: any ParsableCommand.Type = MSALCommand.self
        for word in words {
            let choices = command.configuration.subcommands
            // After a command without subcommands come its arguments. `help` takes no arguments.
            guard !choices.isEmpty || isHelp else { return nil }
            guard let next = choices.first(where: { $0.name == word }) else {
                // A word with a colon is an address, and so an argument of the default subcommand.
                if command.configuration.defaultSubcommand != nil, word.contains(":") { return nil }
                let alike = choices.map { $0.name }.nearest(to: word).map { (path + [$0]).joined(separator: " ") }
                return UnknownCommand(
                    name: (path + [word]).joined(separator: " "),
                    suggestion: alike ?? MSALCommand.path(to: word),
                    group: (["msal"] + path).joined(separator: " ")
                )
            }
            path.append(word)
            command = next
        }
        return nil
    }

    /// The failure for the user.
    var failure: Failure {
        let question = suggestion.map { "Did you mean '\($0)'? " } ?? ""
        return .usage("Unknown command '\(name)'.", remedy: "\(question)See: \(group) --help")
    }
}

extension ParsableCommand {
    fileprivate static var name: String { configuration.commandName ?? "" }

    /// The full name of a command below this one, such as `cache stats` for `stats`.
    fileprivate static func path(to name: String) -> String? {
        for command in configuration.subcommands {
            if command.name == name { return name }
            if let rest = command.path(to: name) { return "\(command.name) \(rest)" }
        }
        return nil
    }
}

extension [String] {
    /// The closest name; `nil` if none is close. It is the shortest name that begins with the word, if all other such
    /// names begin with it. Otherwise it is the name with the fewest typing mistakes.
    fileprivate func nearest(to word: String) -> String? {
        let continued = filter { word.count > 1 && $0.hasPrefix(word) }
        let shortest = continued.min { $0.count < $1.count }
        if let shortest, continued.allSatisfy({ $0.hasPrefix(shortest) }) { return shortest }
        let editDistance = map { (name: $0, count: $0.editDistance(to: word)) }
        let best = editDistance.min { $0.count < $1.count }
        return best.flatMap { $0.count <= Swift.max(1, $0.name.count / 3) ? $0.name : nil }
    }
}
