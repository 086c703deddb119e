// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A checked `EmulatorDirectory.AccessPolicy`: names are compared as sets, addresses are parsed.
struct AccessRule: Sendable {
    let name: String
    let id: String
    let grants: [EmulatorDirectory.AccessPolicy.Grant]
    let refusal: EmulatorDirectory.AccessPolicy.Refusal
    let anyOf: Bool
    let signInFrequency: Duration?
    let authenticationContext: String?
    let mode: EmulatorDirectory.AccessPolicy.Mode
    fileprivate let users: Set<String>
    fileprivate let excluded: Set<String>
    fileprivate let audiences: Set<String>
    fileprivate let clients: Set<String>
    fileprivate let included: [NetworkRange]
    fileprivate let excludedPlaces: [NetworkRange]

    /// Whether the policy is about a request. Its mode and its authentication context are not looked at.
    ///
    /// `names`: The user's names and ids, and those of the groups, in lower case.
    /// `address`: The client's address; `nil` is in no network.
    func isAbout(names: Set<String>, audience: String, client: String, address: String?) -> Bool {
        guard users.isEmpty || !users.isDisjoint(with: names), excluded.isDisjoint(with: names) else { return false }
        guard audiences.isEmpty && clients.isEmpty || audiences.contains(audience) || clients.contains(client) else {
            return false
        }
        func isIn(_ ranges: [NetworkRange]) -> Bool {
            address.map { text in ranges.contains { $0.contains(text) } } ?? false
        }
        return (included.isEmpty || isIn(included)) && !isIn(excludedPlaces)
    }
}

extension EmulatorDirectory {
    /// The policies, checked.
    func checkedPolicies(_ apis: [API], groups: [Group]) throws(InvalidEntry) -> [AccessRule] {
        var names: Set<String> = []
        var ids: Set<String> = []
        return try policies.enumerated().map { index, policy throws(InvalidEntry) in
            let entry = CheckedEntry("policies", at: index, named: policy.name)
            try entry.requireText(policy.name, called: "name")
            try entry.claim(policy.name, in: &names, remedy: "give every policy another name")
            try entry.requireGUID(policy.id)
            try entry.claim(policy.id, in: &ids, remedy: "give every policy an id of its own")
            try check(policy, as: entry)
            let apps = try apps(of: policy, apis: apis, as: entry)
            return AccessRule(
                name: policy.name,
                id: policy.id.lowercased(),
                grants: policy.grant,
                refusal: policy.refusal,
                anyOf: policy.anyOf,
                signInFrequency: policy.signInFrequency,
                authenticationContext: policy.authenticationContext,
                mode: policy.mode,
                users: try people(policy.users, groups: groups, of: entry),
                excluded: try people(policy.exclude, groups: groups, of: entry),
                audiences: apps.audiences,
                clients: apps.clients,
                included: try Self.networks(policy.locations?.include ?? [], of: entry),
                excludedPlaces: try Self.networks(policy.locations?.exclude ?? [], of: entry)
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
            orFailWith: .contradictory("asks for something beside block, which refuses everybody"),
            remedy: "leave block alone in grant"
        )
        try entry.require(
            policy.refusal == .blocked || policy.grant == [.block],
            orFailWith: .contradictory("has a refusal, but does not block"),
            remedy: "write grant: [block] beside refusal"
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
    ) throws(InvalidEntry) -> (audiences: Set<String>, clients: Set<String>) {
        var audiences: Set<String> = []
        var clients: Set<String> = []
        for name in policy.apps {
            let api = apis.first { $0.isNamed(name) }
            let isClient = applications.contains { $0.clientID.lowercased() == name.lowercased() }
            if let api { audiences.insert(api.audience) }
            if isClient { clients.insert(name.lowercased()) }
            try entry.require(
                api != nil || isClient,
                orFailWith: .unknown(name),
                remedy: "name an API by its client id or an identifier, or an application by its client id"
            )
        }
        return (audiences, clients)
    }

    /// Names of users and groups, in lower case. Users come and go, so only the others have to be there.
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
                throw entry.fail(.malformed(text), remedy: "write an address, or a network such as 10.0.0.0/8")
            }
            return range
        }
    }
}
