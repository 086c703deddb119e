// Licensed under the MIT License. See LICENSE.

import Foundation

/// Decides which requirements a token request has to satisfy. Pages, refreshes, exchanges, device codes, brokers, and
/// native authentication all use this type, which is the only one that knows the rules.
struct AccessPolicies: Sendable {
    let directory: ServedDirectory
    let log: SignInLog

    /// Decides, and adds the decision to the list of sign-ins.
    func decide(_ request: AccessRequest, proof: AccessProof) -> AccessDecision {
        let names = names(of: request)
        var outcomes: [SignInDecision.Outcome] = []
        var needs: [AccessRequirement.Kind: [String]] = [:]
        var contexts: [String] = []
        var refusal = EmulatorDirectory.AccessPolicy.Refusal.blocked
        if !proof.hasSecondFactor {
            let demands = builtInDemands(of: request)
            if !demands.isEmpty { needs[secondFactor(of: request.user)] = demands }
        }
        for kind in statesOf(request) { needs[kind, default: []] += [] }
        for rule in directory.policies where applies(rule, to: request, names: names) {
            let policy = rule.policy
            let missing = missing(rule, of: request, proof: proof)
            outcomes.append(.init(policy: policy.name, mode: policy.mode, isSatisfied: missing.isEmpty))
            guard policy.mode == .enabled else { continue }
            // The first policy that blocks determines the error.
            if missing.contains(.blocked), needs[.blocked] == nil { refusal = policy.refusal }
            for kind in missing { needs[kind, default: []].append(policy.id) }
            if let context = policy.authenticationContext, !contexts.contains(context) { contexts.append(context) }
        }
        guard let first = needs.keys.min() else {
            record(.init(request, outcomes: outcomes, error: nil))
            return .granted(contexts: contexts)
        }
        let ids = needs[first] ?? []
        let error: EntraError =
            first == .blocked ? .refusal(refusal, by: ids) : .refusal(of: first, to: request, policies: ids)
        let need = AccessRequirement(kind: first, policies: ids, error: error)
        record(.init(request, outcomes: outcomes, error: need.error))
        return .missing(need)
    }

    private func record(_ decision: SignInDecision) {
        guard decision.signInID != nil else { return log.append(decision) }
        log.append(decision) { $0.isRepeated(by: decision) }
    }

    /// Decides about a request that has no page to satisfy a missing requirement.
    ///
    /// - Returns: The authentication contexts of the token: the earlier ones that are still satisfied, and the
    ///   requested ones.
    /// - Throws: The error for a missing requirement.
    func contexts(
        of request: AccessRequest,
        proof: AccessProof,
        earlier: [String] = [],
        refusal: (AccessRequirement) -> EntraError = \.error
    ) throws(EntraError) -> [String] {
        switch decide(request, proof: proof) {
        case .missing(let need): throw refusal(need)
        case .granted(let contexts):
            let kept = kept(earlier, of: request, proof: proof)
            return kept + contexts.filter { !kept.contains($0) }
        }
    }

    /// The authentication contexts of a sign-in that are still satisfied.
    private func kept(_ contexts: [String], of request: AccessRequest, proof: AccessProof) -> [String] {
        guard !contexts.isEmpty else { return [] }
        let names = names(of: request)
        var asking = request
        asking.contexts = contexts
        let rules = directory.policies.filter { $0.policy.mode == .enabled && applies($0, to: asking, names: names) }
        return contexts.filter { context in
            let own = rules.filter { $0.policy.authenticationContext == context }
            return !own.isEmpty && own.allSatisfy { missing($0, of: request, proof: proof).isEmpty }
        }
    }

    // MARK: Built-in requirements

    /// The requirements for a second factor from the settings of the user, the API, and the application. Each has an ID
    /// like a policy.
    private func builtInDemands(of request: AccessRequest) -> [String] {
        let user = request.user
        var ids: [String] = []
        if user.requiresSecondFactor { ids.append(UUID.derived(from: "policy", user.id).text) }
        // A code by email is a second factor only for users with a password, so this exempts all others.
        guard (user.customer?.credential ?? .password) == .password else { return ids }
        if directory.api(audience: request.audience)?.requiresSecondFactor == true {
            ids.append(UUID.derived(from: "policy", request.audience).text)
        }
        if request.tenant.kind == .external, request.client.native?.requiresSecondFactor == true {
            ids.append(UUID.derived(from: "policy", request.client.clientID).text)
        }
        return ids
    }

    private func statesOf(_ request: AccessRequest) -> [AccessRequirement.Kind] {
        var kinds: [AccessRequirement.Kind] = []
        if request.user.passwordState == .mustChange { kinds.append(.newPassword) }
        if !directory.isAssigned(request.user, in: request.tenant, to: request.client) { kinds.append(.assignment) }
        return kinds
    }

    // MARK: Policies

    private func names(of request: AccessRequest) -> Set<String> {
        let own = directory.groups(of: request.user, in: request.tenant)
        let groups = directory.closure(of: own, in: request.tenant)
        let ofGroups = groups.flatMap { [$0.id, $0.displayName.lowercased()] }
        return Set(request.user.memberNames(in: request.tenant) + ofGroups)
    }

    private func applies(_ rule: AccessRule, to request: AccessRequest, names: Set<String>) -> Bool {
        guard rule.policy.mode != .disabled, rule.policy.agents.isEmpty || rule.isAbout(request.client.agent) else {
            return false
        }
        if let context = rule.policy.authenticationContext, !request.contexts.contains(context) { return false }
        return rule.isAbout(
            names: names,
            audience: request.audience,
            client: request.client.clientID.lowercased(),
            address: request.address
        )
    }

    private func missing(_ rule: AccessRule, of request: AccessRequest, proof: AccessProof) -> [AccessRequirement.Kind]
    {
        var kinds = rule.policy.grant.compactMap { missing($0, of: rule, request: request, proof: proof) }
        // One proof is enough. If all are missing, the first is requested.
        if rule.policy.anyOf { kinds = kinds.count < rule.policy.grant.count ? [] : Array(kinds.prefix(1)) }
        let age = request.now.timeIntervalSince(proof.authenticatedAt)
        if let frequency = rule.policy.signInFrequency, age > frequency.seconds { kinds.append(.recentSignIn) }
        return kinds
    }

    private func missing(
        _ grant: EmulatorDirectory.AccessPolicy.Grant,
        of rule: AccessRule,
        request: AccessRequest,
        proof: AccessProof
    ) -> AccessRequirement.Kind? {
        switch grant {
        case .block: .blocked
        case .mfa: proof.hasSecondFactor ? nil : secondFactor(of: request.user)
        case .compliantDevice: proof.isOnManagedDevice == true ? nil : .managedDevice
        case .passwordChange: request.user.passwordChangedAt == nil ? .newPassword : nil
        case .termsOfUse: request.user.acceptedTerms?.contains(rule.policy.id) == true ? nil : .termsOfUse
        }
    }

    private func secondFactor(of user: User) -> AccessRequirement.Kind {
        user.secondFactors.isEmpty ? .registration : .secondFactor
    }
}
