// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// Asks the user for input, at a terminal or from a prepared sheet.
protocol Prompter: Sendable {
    /// Shows the user what happened: where a code was sent, or what was rejected and why.
    func show(_ message: TerminalText)

    /// Whether the same question may be put again after the service refused the answer.
    func canAskAgain(_ topic: PromptSubject) -> Bool

    /// Whether these accounts may be signed out, so that `user` can sign in.
    func maySignOut(_ users: [String], for user: String) async throws -> Bool

    /// The password of an account.
    func password(of user: String) async throws -> PrivateText

    /// A new password for the account.
    func newPassword(for user: String) async throws -> PrivateText

    /// A code that was sent.
    func code(_ delivery: CodeDelivery) async throws -> CodeResponse

    /// The value of an attribute; `nil` leaves an optional one out.
    func attribute(_ question: AttributePrompt) async throws -> AnswerValue?

    /// The index of the method that the user chose.
    func choice(of methods: [MethodOption], for purpose: String) async throws -> Int

    /// The address or number that a new method is to be registered with; `suggestion` is taken if there is no other.
    func contact(for method: MethodOption, suggestion: String?) async throws -> String
}

/// The subject of a question.
enum PromptSubject: Sendable, Hashable {
    case password, newPassword, code, attributes, method, contact
}

/// The address to which a code was sent, and the form of the code.
struct CodeDelivery: Sendable, Equatable {
    /// The masked address or number.
    var sentTo: String
    /// `email`, `sms` or another channel of the service.
    var channel: String
    /// How many characters the code has; 0 if the service does not say.
    var length: Int
}

/// The user's reply when a code is asked for.
enum CodeResponse: Sendable, Equatable {
    case code(PrivateText)
    case sendAnother
}

/// An attribute that the service asks for.
struct AttributePrompt: Sendable, Equatable {
    var name: String
    /// `string`, `boolean` and so on.
    var type: String
    var isRequired: Bool
}

extension AttributePrompt {
    /// The kind of value to enter, for people.
    var kind: String {
        switch type.lowercased() {
        case "boolean", "bool": "yes or no"
        case "integer", "int": "a whole number"
        default: "text"
        }
    }

    /// A typed answer as a JSON value: a boolean or a number is not a text.
    func value(_ text: String) -> AnswerValue? {
        switch type.lowercased() {
        case "boolean", "bool":
            switch text.lowercased() {
            case "yes", "y", "true": return .bool(true)
            case "no", "n", "false": return .bool(false)
            default: return nil
            }
        case "integer", "int":
            return Int64(text).map(AnswerValue.integer)
        default:
            return .string(text)
        }
    }
}

/// A way to prove or register something.
struct MethodOption: Sendable, Equatable {
    var id: String
    var channel: String
    /// The masked address or number, where the service tells it.
    var hint: String?

    var label: String {
        let channel =
            channel.lowercased() == "sms" ? "text message" : channel.lowercased() == "email" ? "e-mail" : channel
        return hint.map { "\(channel) to \($0)" } ?? channel
    }
}
