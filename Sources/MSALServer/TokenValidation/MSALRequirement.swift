// Licensed under the MIT License. See LICENSE.

import MSALBase

/// What a caller needs for a route. Names are compared exactly, including case.
///
/// ```swift
/// let requirement = MSALRequirement.any(.scope("Orders.Read"), .applicationRole("Orders.Read.All"))
/// ```
public struct MSALRequirement: Sendable {
    private indirect enum Rule: Sendable {
        case anyPermission
        case scope(Set<String>)
        case role(Set<String>, of: MSALPrincipal.Kind)
        case context(String)
        case agent(String)
        case noAgents
        case humansOnly
        case any([MSALRequirement])
        case all([MSALRequirement])
    }

    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// Any scope or role of this API. A token without one is rejected, unless the configuration allows it.
    public static let anyPermission = MSALRequirement(.anyPermission)

    /// A user whose client has one of these scopes.
    public static func scope(_ first: String, _ others: String...) -> MSALRequirement {
        MSALRequirement(.scope(Set([first] + others)))
    }

    /// A user with one of these roles.
    public static func userRole(_ first: String, _ others: String...) -> MSALRequirement {
        MSALRequirement(.role(Set([first] + others), of: .user))
    }

    /// An application with one of these roles. The same role of a user does not count.
    public static func applicationRole(_ first: String, _ others: String...) -> MSALRequirement {
        MSALRequirement(.role(Set([first] + others), of: .application))
    }

    /// A sign-in that satisfied this authentication context, such as `c1`. Otherwise the response is a claims
    /// challenge.
    public static func authenticationContext(_ value: String) -> MSALRequirement { MSALRequirement(.context(value)) }

    /// The agent identity with this client ID, no matter on whose behalf it acts.
    public static func agent(_ id: String) -> MSALRequirement { MSALRequirement(.agent(id)) }

    /// A caller that is not an agent: neither an agent itself, nor its user account, nor a person for whom an agent acts.
    public static let noAgents = MSALRequirement(.noAgents)

    /// A person, even if an agent acts for them. The user account of an agent is not a person. Combine it with
    /// ``noAgents`` to accept only people who act for themselves.
    public static let humansOnly = MSALRequirement(.humansOnly)

    /// At least one of these requirements.
    public static func any(_ first: MSALRequirement, _ others: MSALRequirement...) -> MSALRequirement {
        MSALRequirement(.any([first] + others))
    }

    /// All of these requirements.
    public static func all(_ first: MSALRequirement, _ others: MSALRequirement...) -> MSALRequirement {
        MSALRequirement(.all([first] + others))
    }

    /// Checks the caller.
    ///
    /// - Throws: The first unmet part. Of alternatives it is the one that comes closest: a missing scope or role counts more
    ///   than the wrong kind of token.
    func check(_ principal: MSALPrincipal) throws(MSALTokenRejection) {
        switch rule {
        case .anyPermission:
            return
        case .scope(let scopes):
            guard principal.kind == .user else { throw MSALTokenRejection(.wrongTokenKind) }
            guard scopes.contains(where: principal.scopes.containsExactly) else {
                throw MSALTokenRejection(.insufficientScope)
            }
        case .role(let roles, let kind):
            guard principal.kind == kind else { throw MSALTokenRejection(.wrongTokenKind) }
            guard roles.contains(where: principal.roles.containsExactly) else {
                throw MSALTokenRejection(.insufficientRole)
            }
        case .context(let value):
            guard !principal.authenticationContexts.containsExactly(value) else { return }
            throw MSALTokenRejection(.authenticationContext(value), for: principal)
        case .agent(let id):
            guard let agent = principal.agent else { throw MSALTokenRejection(.wrongTokenKind) }
            guard agent.clientId.lowercased().isExactly(id.lowercased()) else {
                throw MSALTokenRejection(.clientNotAllowed)
            }
        case .noAgents:
            guard principal.agent == nil else { throw MSALTokenRejection(.wrongTokenKind) }
        case .humansOnly:
            // `idtyp` is `user` for the user account of an agent, too.
            guard principal.kind == .user, [nil, .person].contains(principal.agent?.subject) else {
                throw MSALTokenRejection(.wrongTokenKind)
            }
        case .any(let requirements):
            var closest: MSALTokenRejection?
            for requirement in requirements {
                do throws(MSALTokenRejection) {
                    return try requirement.check(principal)
                } catch {
                    if closest == nil || closest?.code == .wrongTokenKind { closest = error }
                }
            }
            if let closest { throw closest }
        case .all(let requirements):
            for requirement in requirements { try requirement.check(principal) }
        }
    }

    /// The roles that the requirement names.
    var roles: [String] {
        switch rule {
        case .anyPermission, .scope, .context, .agent, .noAgents, .humansOnly: []
        case .role(let roles, _): roles.sorted()
        case .any(let requirements), .all(let requirements): requirements.flatMap(\.roles)
        }
    }

    /// The scopes that the requirement names.
    var scopes: [String] {
        switch rule {
        case .anyPermission, .role, .context, .agent, .noAgents, .humansOnly: []
        case .scope(let scopes): scopes.sorted()
        case .any(let requirements), .all(let requirements): requirements.flatMap(\.scopes)
        }
    }
}
