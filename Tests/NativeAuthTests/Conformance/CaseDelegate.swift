// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALBase

/// A delegate of every type, which passes its single call to the waiting test.
@MainActor
final class CaseDelegate {
    /// The optional members that this delegate pretends not to implement.
    private let missing: Set<String>
    private var waiting: CheckedContinuation<Void, Never>?
    private var reported: CaseOutcome?
    private(set) var calls = 0

    init(missing: Set<String>) {
        self.missing = missing
    }

    /// Starts an operation and waits until it reports.
    func outcome(of operation: () -> Void) async -> CaseOutcome {
        reported = nil
        await withCheckedContinuation { continuation in
            waiting = continuation
            operation()
        }
        return reported ?? CaseOutcome(callback: "none")
    }

    func note(_ outcome: CaseOutcome) {
        guard !missing.contains(outcome.callback) else { return OptionalMember.markMissing() }
        calls += 1
        reported = outcome
        waiting?.resume()
        waiting = nil
    }

    func note(_ callback: String, error: MSALNativeAuthError) {
        note(CaseOutcome(callback: callback, error: error))
    }

    func note(_ callback: String, error: MSALNativeAuthError, state: NSObject?) {
        note(CaseOutcome(callback: callback, error: error, state: .some(state)))
    }

    func note(_ callback: String, state: NSObject, values: [String: JSONValue] = [:]) {
        note(CaseOutcome(callback: callback, state: .some(state), values: values))
    }

    func noteCode(
        _ callback: String,
        state: NSObject,
        sentTo: String,
        channel: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        note(
            callback,
            state: state,
            values: [
                "sentTo": .string(sentTo), "channel": .string(channel.value), "codeLength": .integer(Int64(codeLength)),
            ]
        )
    }

    func noteMethods(_ callback: String, state: NSObject, methods: [MSALAuthMethod]) {
        var outcome = CaseOutcome(callback: callback, state: .some(state))
        outcome.authMethods = methods
        outcome.values["authMethods"] = .array(
            methods.map { method in
                .object([
                    "id": .string(method.id), "challengeType": .string(method.challengeType),
                    "channel": .string(method.channelTargetType.value),
                    "loginHint": method.loginHint.map(JSONValue.string) ?? .null,
                ])
            }
        )
        note(outcome)
    }

    func noteAttributes(_ state: NSObject, attributes: [MSALNativeAuthRequiredAttribute]) {
        note(
            "onSignUpAttributesRequired",
            state: state,
            values: [
                "attributes": .array(
                    attributes.map { attribute in
                        .object([
                            "name": .string(attribute.name), "type": .string(attribute.type),
                            "required": .bool(attribute.required),
                            "regex": attribute.regex.map(JSONValue.string) ?? .null,
                        ])
                    }
                )
            ]
        )
    }
}

extension CaseOutcome {
    /// The outcome of a sign-in, or of a query for the account.
    init(_ callback: String, account: MSALNativeAuthUserAccountResult?) {
        self.init(callback: callback)
        self.account = account
        guard let account else {
            values["result"] = .null
            return
        }
        values["username"] = account.account.username.map(JSONValue.string) ?? .null
        values["homeAccountId"] = account.account.identifier.map(JSONValue.string) ?? .null
        values["idToken"] = account.idToken.map(JSONValue.string) ?? .null
    }
}
