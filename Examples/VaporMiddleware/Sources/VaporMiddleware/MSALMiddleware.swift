// Licensed under the MIT License. See LICENSE.

import MSALServer
import Vapor

/// Lets requests with a valid access token through, and responds to the others with an error.
struct MSALMiddleware: AsyncMiddleware {
    private let validator: MSALTokenValidator
    private let requirement: MSALRequirement

    init(_ validator: MSALTokenValidator, requiring requirement: MSALRequirement = .anyPermission) {
        self.validator = validator
        self.requirement = requirement
    }

    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        let principal: MSALPrincipal
        do throws(MSALTokenRejection) {
            principal = try await validator.validate(
                authorization: request.headers["Authorization"],
                request: MSALRequestFacts(request),
                requiring: requirement
            )
        } catch {
            return Response(error)
        }
        request.storage[PrincipalKey.self] = principal
        do {
            return try await next.respond(to: request)
        } catch {
            guard let rejection = MSALTokenRejection(error, for: principal) else { throw error }
            return Response(rejection)
        }
    }
}

extension Request {
    /// The caller; `nil` on routes without `MSALMiddleware`.
    var principal: MSALPrincipal? { storage[PrincipalKey.self] }
}

private struct PrincipalKey: StorageKey {
    typealias Value = MSALPrincipal
}

extension MSALRequestFacts {
    fileprivate init(_ request: Request) {
        self.init(
            method: request.method.rawValue,
            host: request.headers.first(name: "Host") ?? "",
            path: request.url.path,
            query: request.url.query
        )
        headers = request.headers.map { (name: $0.name, value: $0.value) }
        peerAddress = request.remoteAddress?.ipAddress
    }
}

extension Response {
    fileprivate convenience init(_ rejection: MSALTokenRejection) {
        var headers = HTTPHeaders()
        for (name, value) in rejection.headers { headers.add(name: name, value: value) }
        self.init(status: HTTPResponseStatus(statusCode: rejection.status), headers: headers)
    }
}
