// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import Synchronization

/// Answers from a sheet. Each list is used in order. If an answer is missing, the command fails.
final class AnswerFilePrompter: Prompter {
    /// The sheet, whose lists have the unused answers.
    private let answers: Mutex<AnswerFile>
    private let line: WaitLine

    init(_ answers: AnswerFile, line: WaitLine = WaitLine()) {
        self.answers = Mutex(answers)
        self.line = line
    }

    func show(_ message: TerminalText) { line.write(message) }

    func canAskAgain(_ topic: PromptSubject) -> Bool {
        answers.withLock { rest in
            switch topic {
            case .password: !rest.passwords.isEmpty
            case .newPassword: !rest.newPasswords.isEmpty
            case .code: !rest.codes.isEmpty
            case .method: !rest.methods.isEmpty
            case .contact: !rest.contacts.isEmpty
            case .attributes: false
            }
        }
    }

    func maySignOut(_ users: [String], for user: String) async throws -> Bool {
        throw Failure.usage(
            "Signing in as \(user) signs out \(users.joined(separator: ", ")), and it cannot be confirmed here.",
            remedy: Remedy.consent
        )
    }

    func password(of user: String) async throws -> PrivateText {
        guard let password = next(\.passwords) else { throw Self.missing("password") }
        return password
    }

    func newPassword(for user: String) async throws -> PrivateText {
        guard let password = next(\.newPasswords) else { throw Self.missing("new_password") }
        return password
    }

    func code(_ delivery: CodeDelivery) async throws -> CodeResponse {
        if let code = next(\.codes) { return .code(code) }
        let codeCommand = answers.withLock(\.codeCommand)
        guard !codeCommand.isEmpty else { throw Self.missing("code") }
        return .code(try await CodeCommand(codeCommand).run(delivery))
    }

    func attribute(_ question: AttributePrompt) async throws -> AnswerValue? {
        if let value = answers.withLock({ $0.attributes[question.name] }) { return value }
        if question.isRequired { throw Self.missing("attributes.\(question.name)") }
        return nil
    }

    func choice(of methods: [MethodOption], for purpose: String) async throws -> Int {
        guard let wanted = next(\.methods)?.lowercased() else {
            guard methods.count == 1 else { throw Self.missing("method") }
            return 0
        }
        let match = methods.firstIndex { method in
            [method.id, method.channel, method.hint ?? ""].contains { $0.lowercased() == wanted }
        }
        guard let match else {
            throw Failure.usage(
                "The service does not offer the method in the answers.",
                remedy: "Available methods: " + methods.map { $0.hint ?? $0.channel }.joined(separator: ", ")
            )
        }
        return match
    }

    func contact(for method: MethodOption, suggestion: String?) async throws -> String {
        if let contact = next(\.contacts) { return contact }
        guard let suggestion else { throw Self.missing("contact") }
        return suggestion
    }

    /// Removes the next answer from a list; `nil` if there is none.
    private func next<Answer: Sendable>(_ list: any WritableKeyPath<AnswerFile, [Answer]> & Sendable) -> Answer? {
        answers.withLock { $0[keyPath: list].isEmpty ? nil : $0[keyPath: list].removeFirst() }
    }

    private static func missing(_ name: String) -> Failure {
        .usage("The service requires \(name), which is not in the answers.", remedy: "Add it to --answers.")
    }
}
