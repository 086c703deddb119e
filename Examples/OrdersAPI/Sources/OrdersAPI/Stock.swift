// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALServer

/// What is in stock, as another API says.
struct Shelf: ResponseCodable, Sendable {
    /// The user for whom it was asked, as that API saw it.
    let user: String?
    /// The application that asked.
    let client: String
    let items: [String: Int]
}

/// The API of the stock. It is called as the user whose request is served, and as this API itself for an application.
struct Stock: Sendable {
    /// One object for the life of the process: it holds the tokens.
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
