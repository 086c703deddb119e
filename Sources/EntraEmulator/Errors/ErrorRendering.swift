// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// The only place that turns failures into answers: JSON for programs, a page for people, a redirect for applications.
struct ErrorRendering: Sendable {
    /// Who reads the answers of an endpoint.
    enum Audience: Sendable {
        case program
        case person
    }

    let platform: Platform

    /// Renders any error an endpoint threw.
    func response(for error: any Error, _ exchange: Exchange, audience: Audience) -> Response {
        switch error {
        case let failure as RedirectedError:
            return AuthorizationAnswer(platform: platform).refuse(failure, exchange)
        case let failure as EntraError:
            return response(failure, exchange, audience)
        case let failure as HTTPError where failure.status == .notFound:
            return response(.notFound, exchange, audience)
        case let failure as HTTPError:
            var malformed = EntraError.malformed
            malformed.status = failure.status.code
            return response(malformed, exchange, audience)
        default:
            return response(.serverFault, exchange, audience)
        }
    }

    /// `AADSTS<number>: …` with the ids and the time, as the service writes it.
    static func description(_ error: EntraError, _ exchange: Exchange) -> String {
        [
            "AADSTS\(error.number): \(error.message)", "Trace ID: \(exchange.traceID)",
            "Correlation ID: \(exchange.correlationID)", "Timestamp: \(exchange.timestamp)",
        ].joined(separator: "\r\n")
    }

    private func response(_ error: EntraError, _ exchange: Exchange, _ audience: Audience) -> Response {
        switch audience {
        case .person: return platform.pages.error(error, exchange)
        case .program:
            var body: [String: JSONValue] = [
                "error": .string(error.error),
                "error_description": .string(Self.description(error, exchange)),
                "error_codes": [.int(error.number)],
                "timestamp": .string(exchange.timestamp),
                "trace_id": .string(exchange.traceID),
                "correlation_id": .string(exchange.correlationID),
                "error_uri": .string("\(exchange.base)/error?code=\(error.number)"),
            ]
            body["suberror"] = error.suberror.map { .string($0) }
            body.merge(error.members) { own, _ in own }
            // Encoding a dictionary of strings and numbers does not fail; without it the status still tells.
            var response =
                (try? .json(.object(body), status: .init(code: error.status)))
                ?? Response(status: .init(code: error.status))
            // RFC 6749 §5.2, RFC 9110 §15.5.2: a client that showed a secret hears how it could have.
            if response.status == .unauthorized { response.headers[.wwwAuthenticate] = "Basic realm=\"token\"" }
            return response
        }
    }
}
