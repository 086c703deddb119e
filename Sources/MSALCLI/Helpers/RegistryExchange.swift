// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Exchanges a token of Entra ID for a token of a registry (Azure/acr, "Azure Container Registry Integration with Azure
/// AD", `POST /oauth2/exchange`).
struct RegistryExchange {
    let client: MSALAPIClient
    let host: String

    /// The longest token that is accepted, in bytes.
    private static let maximumToken = 16 << 10

    /// Exchanges a token.
    ///
    /// - Returns: The registry's refresh token, which Docker uses as a password.
    /// - Throws: `Failure` with the registry's reason; what the library throws if no response came.
    func token(for accessToken: PrivateText, tenant: String?) async throws -> PrivateText {
        guard let url = URL(string: "https://\(host)/oauth2/exchange") else {
            throw Failure.usage("\(host) is not a registry.")
        }
        var request = MSALAPIRequest(url: url)
        request.method = "POST"
        request.headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
        request.timeout = .seconds(30)
        request.maximumResponseSize = 64 << 10
        var fields = [("grant_type", "access_token"), ("service", host), ("access_token", accessToken.exposed)]
        if let tenant { fields.append(("tenant", tenant)) }
        request.body = Data(fields.map { "\($0.0)=\($0.1.encoded())" }.joined(separator: "&").utf8)
        let answer = GraphHTTPResponse(try await client.send(request))
        guard answer.isSuccess else { throw refusal(answer) }
        let document = JSONSource(answer.body)
        guard let token = document?["refresh_token"]?.string, !token.isEmpty, token.utf8.count <= Self.maximumToken,
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            let hint = document == nil ? " \(GraphHTTPResponse.portalHint)" : ""
            throw Failure.file(
                "\(host) returned no token.\(hint)",
                remedy: "Check that it is an Azure container registry, and try again."
            )
        }
        return PrivateText(token)
    }

    private func refusal(_ answer: GraphHTTPResponse) -> Failure {
        let errors = JSONSource(answer.body)?["errors"]?.elements
        let isOwn = !answer.isPage
        let words = errors?.first?["message"]?.string.map { ": \($0)" }
        return .file(
            "\(host) returned \(answer.status)\(words ?? (isOwn ? "." : ". \(GraphHTTPResponse.portalHint)"))",
            remedy: isOwn && answer.status == 401
                ? "The account may have no role at the registry, such as AcrPull." : nil
        )
    }
}
