// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The values of native authentication: requests, states, next steps and failures.
enum NativeAuth {
    /// The challenges that the app can show to the user (docs/reference/NativeAuthentication.md#challenge-types).
    struct ChallengeTypes: OptionSet, Sendable, Hashable {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }

        /// A code sent by mail or text message.
        static let oneTimeCode = ChallengeTypes(rawValue: 1)
        static let password = ChallengeTypes(rawValue: 2)

        /// The `challenge_type` parameter: `redirect` is always understood.
        var text: String {
            var names: [String] = []
            if contains(.oneTimeCode) { names.append("oob") }
            if contains(.password) { names.append("password") }
            return (names + ["redirect"]).joined(separator: " ")
        }
    }

    /// The further steps that the app can show; without them the service responds with a redirect.
    struct Capabilities: OptionSet, Sendable, Hashable {
        let rawValue: Int

        init(rawValue: Int) { self.rawValue = rawValue }

        static let mfaRequired = Capabilities(rawValue: 1)
        static let registrationRequired = Capabilities(rawValue: 2)

        /// The `capabilities` parameter; `nil` where there is none to announce.
        var text: String? {
            var names: [String] = []
            if contains(.mfaRequired) { names.append("mfa_required") }
            if contains(.registrationRequired) { names.append("registration_required") }
            return names.isEmpty ? nil : names.joined(separator: " ")
        }
    }

    /// A second factor, or a way to register one, as the service offers it.
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
        /// The service's label, masked; at the registration of a method the contact itself.
        var sentTo: String
        /// The channel as received, for example `email` or `sms`.
        var channel: String
        /// The number of characters the service announced. A code is not checked against it.
        var codeLength: Int
    }

    /// An attribute that the service asks a new user for.
    struct RequiredAttribute: Sendable, Hashable {
        var name: String
        var type: String
        var isRequired: Bool
        /// The pattern a value must match.
        var regex: String?
    }

    /// The user that is signed in.
    struct UserAccount: Sendable, Hashable {
        var account: AccountSnapshot
        var idToken: Secret?
        /// `false` if the tokens could not be stored: the next process must ask again
        /// (docs/reference/Errors.md#completion).
        var isPersisted = true
    }
}
