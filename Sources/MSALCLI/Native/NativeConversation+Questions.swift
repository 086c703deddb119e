// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

// The questions that occur in several flows.
extension NativeConversation {
    /// Asks a question. Asks again as long as the service refuses the answer and accepts another attempt.
    func asking<Answer, Step>(
        _ topic: PromptSubject,
        ask: () async throws -> Answer,
        submit: (Answer) async throws -> Step
    ) async throws -> Step {
        while true {
            let answer = try await ask()
            do {
                return try await submit(answer)
            } catch let error as MSALNativeAuthStepError {
                // If the task is canceled, the next question would be canceled too.
                guard error.canRetry, error.reason != .canceled, prompter.canAskAgain(topic) else { throw error }
                // Another answer to this question does not help: the attributes were refused, or the password is right
                // and has to be changed.
                guard error.reason != .invalidAttributes, !error.requiresNewPassword else { throw error }
                prompter.show("\(error.advice)")
            }
        }
    }

    /// Asks for a code that was sent. The user may also ask for another code.
    func enteringCode<Step>(
        _ delivery: MSALNativeAuthCodeDelivery,
        submit: (String) async throws -> Step,
        resend: () async throws -> Step
    ) async throws -> Step {
        let question = CodeDelivery(
            sentTo: delivery.sentTo,
            channel: delivery.channelTargetType.value,
            length: delivery.codeLength
        )
        prompter.show(
            "A code was sent to \(question.sentTo)\(question.channel.lowercased() == "sms" ? " by SMS" : "")."
        )
        return try await asking(.code) {
            try await prompter.code(question)
        } submit: { answer in
            switch answer {
            case .code(let code): try await submit(code.exposed)
            case .sendAnother: try await resend()
            }
        }
    }

    /// Lets the user choose how the code of a second factor is sent.
    func secondFactor<Step>(
        _ methods: [MSALAuthMethod],
        submit: (MSALAuthMethod) async throws -> Step
    ) async throws -> Step {
        let purpose = "A second factor is required. Send a code by:"
        // With a single method there is nothing to choose, and a new choice would repeat the same request forever.
        guard methods.count > 1 else { return try await submit(try await choice(of: methods, for: purpose)) }
        return try await asking(.method, ask: { try await choice(of: methods, for: purpose) }, submit: submit)
    }

    /// Lets the user choose a method to register, and enter its address.
    func registering<Step>(
        _ methods: [MSALAuthMethod],
        submit: (MSALAuthMethod, String) async throws -> Step
    ) async throws -> Step {
        try await asking(.contact) {
            let purpose = "This account needs a second verification method. Register:"
            let method = try await choice(of: methods, for: purpose)
            // The service has already verified the user's own address, so it asks for no code.
            let own = method.channelTargetType.isEmailType ? user : nil
            return (method, try await prompter.contact(for: MethodOption(method), suggestion: own))
        } submit: { answer in
            try await submit(answer.0, answer.1)
        }
    }

    func choice(of methods: [MSALAuthMethod], for purpose: String) async throws -> MSALAuthMethod {
        guard !methods.isEmpty else {
            throw Failure(
                status: .failed,
                code: MSALError.internal.rawValue,
                message: "The service requires another method but offers none.",
                remedy: "Run: msal login"
            )
        }
        return methods[try await prompter.choice(of: methods.map(MethodOption.init), for: purpose)]
    }
}

extension MethodOption {
    init(_ method: MSALAuthMethod) {
        self.init(
            id: method.id,
            channel: method.channelTargetType.value,
            hint: method.loginHint.flatMap { $0.isEmpty ? nil : $0 }
        )
    }
}
