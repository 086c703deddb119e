// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore
import Synchronization

/// Decides whether an API takes the tokens of a tenant.
package final class TenantRule: Sendable {
    private enum Rule: Sendable {
        /// The authority's ID; `nil` if it has a domain, for which the metadata name one issuer only.
        case single(String?)
        case list(Set<String>)
        case any
        case decision(@Sendable (String) async -> Bool)
    }

    private struct Decision {
        let isAllowed: Bool
        let givenAt: Duration
    }

    private static let memoryTime: Duration = .seconds(60)
    private static let maximumAnswers = 10_000

    private let rule: Rule
    private let excludesPersonalAccounts: Bool
    private let time: any TimeSource
    private let answers = Mutex<[String: Decision]>([:])

    /// - Throws: `.configuration` if the rule does not fit the authority.
    package init(
        _ tenants: MSALAllowedTenants,
        authority: Authority,
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        time = environment.time
        excludesPersonalAccounts = authority.tenantKind == .organizations
        switch tenants {
        case .ofAuthority:
            guard authority.tenantKind == .identifier else {
                throw MSALTokenError(
                    .configuration,
                    message:
                        "\(authority) does not name a single tenant. Specify whose tokens the API accepts: .list with "
                        + "the tenants' IDs, .decidedBy, or .any for all tenants."
                )
            }
            let name = authority.kind == .b2c ? nil : authority.tenant?.lowercased()
            rule = .single(name.flatMap { $0.isTenantID ? $0 : nil })
        case .list(let ids):
            guard !ids.isEmpty, ids.allSatisfy(\.isTenantID) else {
                throw MSALTokenError(
                    .configuration,
                    message:
                        "The list of tenants is empty, or contains an invalid tenant ID. Tokens name a tenant by "
                        + "its ID, never by a domain."
                )
            }
            rule = .list(Set(ids.map { $0.lowercased() }))
        case .any:
            rule = .any
        case .decidedBy(let decision):
            rule = .decision(decision)
        }
    }

    /// Whether the rule can allow the tenant, as far as it is known without a question. The ID is in lower case.
    func mayAllow(_ tenant: String?) -> Bool {
        guard let tenant else { return true }
        guard !excludesPersonalAccounts || tenant != Authority.personalTenantID else { return false }
        return switch rule {
        case .single(let id): id == nil || id == tenant
        case .list(let ids): ids.contains(tenant)
        case .any, .decision: true
        }
    }

    /// Whether the rule can allow a token of the issuer that metadata name.
    func mayAllow(_ metadata: OpenIDConfiguration) -> Bool {
        // An issuer with a placeholder stands for all tenants, which an authority of one tenant cannot mean.
        if case .single(nil) = rule, metadata.issuer.hasTenantPlaceholder { return false }
        return mayAllow(metadata.issuerTenantID)
    }

    /// Checks a tenant before the signature. The issuer was checked.
    ///
    /// - Throws: `.tenantNotAllowed`.
    func check(_ issuer: TrustedIssuer) throws(MSALTokenRejection) {
        guard mayAllow(issuer.metadata), mayAllow(issuer.tenant?.lowercased()) else {
            throw MSALTokenRejection(.tenantNotAllowed)
        }
    }

    /// Checks the tenant of a verified token, which may ask the application.
    ///
    /// - Throws: `.tenantNotAllowed`.
    nonisolated(nonsending) package func check(_ tenant: String?) async throws(MSALTokenRejection) {
        switch rule {
        case .single, .any:
            return
        case .list(let ids):
            // A token of B2C names its tenant in the issuer alone.
            guard let tenant, ids.contains(tenant) else { throw MSALTokenRejection(.tenantNotAllowed) }
        case .decision(let decision):
            guard let tenant, await isAllowed(tenant, by: decision) else { throw MSALTokenRejection(.tenantNotAllowed) }
        }
    }

    nonisolated(nonsending) private func isAllowed(
        _ tenant: String,
        by decision: @Sendable (String) async -> Bool
    ) async -> Bool {
        let now = time.uptime
        if let known = answers.withLock({ $0[tenant] }), now - known.givenAt < Self.memoryTime {
            return known.isAllowed
        }
        let isAllowed = await decision(tenant)
        answers.withLock { answers in
            if answers.count >= Self.maximumAnswers { answers.removeAll(keepingCapacity: true) }
            answers[tenant] = Decision(isAllowed: isAllowed, givenAt: time.uptime)
        }
        return isAllowed
    }
}

/// The tenants whose tokens an API accepts.
public enum MSALAllowedTenants: Sendable {
    /// The tenant of the authority. If the authority does not name a single tenant, such as `organizations`, use
    /// another case.
    case ofAuthority
    /// Only these tenants, by their IDs.
    case list(Set<String>)
    /// Any tenant. Authorization is then entirely up to the application.
    case any
    /// The application decides, for example with its customer database. It receives the tenant's ID in lowercase.
    ///
    /// It is called after the signature has been verified. A result is cached for 60 seconds; at most 10,000 results
    /// are cached.
    case decidedBy(@Sendable (String) async -> Bool)
}
