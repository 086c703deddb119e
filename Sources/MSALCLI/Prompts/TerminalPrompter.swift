// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// Asks the user at the terminal. Questions go to standard error, because standard output is for the result.
struct TerminalPrompter: Prompter {
    var input = TerminalInput()
    var terminal = Terminal.errors
    /// The line that shows, between the questions, what the command waits for.
    var line = WaitLine()

    func show(_ message: TerminalText) { line.write(message) }

    func canAskAgain(_ topic: PromptSubject) -> Bool { true }

    func maySignOut(_ users: [String], for user: String) async throws -> Bool {
        let verb = users.count == 1 ? "is" : "are"
        show(
            "\(users.joined(separator: ", ")) \(verb) signed in here, and only one customer can be signed in at a time."
        )
        let answer = try await visible("Sign out and continue as \(user)? [y/N] ")
        return ["y", "yes"].contains(answer.lowercased())
    }

    func password(of user: String) async throws -> PrivateText {
        try await hidden("Password of \(user): ")
    }

    func newPassword(for user: String) async throws -> PrivateText {
        while true {
            let first = try await hidden("New password of \(user): ")
            if try await hidden("Repeat the password: ") == first { return first }
            show("The passwords do not match.")
        }
    }

    func code(_ delivery: CodeDelivery) async throws -> CodeResponse {
        let length = delivery.length > 0 ? "\(delivery.length) characters" : "as it was sent"
        let answer = try await visible("Code (\(length); Enter or r for a new code): ")
        return answer.isEmpty || answer.lowercased() == "r" ? .sendAnother : .code(PrivateText(answer))
    }

    func attribute(_ question: AttributePrompt) async throws -> AnswerValue? {
        let kind = question.kind
        let need = question.isRequired ? "required" : "optional"
        while true {
            let answer = try await visible("\(question.name) (\(kind), \(need)): ")
            if answer.isEmpty {
                guard question.isRequired else { return nil }
                show("\(question.name) is required.")
            } else if let value = question.value(answer) {
                return value
            } else {
                show("Enter \(kind).")
            }
        }
    }

    func choice(of methods: [MethodOption], for purpose: String) async throws -> Int {
        guard methods.count > 1 else { return 0 }
        let list: [TerminalText] = methods.enumerated().map { "  \($0 + 1)  \($1.label)" }
        show((["\(purpose)"] + list).joined(separator: "\n"))
        while true {
            let answer = try await visible("1 to \(methods.count): ")
            if let number = Int(answer), methods.indices.contains(number - 1) { return number - 1 }
            show("Enter one of the numbers.")
        }
    }

    func contact(for method: MethodOption, suggestion: String?) async throws -> String {
        let name = method.channel.lowercased() == "sms" ? "Telephone number" : "E-mail address"
        let standard = suggestion.map { " [\($0)]" } ?? ""
        while true {
            let answer = try await visible("\(name) to register\(standard): ")
            if !answer.isEmpty { return answer }
            if let suggestion { return suggestion }
            show("A value is required.")
        }
    }

    private func hidden(_ prompt: TerminalText) async throws -> PrivateText {
        PrivateText(try await line(prompt, isHidden: true))
    }

    private func visible(_ prompt: TerminalText) async throws -> String {
        try await line(prompt, isHidden: false).trimmingCharacters(in: .whitespaces)
    }

    private func line(_ prompt: TerminalText, isHidden: Bool) async throws -> String {
        line.wait(for: nil)
        do {
            let terminal = terminal
            let answer = try await input.line(isHidden: isHidden) { terminal.ask(prompt) }
            guard let answer else { throw CancellationError() }
            line.wait(for: .network)
            return answer
        } catch {
            terminal.write("")  // The prompt's line is not ended by a key.
            throw error
        }
    }
}
