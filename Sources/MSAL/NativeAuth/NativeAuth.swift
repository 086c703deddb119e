// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The values of native authentication: requests, states, next steps, and failures.
enum NativeAuth {
    /// The challenges that the app can show to the user (docs/reference/NativeAuthentication.md#challenge-types).
    struct ChallengeTypes: OptionSet, Sendable, Hashable {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }

        /// A code sent by email or text message.
        static let oneTimeCode = ChallengeTypes(rawValue: 1)
        static let password = ChallengeTypes(rawValue: 2)

        /// The `challenge_type` parameter: `redirect` is always included.
        var text: String {
            var names: [String] = []
            if contains(.oneTimeCode) { names.append("oob") }
            if contains(.password) { names.append("password") }
            return (names + ["redirect"]).joined(separator: " ")
        }
    }

    /// The additional steps that the app supports; without them, the service responds with a redirect.
    struct Capabilities: OptionSet, Sendable, Hashable {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }

        static let mfaRequired = Capabilities(rawValue: 1)
        static let registrationRequired = Capabilities(rawValue: 2)

        /// The `capabilities` parameter; `nil` if there are none.
        var text: String? {
            var names: [String] = []
            if contains(.mfaRequired) { names.append("mfa_required") }
            if contains(.registrationRequired) { names.append("registration_required") }
            return names.isEmpty ? nil : names.joined(separator: " ")
        }
    }

    /// A second factor, or a method to register one, as the service offers it.
    struct AuthMethod: Sendable, Hashable {
        var id: String
        /// The value as received: `oob`, `password` or `redirect`.
        var challengeType: String
        /// The channel as received, for example `email` or `sms`.
        var channel: String
        /// The masked address of the method.
        var loginHint: String?
    }

    /// The destination of a code.
    struct CodeDelivery: Sendable, Hashable {
        /// The service's masked label; when registering a method, the contact itself.
        var sentTo: String
        /// The channel as received, for example `email` or `sms`.
        var channel: String
        /// The number of characters that the service announced. A code is not checked against it.
        var codeLength: Int
    }

    /// An attribute that the service requires of a new user.
    struct RequiredAttribute: Sendable, Hashable {
        var name: String
        var type: String
        var isRequired: Bool
        /// The pattern that a value must match.
        var regex: String?
    }

    /// The signed-in user.
    struct UserAccount: Sendable, Hashable {
        var account: AccountSnapshot
        var idToken: Secret?
        /// `false` if the tokens could not be stored, so that the next process must ask the user again
        /// (docs/reference/Errors.md#completion).
        var isPersisted = true
    }
}
