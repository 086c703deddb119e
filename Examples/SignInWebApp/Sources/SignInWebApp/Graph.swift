// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// The part of Microsoft Graph that this application uses.
struct Graph {
    /// Graph's data about a user.
    struct Profile: Decodable {
        let displayName: String?
        let mail: String?
        let userPrincipalName: String?
    }

    /// Graph rejected a request.
    struct Refusal: LocalizedError {
        let status: UInt
        var errorDescription: String? { "Microsoft Graph responded with status \(status)." }
    }

    let base: URL
    let tls: TLSConfiguration

    /// The user of the token.
    func me(authorization: String) async throws -> Profile {
        var request = HTTPClientRequest(url: base.appending(path: "me").absoluteString)
        request.headers.add(name: "Authorization", value: authorization)
        let client = HTTPClient(configuration: HTTPClient.Configuration(tlsConfiguration: tls))
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            guard response.status.code == 200 else { throw Refusal(status: response.status.code) }
            return try JSONDecoder().decode(Profile.self, from: Data(body.readableBytesView))
        } catch {
            try? await client.shutdown()  // The first error is the one to report.
            throw error
        }
    }
}
