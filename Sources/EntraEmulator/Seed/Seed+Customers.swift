// Licensed under the MIT License. See LICENSE.

/// The customers of the External ID tenant: one for each situation in native authentication.
extension Seed {
    /// A customer in the default directory.
    public struct Customer: Sendable {
        /// The email address that is entered at sign-in.
        public let address: String
        /// The situation that a sign-in as this customer leads to.
        public let situation: String
        /// The object ID; `uid` of `client_info`.
        public let objectID: String
        /// The sign-in settings of the customer.
        public let profile: CustomerProfile
        /// Whether the account may sign in (AADSTS50057 otherwise).
        public let isEnabled: Bool
    }

    /// All customers. Those with a password use ``password``.
    public var customers: [Customer] {
        let entries: [(String, String, CustomerProfile)] = [
            ("password", "password only", .init()),
            ("code", "code by email, no password", .init(credential: .emailCode)),
            (
                "mfa", "password, then a code by email",
                .init(strongMethods: [email(1, address: "mfa-second@fabrikam.example")], requiresSecondFactor: true)
            ),
            (
                "mfa-choice", "password, then a choice of email and SMS",
                .init(
                    strongMethods: [email(2, address: "mfa-choice-second@fabrikam.example"), sms],
                    requiresSecondFactor: true
                )
            ),
            (
                "mfa-code", "code by email, then a second one by SMS",
                .init(credential: .emailCode, strongMethods: [sms], requiresSecondFactor: true)
            ),
            (
                "mfa-blocked", "password, then a method that the service blocks",
                .init(strongMethods: [blocked], requiresSecondFactor: true)
            ),
            ("register", "password, then a strong method must be registered", .init(requiresSecondFactor: true)),
            (
                "register-code", "code by email, then a strong method must be registered",
                .init(credential: .emailCode, requiresSecondFactor: true)
            ),
            ("locked", "AADSTS50053 until the password is reset", .init(isLocked: true)),
            ("disabled", "AADSTS50057", .init()),
            ("expired", "AADSTS50055, the password has expired", .init(passwordState: .expired)),
            ("change", "AADSTS50142, the password must be changed", .init(passwordState: .mustChange)),
            ("social", "the browser is required", .init(credential: .socialAccount)),
            ("reset-fails", "a password reset that fails", .init(resetOutcome: .fails)),
            ("reset-hangs", "a password reset that never ends", .init(resetOutcome: .neverEnds)),
            (
                "method-choice", "in V2, a choice between a code and the password",
                v2 { $0.firstFactors = ["email", "password"] }
            ),
            ("unsupported", "in V2, a method that no app supports", v2 { $0.firstFactors = ["fido2"] }),
            ("web", "in V2, the browser is required", v2 { $0.fallback = .state }),
            (
                "reset-mfa", "in V2, a second factor by SMS; in a reset it comes after the new password",
                v2(.init(strongMethods: [sms], requiresSecondFactor: true)) { $0.secondFactorPosition = .inPoll }
            ),
            (
                "register-v2", "in V2, a method must be registered by SMS or email",
                v2 { $0.registration = ["sms", "email"] }
            ),
            (
                "attributes", "in V2, attributes are requested at sign-in",
                v2 {
                    $0.attributesRequested = [
                        AttributeRule(name: "displayName", pattern: ".{1,64}"),
                        AttributeRule(name: "city", pattern: "[A-Z].*"),
                    ]
                }
            ),
        ]
        return entries.enumerated().map { index, entry in
            Customer(
                address: "\(entry.0)@fabrikam.example",
                situation: entry.1,
                objectID: "bbbbbbbb-0000-4000-8000-0000000001\(index < 10 ? "0" : "")\(index)",
                profile: entry.2,
                isEnabled: entry.0 != "disabled"
            )
        }
    }

    /// An app whose sign-up requires a password and attributes.
    public var attributesClientID: String { "00000000-0000-4000-8000-000000000002" }
    /// An app whose customers sign up with a code by email and have no password.
    public var codeClientID: String { "00000000-0000-4000-8000-000000000003" }
    /// An app that requires a second factor from all users with a password; email and SMS can be registered.
    public var secondFactorClientID: String { "00000000-0000-4000-8000-000000000004" }
    /// An app with native authentication switched off.
    public var browserOnlyClientID: String { "00000000-0000-4000-8000-000000000005" }
    /// An API whose tokens require a second factor (AADSTS50076 in a refresh without one).
    public var vaultAPIIdentifier: String { "api://00000000-0000-4000-8000-0000000000a3" }
    /// The permission of the API whose tokens require a second factor.
    public var vaultScope: String { "\(vaultAPIIdentifier)/Vault.Open" }
    /// An API without consent (AADSTS65001).
    public var payrollAPIIdentifier: String { "api://00000000-0000-4000-8000-0000000000a4" }
    /// The permission of the API without consent.
    public var payrollScope: String { "\(payrollAPIIdentifier)/Payroll.Read" }
    /// All email addresses of this domain, and this phone number, are blocked as contacts (AADSTS550024).
    public var blockedContacts: (domain: String, telephone: String) { ("blocked.example", "+15550199") }

    private func v2(
        _ profile: CustomerProfile = .init(),
        choosing choose: (inout NativeAuthV2Settings) -> Void
    ) -> CustomerProfile {
        var profile = profile
        var branches = NativeAuthV2Settings()
        choose(&branches)
        profile.v2 = branches
        return profile
    }

    private var sms: StrongMethod {
        StrongMethod(id: "cccccccc-0000-4000-8000-000000000003", channel: .sms, address: "+15550142")
    }

    private var blocked: StrongMethod {
        StrongMethod(
            id: "cccccccc-0000-4000-8000-000000000004",
            channel: .email,
            address: "somebody@blocked.example",
            isBlocked: true
        )
    }

    private func email(_ number: Int, address: String) -> StrongMethod {
        StrongMethod(id: "cccccccc-0000-4000-8000-00000000000\(number)", channel: .email, address: address)
    }
}
