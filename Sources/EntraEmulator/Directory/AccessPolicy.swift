// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// A policy of conditional access. It says who has to prove something to get which tokens.
    ///
    /// All policies that apply must hold, and ``Grant/block`` wins over all others.
    public struct AccessPolicy: Sendable, Codable, Equatable {
        /// Something that a policy asks for.
        public enum Grant: String, Sendable, Codable, CaseIterable, FileValue {
            /// A second factor (AADSTS50076); a user without a method registers one (AADSTS50079).
            case mfa
            /// A device that the organization manages (AADSTS50097).
            case compliantDevice
            /// The user has to set a new password (AADSTS50142).
            case passwordChange
            /// The consent to the terms of use (AADSTS50158).
            case termsOfUse
            /// Access is blocked, and no proof helps (AADSTS53003, unless ``AccessPolicy/refusal`` says otherwise).
            case block
        }

        /// The words in which a policy refuses that blocks. The raw value is the AADSTS number.
        public enum Refusal: Int, Sendable, Codable, CaseIterable, FileValue {
            /// The user did not pass the challenge of a second factor.
            case strongAuthenticationFailed = 50_074
            /// The user has to register a way to reset the password.
            case passwordRegistrationRequired = 50_125
            /// Some condition failed, such as a suspicious activity.
            case accessConditionFailed = 50_131
            /// The device does not comply.
            case deviceNotCompliant = 53_000
            /// The device is not joined to the domain.
            case deviceNotJoined = 53_001
            /// The policy blocks.
            case blocked = 53_003
            /// The device is not managed.
            case deviceNotManaged = 530_003
        }

        /// Whether a policy is enforced.
        public enum Mode: String, Sendable, Codable, CaseIterable, FileValue {
            /// The policy is enforced.
            case enabled
            /// The policy decides nothing. The list of sign-ins shows what it would have decided.
            case reportOnly
            /// The policy has no effect.
            case disabled
        }

        /// Addresses of clients, each as an address or a network such as `10.0.0.0/8`.
        public struct Locations: Sendable, Codable, Equatable {
            /// The addresses of clients to which the policy applies. An empty list means all.
            public var include: [String] = []
            /// The addresses of clients to which the policy does not apply.
            public var exclude: [String] = []

            /// Describes locations.
            public init(include: [String] = [], exclude: [String] = []) {
                self.include = include
                self.exclude = exclude
            }

            /// Reads locations; both lists may be left out.
            public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
        }

        /// The name.
        public var name: String
        /// The id in `claims`, a GUID.
        public var id: String
        /// The users and groups that it is for, by name or id; empty means everybody.
        public var users: [String] = []
        /// The users and groups that it is not for.
        public var exclude: [String] = []
        /// The APIs, by any of their names, and the applications, by client id, that it is for; empty means all.
        public var apps: [String] = []
        /// The authentication context that it gives, such as `c1`. Such a policy applies only where that is asked for.
        public var authenticationContext: String?
        /// The addresses of clients to which the policy applies; `nil` means all.
        public var locations: Locations?
        /// The proofs that the policy demands of a sign-in.
        public var grant: [Grant]
        /// The error of ``Grant/block``, for conditions that the emulator cannot see, such as the state of a device.
        public var refusal = Refusal.blocked
        /// Whether one of the proofs in ``grant`` is enough. Otherwise all are needed.
        public var anyOf = false
        /// The greatest age of a sign-in that the policy accepts; `nil` means any age.
        public var signInFrequency: Duration?
        /// Whether the policy is enforced, only reports, or does nothing.
        public var mode = Mode.enabled

        /// Describes a policy for everybody and everything.
        public init(name: String, grant: [Grant]) {
            self.name = name
            self.grant = grant
            id = UUID.derived(from: "policy", name).text
        }

        /// Reads a policy; the name is required. An id that is left out is derived from it.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.AccessPolicy {
    /// ``signInFrequency`` in whole seconds, as files have it.
    fileprivate var frequencySeconds: Int? {
        get { signInFrequency.map { Int($0.components.seconds) } }
        set { signInFrequency = newValue.map { .seconds($0) } }
    }
}

extension EmulatorDirectory.AccessPolicy: FileEntry {
    static let form = EntryForm(
        "policy",
        summary: "A policy of conditional access: what has to be proved, by whom, to get which tokens.",
        blank: EmulatorDirectory.AccessPolicy(name: "", grant: [])
    ) { members in
        members.required("name", at: \.name).summary("The name.")
        members.derived("id", at: \.id, as: .text(.guid)) { UUID.derived(from: "policy", $0.name).text }
            .summary("The id in claims, a GUID. Without it, one is derived from the name.")
        members.optional("users", at: \.users).summary("The users and groups that it is for. Without them, everybody.")
        members.optional("exclude", at: \.exclude).summary("The users and groups that it is not for.")
        members.optional("apps", at: \.apps)
            .summary("The APIs and applications that it is for, by client id or identifier. Without them, all.")
        members.optional("authenticationContext", at: \.authenticationContext)
            .summary("The authentication context that it gives, such as c1. It applies only where that is asked for.")
        members.optional("locations", at: \.locations).summary("The addresses of clients where it applies.")
        members.optional("grant", at: \.grant).summary("What has to be proved; block refuses everything.")
        members.optional("refusal", at: \.refusal)
            .summary("The AADSTS number with which block refuses, for conditions that the emulator cannot see.")
        members.optional("anyOf", at: \.anyOf).summary("Whether one of grant is enough.")
        members.optional("signInFrequency", at: \.frequencySeconds, as: .number(1...31_536_000))
            .summary("How old a sign-in may be, in seconds. Without it, of any age.")
        members.optional("mode", at: \.mode).summary("Whether it holds, only reports, or does nothing.")
    }
}

extension EmulatorDirectory.AccessPolicy.Locations: FileEntry {
    static let form = EntryForm(
        "locations",
        summary: "Addresses of clients.",
        blank: EmulatorDirectory.AccessPolicy.Locations()
    ) { members in
        members.optional("include", at: \.include)
            .summary("Addresses and networks such as 10.0.0.0/8. Without them, everywhere.")
        members.optional("exclude", at: \.exclude).summary("Addresses and networks where the policy does not apply.")
    }
}
