// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALServer

/// The stock according to another API.
struct Shelf: ResponseCodable, Sendable {
    /// The user of the request, as seen by that API.
    let user: String?
    /// The application that sent the request.
    let client: String
    let items: [String: Int]
}

/// The stock API. It is called on behalf of the user of the current request, or as this API itself for an application.
struct Stock: Sendable {
    /// One object for the life of the process, because it holds the tokens.
    let application: MSALConfidentialClientApplication
    let baseURL: URL
    /// The App ID URI of that API.
    let resource: String

    func shelf(for caller: MSALPrincipal) async throws -> Shelf {
        let isUser = caller.kind == .user
        let api = try MSALDownstreamAPI(
            baseURL: baseURL,
            scopes: ["\(resource)/\(isUser ? "Stock.Read" : ".default")"],
            as: isUser ? .user(application, caller) : .application(application)
        )
        return try await api.json(Shelf.self, from: "items")
    }
}
