// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A validated `EmulatorDirectory.AccessPolicy`, with names as sets and parsed addresses.
struct AccessRule: Sendable {
    /// The policy, with its ID in lower case. Its users, apps, and locations are validated in the members below.
    let policy: EmulatorDirectory.AccessPolicy
    fileprivate let people: People
    fileprivate let apps: Apps
    fileprivate let places: Places

    /// The names and IDs of users and groups, in lower case.
    fileprivate struct People {
        let included: Set<String>
        let excluded: Set<String>

        func contains(_ names: Set<String>) -> Bool {
            (included.isEmpty || !included.isDisjoint(with: names)) && excluded.isDisjoint(with: names)
        }
    }

    /// The APIs by audience, and the applications by client ID in lower case.
    fileprivate struct Apps {
        var audiences: Set<String> = []
        var clients: Set<String> = []

        func contains(audience: String, client: String) -> Bool {
            audiences.isEmpty && clients.isEmpty || audiences.contains(audience) || clients.contains(client)
        }
    }

    /// The client networks.
    fileprivate struct Places {
        let included: [NetworkRange]
        let excluded: [NetworkRange]

        func contains(_ address: String?) -> Bool {
            func isIn(_ ranges: [NetworkRange]) -> Bool {
                address.map { text in ranges.contains { $0.contains(text) } } ?? false
            }
            return (included.isEmpty || isIn(included)) && !isIn(excluded)
        }
    }

    /// Whether the policy applies to a request, regardless of its mode and its authentication context.
    ///
    /// `names`: The user's names and IDs, and those of the groups, in lower case.
    /// `address`: The client's address; `nil` matches no network.
    func isAbout(names: Set<String>, audience: String, client: String, address: String?) -> Bool {
        people.contains(names) && apps.contains(audience: audience, client: client) && places.contains(address)
    }
}

extension EmulatorDirectory {
    /// The policies, validated.
    func checkedPolicies(_ apis: [API], groups: [Group]) throws(InvalidEntry) -> [AccessRule] {
        var names: Set<String> = []
        var ids: Set<String> = []
        return try policies.enumerated().map { index, policy throws(InvalidEntry) in
            let entry = CheckedEntry("policies", at: index, named: policy.name)
            try entry.requireText(policy.name, called: "name")
            try entry.claim(policy.name, in: &names, remedy: "give each policy a different name")
            try entry.requireGUID(policy.id)
            try entry.claim(policy.id, in: &ids, remedy: "give each policy a unique ID")
            try check(policy, as: entry)
            var checked = policy
            checked.id = policy.id.lowercased()
            return AccessRule(
                policy: checked,
                people: .init(
                    included: try people(policy.users, groups: groups, of: entry),
                    excluded: try people(policy.exclude, groups: groups, of: entry)
                ),
                apps: try apps(of: policy, apis: apis, as: entry),
                places: .init(
                    included: try Self.networks(policy.locations?.include ?? [], of: entry),
                    excluded: try Self.networks(policy.locations?.exclude ?? [], of: entry)
                )
            )
        }
    }

    private func check(_ policy: AccessPolicy, as entry: CheckedEntry) throws(InvalidEntry) {
        try entry.require(
            !policy.grant.isEmpty || policy.signInFrequency != nil,
            orFailWith: .missing("grant"),
            remedy: "add one of \(AccessPolicy.Grant.names), or a signInFrequency"
        )
        try entry.require(
            !policy.grant.contains(.block) || policy.grant.count == 1,
            orFailWith: .contradictory("has block and another grant, although block denies all access"),
            remedy: "make block the only grant"
        )
        try entry.require(
            policy.refusal == .blocked || policy.grant == [.block],
            orFailWith: .contradictory("has a refusal but does not block"),
            remedy: "add  grant: [block]"
        )
        guard let context = policy.authenticationContext else { return }
        try entry.require(
            context.wholeMatch(of: #/c[1-9][0-9]?/#) != nil,
            orFailWith: .malformed(context),
            remedy: "choose an authentication context from c1 to c99"
        )
    }

    private func apps(
        of policy: AccessPolicy,
        apis: [API],
        as entry: CheckedEntry
    ) throws(InvalidEntry) -> AccessRule.Apps {
        var named = AccessRule.Apps()
        for name in policy.apps {
            let api = apis.first { $0.isNamed(name) }
            let isClient = applications.contains { $0.clientID.lowercased() == name.lowercased() }
            if let api { named.audiences.insert(api.audience) }
            if isClient { named.clients.insert(name.lowercased()) }
            try entry.require(
                api != nil || isClient,
                orFailWith: .unknown(name),
                remedy: "name an API by its client ID or an identifier, or an application by its client ID"
            )
        }
        return named
    }

    /// Names of users and groups, in lower case. Users come and go, so only groups have to exist.
    private func people(
        _ names: [String],
        groups: [Group],
        of entry: CheckedEntry
    ) throws(InvalidEntry) -> Set<String> {
        for name in names where !name.contains("@") {
            let isKnown =
                groups.contains { [$0.id, $0.displayName.lowercased()].contains(name.lowercased()) }
                || UUID(uuidString: name) != nil
            try entry.require(
                isKnown,
                orFailWith: .unknown(name),
                remedy: groups.isEmpty
                    ? "name a user" : "name a user, or a group: " + groups.map(\.displayName).joined(separator: ", ")
            )
        }
        return Set(names.map { $0.lowercased() })
    }

    private static func networks(_ texts: [String], of entry: CheckedEntry) throws(InvalidEntry) -> [NetworkRange] {
        try texts.map { text throws(InvalidEntry) in
            guard let range = NetworkRange(text) else {
                throw entry.fail(.malformed(text), remedy: "use an address, or a network such as 10.0.0.0/8")
            }
            return range
        }
    }
}
