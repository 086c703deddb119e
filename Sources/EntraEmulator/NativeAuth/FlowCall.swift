// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The tenant of a flow, and the path segment with which the app refers to it.
struct FlowTenant: Sendable {
    let tenant: Tenant
    let segment: TenantSegment

    /// The links of a flow in this tenant. `base`: `https://host[:port]`.
    func links(of flow: String, base: String, branches: FlowBranches) -> FlowLinks {
        FlowLinks(of: flow, tenantID: tenant.id, segment: segment, base: base, branches: branches)
    }
}

/// A request of a flow with its continuation token, application, and account.
struct FlowCall: Sendable {
    let exchange: Exchange
    /// The members of its body.
    let members: [String: JSONValue]
    private(set) var continuation: NativeAuthFlowStore<NativeAuthV2Flow>.Continuation
    let place: FlowTenant
    let client: AppRegistration
    let policy: NativePolicy
    let settings: NativeAuthSettings
    private(set) var user: User?

    var now: Date { exchange.now }
    var tenant: Tenant { place.tenant }
    var step: NativeAuthV2Flow.Step { continuation.step }

    var flow: NativeAuthV2Flow {
        get { continuation.flow }
        set { continuation.flow = newValue }
    }

    var branches: FlowBranches { FlowBranches(user?.customer?.v2, policy.v2, settings.v2) }

    var links: FlowLinks { place.links(of: flow.id, base: exchange.base, branches: branches) }

    /// The account of the flow. The account of a sign-up is not stored yet.
    var account: User? { user ?? flow.newAccount }
    /// Whether the flow creates an account.
    var makesAccount: Bool { flow.purpose == .signUp && user == nil }

    /// Assigns an account to the flow.
    mutating func adopt(_ user: User) {
        self.user = user
        flow.userID = user.id
    }

    /// The string value of a member.
    ///
    /// - Throws: AADSTS90100 if it is missing, empty, or not a string.
    func text(_ name: String) throws(EntraError) -> String {
        guard let text = members[name]?.string, !text.isEmpty else { throw .invalidParameter(name) }
        return text
    }

    /// The offered method that the address refers to.
    ///
    /// - Throws: AADSTS901001 if it was not offered, or cannot receive codes.
    func offered(type: String, id: String) throws(EntraError) -> FlowMethod {
        guard let method = flow.offered.first(where: { $0.type.lowercased() == type && $0.id.lowercased() == id })
        else {
            throw .invalidContact
        }
        return method
    }

    /// Counts a risk check. Returns whether it was the last one.
    ///
    /// - Throws: AADSTS550024 if it fails.
    mutating func passRiskCheck() throws(EntraError) -> Bool {
        flow.riskChecks += 1
        switch branches.riskCheck {
        case .block: throw .blockedContact
        case .twice: return flow.riskChecks > 1
        case .off, .pass: return true
        }
    }
}
