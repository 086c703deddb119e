// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The registration of an application.
extension GraphEndpoints {
    private static let writer = "Application.ReadWrite.All"
    private static let maximumRedirectURIs = 256

    /// `POST /v1.0/applications` (Microsoft Graph, "Create application"): the name and the redirect URIs of a public client,
    /// a web application and a page. The rest of the body is accepted and has no effect.
    func createApplication(_ exchange: Exchange, body: Data) async throws -> Response {
        do {
            try await authorizeWriter(exchange)
            guard let members = JSONValue(parsing: body)?.object, let name = members["displayName"]?.string,
                !name.isEmpty, name.count <= 256
            else { return try refuseBody("Property displayName is required.", exchange: exchange) }
            func redirectURIs(_ platform: String) -> [String]? {
                guard let list = members[platform]?["redirectUris"] else { return [] }
                let texts = list.array?.compactMap(\.string)
                return texts?.count == list.array?.count ? texts : nil
            }
            guard let native = redirectURIs("publicClient"), let web = redirectURIs("web"),
                let page = redirectURIs("spa"),
                native.count + web.count + page.count <= Self.maximumRedirectURIs
            else { return try refuseBody("Invalid value specified for property 'redirectUris'.", exchange: exchange) }
            var application = EmulatorDirectory.Application(
                clientID: UUID.random().uuidString.lowercased(),
                displayName: name,
                redirectURIs: native
            )
            application.webRedirectURIs = web
            application.singlePageRedirectURIs = page
            if case .bool(let isPublic)? = members["isFallbackPublicClient"] {
                application.allowsPublicFlows = isPublic
            }
            do {
                try register(application)
            } catch let invalid as EmulatorDirectory.InvalidEntry {
                return try refuseBody("\(invalid)", exchange: exchange)
            }
            var entity = members.filter { !$0.key.hasPrefix("@") }
            entity["@odata.context"] = "https://graph.microsoft.com/v1.0/$metadata#applications/$entity"
            entity["id"] = .string(UUID.random().uuidString.lowercased())
            entity["appId"] = .string(application.clientID)
            return try .json(.object(entity), status: .created)
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        }
    }

    private func authorizeWriter(_ exchange: Exchange) async throws {
        let (claims, scheme) = try await resourceGuard.claims(of: exchange, audience: directory.graph?.audience ?? "")
        if claims["idtyp"] == "app" {
            guard claims["roles"]?.array?.contains(.string(Self.writer)) == true else {
                throw ResourceGuard.Rejection(reason: .insufficientScope(Self.writer))
            }
            return
        }
        _ = try await resourceGuard.user(of: claims, sentAs: scheme, anyOf: [Self.writer], at: exchange.now)
    }

    private func refuseBody(_ message: String, exchange: Exchange) throws -> Response {
        try Self.failure(.badRequest, code: "Request_BadRequest", message: message, exchange: exchange)
    }
}
