// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// Renders all errors as responses: JSON for programs, a page for users, a redirect for applications.
struct ErrorRendering: Sendable {
    let pages: Pages
    let authorizationResponses: AuthorizationResponses

    /// Renders any error that an endpoint threw.
    func response(for error: any Error, exchange: Exchange, audience: Exchange.Audience) -> Response {
        switch error {
        case let failure as RedirectedError:
            let failure = RedirectedError(error: named(failure.error, in: exchange), target: failure.target)
            RequestNotes.note(failure.error)
            return authorizationResponses.refuse(failure, exchange: exchange)
        case let failure as EntraError:
            return rendered(named(failure, in: exchange), exchange: exchange, audience: audience)
        case let failure as HTTPError where failure.status == .notFound:
            return rendered(.notFound, exchange: exchange, audience: audience)
        case let failure as HTTPError:
            var malformed = EntraError.malformed
            malformed.status = failure.status.code
            return rendered(malformed, exchange: exchange, audience: audience)
        default:
            return rendered(.serverFault, exchange: exchange, audience: audience)
        }
    }

    /// The error with the tenant of the path in its message.
    private func named(_ error: EntraError, in exchange: Exchange) -> EntraError {
        let tenant = authorizationResponses.directory.tenant(named: exchange.tenantInPath)
        return error.inTenant(tenant?.displayName ?? exchange.tenantInPath)
    }

    private func rendered(_ error: EntraError, exchange: Exchange, audience: Exchange.Audience) -> Response {
        RequestNotes.note(error)
        switch audience {
        case .person: return pages.error(error, exchange: exchange)
        case .program:
            var response: Response = .json(
                .object(exchange.oauthMembers(of: error)),
                status: .init(code: error.status)
            )
            // RFC 6749 §5.2, RFC 9110 §15.5.2: a client that sent a secret gets a challenge.
            if response.status == .unauthorized { response.headers[.wwwAuthenticate] = "Basic realm=\"token\"" }
            return response
        }
    }
}
