// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import Synchronization

/// Answers that were asked for by name, for the next requests of an endpoint.
final class AnswerQueue: Sendable {
    private struct Entry {
        let answer: NamedAnswer
        let pathSuffix: String
        /// Lower-case; `nil` fits every request.
        let correlationID: String?
    }

    private let entries = Mutex<[Entry]>([])

    /// Adds answers behind the others.
    func enqueue(_ answers: [NamedAnswer], pathSuffix: String, correlationID: UUID?) {
        let id = correlationID?.uuidString.lowercased()
        entries.withLock { entries in
            entries += answers.map { Entry(answer: $0, pathSuffix: pathSuffix, correlationID: id) }
        }
    }

    /// The answer of this request, if one was asked for; it counts as used.
    func take(_ exchange: Exchange) -> NamedAnswer? {
        entries.withLock { entries in
            let index = entries.firstIndex { entry in
                exchange.path.hasSuffix(entry.pathSuffix)
                    && (entry.correlationID ?? exchange.correlationID) == exchange.correlationID
            }
            return index.map { entries.remove(at: $0).answer }
        }
    }

    /// Forgets all answers.
    func clear() {
        entries.withLock { $0.removeAll() }
    }
}

extension NamedAnswer {
    /// Makes the answer; tokens are about the customer of the seed.
    ///
    /// - Throws: `EntraError` for the names of failures.
    func response(_ exchange: Exchange, _ platform: Platform) async throws -> Response {
        switch content {
        case .success(let members): return try .json(.object(members))
        case .failure(let error): throw error
        case .tokens:
            let seed = Seed()
            guard let user = try await platform.store.user(id: seed.guest.objectID),
                let tenant = platform.directory.tenant(id: seed.externalTenantID)
            else { throw EntraError.unknownUser }
            let scopes = try RequestedScopes.parse("openid profile offline_access", in: platform.directory)
            let entitlement = Entitlement(
                family: UUID().uuidString.lowercased(),
                userID: user.id,
                tenantID: tenant.id,
                clientID: exchange.form.last("client_id") ?? seed.clientID,
                scopes: scopes,
                authenticatedAt: exchange.now,
                capabilities: [],
                isSinglePage: false
            )
            return try await TokenEndpoint(platform: platform)
                .answer(.init(entitlement: entitlement, scopes: scopes), .tenant(tenant), exchange)
        }
    }
}
