// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Endpoint {
    /// The cost of a single HTTPS exchange without a grant: as many bytes in both directions, on the same connection.
    ///
    /// The response has the size of a token response, or the size of another, shorter step.
    func exchange(_ bench: Bench, isForTokens: Bool = true) async throws -> Figure {
        let application = try await bench.application(.memory, 1)
        let parameters = try application.silentParameters(0..<1)[0]
        let result = try await application.acquireTokenSilent(with: parameters)
        var request = MSALAPIRequest(url: try Content.url(isForTokens ? "/echo" : "/oauth2/v2.0/challenge"))
        request.method = "POST"
        let size = isForTokens ? 1900 : 300
        request.body = Data("refresh_token=r0-\(String(repeating: "r", count: size))".utf8)
        return try await measured(Rounds(samples: 15, calls: 20, seconds: 3)) { _ in
            let response = try await application.send(request, with: result)
            guard response.status == 200, response.body.count > (isForTokens ? 4000 : 50) else {
                throw CocoaError(.fileReadUnknown)
            }
        }
    }
}
