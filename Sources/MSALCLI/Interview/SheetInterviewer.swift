// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import Synchronization

/// Answers from a sheet. Each list of the sheet is used in its order. If an answer is missing, the command fails.
final class SheetInterviewer: Interviewer {
    private let sheet: Mutex<Rest>
    private let codeCommand: [String]
    private let attributes: [String: AnswerValue]
    private let line: WaitLine

    /// The answers that were not given yet.
    private struct Rest {
        var passwords: ArraySlice<PrivateText>
        var newPasswords: ArraySlice<PrivateText>
        var codes: ArraySlice<PrivateText>
        var methods: ArraySlice<String>
        var contacts: ArraySlice<String>
    }

    init(_ sheet: AnswerSheet, line: WaitLine = WaitLine()) {
        self.sheet = Mutex(
            Rest(
                passwords: sheet.passwords[...],
                newPasswords: sheet.newPasswords[...],
                codes: sheet.codes[...],
                methods: sheet.methods[...],
                contacts: sheet.contacts[...]
            )
        )
        codeCommand = sheet.codeCommand
        attributes = sheet.attributes
        self.line = line
    }

    func tell(_ message: TerminalText) {
        line.write(message)
    }

    func canAskAgain(_ topic: Topic) -> Bool {
        sheet.withLock { rest in
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
            "Signing in as \(user) signs out \(users.joined(separator: ", ")), and nobody is there to ask.",
            remedy: Remedy.consent
        )
    }

    func password(of user: String) async throws -> PrivateText {
        try next(\.passwords, name: "password")
    }

    func newPassword(for user: String) async throws -> PrivateText {
        try next(\.newPasswords, name: "new_password")
    }

    func code(_ delivery: CodeDelivery) async throws -> CodeAnswer {
        if let code = sheet.withLock({ $0.codes.popFirst() }) { return .code(code) }
        guard !codeCommand.isEmpty else { throw Self.missing("code") }
        return .code(try await CodeCommand(codeCommand).run(delivery))
    }

    func attribute(_ question: AttributeQuestion) async throws -> AnswerValue? {
        if let value = attributes[question.name] { return value }
        if question.isRequired { throw Self.missing("attributes.\(question.name)") }
        return nil
    }

    func choice(of methods: [MethodOption], for purpose: String) async throws -> Int {
        guard let wanted = sheet.withLock({ $0.methods.popFirst() })?.lowercased() else {
            guard methods.count == 1 else { throw Self.missing("method") }
            return 0
        }
        let match = methods.firstIndex { method in
            [method.id, method.channel, method.hint ?? ""].contains { $0.lowercased() == wanted }
        }
        guard let match else {
            throw Failure.usage(
                "The service does not offer the method of the answers.",
                remedy: "Offered: " + methods.map { $0.hint ?? $0.channel }.joined(separator: ", ")
            )
        }
        return match
    }

    func contact(for method: MethodOption, suggestion: String?) async throws -> String {
        if let contact = sheet.withLock({ $0.contacts.popFirst() }) { return contact }
        guard let suggestion else { throw Self.missing("contact") }
        return suggestion
    }

    private func next(
        _ list: any WritableKeyPath<Rest, ArraySlice<PrivateText>> & Sendable,
        name: String
    ) throws -> PrivateText {
        guard let answer = sheet.withLock({ $0[keyPath: list].popFirst() }) else { throw Self.missing(name) }
        return answer
    }

    private static func missing(_ name: String) -> Failure {
        .usage("The service asks for something that the answers lack: \(name).", remedy: "Add it to --answers.")
    }
}
