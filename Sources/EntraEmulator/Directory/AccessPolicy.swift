// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// A Conditional Access policy. It defines which users must satisfy which requirements to get which tokens.
    ///
    /// All policies that apply must be satisfied, and ``Grant/block`` overrides all other controls.
    public struct AccessPolicy: Sendable, Codable, Equatable {
        /// A requirement of a policy.
        public enum Grant: String, Sendable, Codable, CaseIterable, FileValue {
            /// A second factor (AADSTS50076); a user without a method must register one (AADSTS50079).
            case mfa
            /// A device that the organization manages (AADSTS50097).
            case compliantDevice
            /// A new password, which the user has to set (AADSTS50142).
            case passwordChange
            /// Acceptance of the terms of use (AADSTS50158).
            case termsOfUse
            /// Access is blocked unconditionally (AADSTS53003, unless ``AccessPolicy/refusal`` selects another error).
            case block
        }

        /// The error of a policy that blocks. The raw value is the AADSTS number.
        public enum Refusal: Int, Sendable, Codable, CaseIterable, FileValue {
            /// The user did not pass the challenge of a second factor.
            case strongAuthenticationFailed = 50_074
            /// The user has to register a method for password resets.
            case passwordRegistrationRequired = 50_125
            /// Some condition failed, such as suspicious activity.
            case accessConditionFailed = 50_131
            /// The device is not compliant.
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
            /// The policy is not enforced. The list of sign-ins shows what it would have decided.
            case reportOnly
            /// The policy has no effect.
            case disabled
        }

        /// Client addresses, each as an address or a network such as `10.0.0.0/8`.
        public struct Locations: Sendable, Codable, Equatable {
            /// The client addresses to which the policy applies. An empty list means all.
            public var include: [String] = []
            /// The client addresses to which the policy does not apply.
            public var exclude: [String] = []

            /// Creates locations.
            public init(include: [String] = [], exclude: [String] = []) {
                self.include = include
                self.exclude = exclude
            }

            /// Decodes locations; both lists are optional.
            public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
        }

        /// The name.
        public var name: String
        /// The ID in `claims`, a GUID.
        public var id: String
        /// The users and groups that the policy applies to, by name or ID; empty means all.
        public var users: [String] = []
        /// The users and groups that are excluded.
        public var exclude: [String] = []
        /// The APIs, by any of their names, and the applications, by client ID, that the policy applies to; empty means
        /// all.
        public var apps: [String] = []
        /// The agents that the policy applies to, by their IDs or the client IDs of their blueprints; `all` means all. Such
        /// a policy applies only to tokens of these agents. Without it, a policy applies to the tokens of users,
        /// including the user accounts of agents, but not to the tokens that an agent gets for itself.
        public var agents: [String] = []
        /// The authentication context that the policy belongs to, such as `c1`. Such a policy applies only if the
        /// context is requested.
        public var authenticationContext: String?
        /// The client addresses to which the policy applies; `nil` means all.
        public var locations: Locations?
        /// The requirements of the policy.
        public var grant: [Grant]
        /// The error of ``Grant/block``, for conditions that the emulator cannot evaluate, such as the state of a
        /// device.
        public var refusal = Refusal.blocked
        /// Whether one of the requirements in ``grant`` is enough. Otherwise, all must be satisfied.
        public var anyOf = false
        /// The maximum age of a sign-in; `nil` means any age.
        public var signInFrequency: Duration?
        /// Whether the policy is enforced, only reported, or disabled.
        public var mode = Mode.enabled

        /// Creates a policy for all users and all apps.
        public init(name: String, grant: [Grant]) {
            self.name = name
            self.grant = grant
            id = UUID.derived(from: "policy", name).text
        }

        /// Decodes a policy; the name is required. If the ID is omitted, it is derived from the name.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.AccessPolicy {
    /// ``signInFrequency`` in whole seconds, as in files.
    fileprivate var frequencySeconds: Int? {
        get { signInFrequency.map { Int($0.components.seconds) } }
        set { signInFrequency = newValue.map { .seconds($0) } }
    }
}

extension EmulatorDirectory.AccessPolicy: FileEntry {
    static let form = EntryForm(
        "policy",
        summary: "A Conditional Access policy: which users must satisfy which requirements to get which tokens.",
        blank: EmulatorDirectory.AccessPolicy(name: "", grant: [])
    ) { members in
        members.required("name", at: \.name).label("Name").summary("The name.")
        members.derived("id", at: \.id, as: .text(.guid)) { UUID.derived(from: "policy", $0.name).text }
            .summary("The ID in claims, a GUID. By default, it is derived from the name.")
        members.optional("users", at: \.users).label("Users and groups").summary(
            "The users and groups that it applies to. Defaults to all."
        )
        members.optional("exclude", at: \.exclude).label("Excluded users and groups").summary(
            "The users and groups that are excluded."
        )
        members.optional("apps", at: \.apps).label("Apps and APIs")
            .summary("The APIs and applications that it applies to, by client ID or identifier. Defaults to all.")
        members.optional("agents", at: \.agents)
            .summary("The agents that it is limited to, by ID or by the blueprint's client ID; 'all' means all.")
        members.optional("authenticationContext", at: \.authenticationContext).label("Authentication context")
            .summary("The authentication context, such as c1. The policy applies only if that is requested.")
        members.optional("locations", at: \.locations).summary("The client addresses to which it applies.")
        members.optional("grant", at: \.grant).label("Requirements").summary(
            "The requirements; block denies all access."
        )
        members.optional("refusal", at: \.refusal).label("AADSTS number of block")
            .summary("The AADSTS number of the error of block, for conditions that the emulator cannot evaluate.")
        members.optional("anyOf", at: \.anyOf).label("One requirement is enough").summary(
            "Whether one of the requirements is enough."
        )
        members.optional("signInFrequency", at: \.frequencySeconds, as: .number(1...31_536_000)).label(
            "Sign-in frequency in seconds"
        )
        .summary("The maximum age of a sign-in, in seconds. Defaults to any age.")
        members.optional("mode", at: \.mode).label("Mode").summary(
            "Whether the policy is enforced, only reported, or disabled."
        )
    }
}

extension EmulatorDirectory.AccessPolicy.Locations: FileEntry {
    static let form = EntryForm(
        "locations",
        summary: "Client addresses.",
        blank: EmulatorDirectory.AccessPolicy.Locations()
    ) { members in
        members.optional("include", at: \.include)
            .summary("Addresses and networks such as 10.0.0.0/8. Defaults to all.")
        members.optional("exclude", at: \.exclude).summary("Addresses and networks where the policy does not apply.")
    }
}
