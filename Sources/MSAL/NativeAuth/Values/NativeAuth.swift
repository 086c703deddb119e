// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The values of native authentication: requests, states, next steps and failures.
package enum NativeAuth {
    /// The challenges that the app can show to the user (docs/reference/NativeAuthentication.md#challenge-types).
    package struct ChallengeTypes: OptionSet, Sendable, Hashable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A code sent by mail or text message.
        package static let oneTimeCode = ChallengeTypes(rawValue: 1)
        package static let password = ChallengeTypes(rawValue: 2)

        /// The `challenge_type` parameter: `redirect` is always understood.
        package var text: String {
            var names: [String] = []
            if contains(.oneTimeCode) { names.append("oob") }
            if contains(.password) { names.append("password") }
            return (names + ["redirect"]).joined(separator: " ")
        }
    }

    /// The further steps that the app can show; without them the service responds with a redirect.
    package struct Capabilities: OptionSet, Sendable, Hashable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let mfaRequired = Capabilities(rawValue: 1)
        package static let registrationRequired = Capabilities(rawValue: 2)

        /// The `capabilities` parameter; `nil` where there is none to announce.
        package var text: String? {
            var names: [String] = []
            if contains(.mfaRequired) { names.append("mfa_required") }
            if contains(.registrationRequired) { names.append("registration_required") }
            return names.isEmpty ? nil : names.joined(separator: " ")
        }
    }

    /// A second factor, or a way to register one, as the service offers it.
    package struct AuthMethod: Sendable, Hashable {
        package var id: String
        /// The value as received: `oob`, `password` or `redirect`.
        package var challengeType: String
        /// The channel as received, for example `email` or `sms`.
        package var channel: String
        /// The masked address of the method.
        package var loginHint: String?

        package init(id: String, challengeType: String, channel: String, loginHint: String?) {
            self.id = id
            self.challengeType = challengeType
            self.channel = channel
            self.loginHint = loginHint
        }
    }

    /// The destination of a code.
    package struct CodeDelivery: Sendable, Hashable {
        /// The service's label, masked; at the registration of a method the contact itself.
        package var sentTo: String
        /// The channel as received, for example `email` or `sms`.
        package var channel: String
        /// The number of characters the service announced. A code is not checked against it.
        package var codeLength: Int
    }

    /// An attribute that the service asks a new user for.
    package struct RequiredAttribute: Sendable, Hashable {
        package var name: String
        package var type: String
        package var isRequired: Bool
        /// The pattern a value must match.
        package var regex: String?
    }

    /// The user that is signed in.
    package struct UserAccount: Sendable, Hashable {
        package var account: AccountSnapshot
        package var idToken: Secret?
        /// `false` if the tokens could not be stored: the next process must ask again
        /// (docs/reference/Errors.md#completion).
        package var isPersisted = true

        package init(account: AccountSnapshot, idToken: Secret?) {
            self.account = account
            self.idToken = idToken
        }

        package init(_ result: TokenResult) {
            self.init(account: result.account, idToken: result.idToken)
            isPersisted = result.isPersisted
        }
    }
}
