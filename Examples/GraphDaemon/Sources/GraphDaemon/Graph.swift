// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALServer
import NIOCore
import NIOHTTP1
import NIOSSL

/// The part of Microsoft Graph that this daemon uses.
struct Graph {
    /// Graph rejected a request.
    struct Refusal: LocalizedError {
        let status: UInt
        var errorDescription: String? { "Microsoft Graph responded with status \(status)." }
    }

    private let base: URL
    private let caFile: URL?
    private let credential: any MSALTokenCredential

    init(_ settings: Settings, credential: any MSALTokenCredential) {
        base = settings.graph
        caFile = settings.caFile
        self.credential = credential
    }

    /// The names of all users, page by page.
    func users() async throws -> [String] {
        struct Page: Decodable {
            struct User: Decodable { let displayName: String? }
            let value: [User]
            let next: URL?
            enum CodingKeys: String, CodingKey {
                case value
                case next = "@odata.nextLink"
            }
        }
        var names: [String] = []
        var next: URL? = base.appending(path: "users")
        while let url = next {
            let page = try JSONDecoder().decode(Page.self, from: try await get(url))
            names += page.value.map { $0.displayName ?? "somebody" }
            // The token is sent only to Graph, whatever a response contains.
            next = page.next.flatMap { isGraph($0) ? $0 : nil }
        }
        return names
    }

    private func isGraph(_ url: URL) -> Bool {
        url.scheme == base.scheme && url.host() == base.host() && url.port ?? 443 == base.port ?? 443
    }

    private func get(_ url: URL) async throws -> Data {
        // From memory, or from the service if the token is about to expire. Request it before each call and do not store it.
        let token = try await credential.token(for: "https://graph.microsoft.com/.default")

        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "Authorization", value: token.authorizationHeader)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = caFile.map { [.file($0.path())] } ?? []
        let client = HTTPClient(configuration: HTTPClient.Configuration(tlsConfiguration: tls))
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            guard response.status.code == 200 else { throw Refusal(status: response.status.code) }
            return Data(body.readableBytesView)
        } catch {
            try? await client.shutdown()  // The first error is the one to report.
            throw error
        }
    }
}
