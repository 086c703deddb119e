// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSAL
import NIOCore
import NIOHTTP1
import NIOSSL

/// A protected API, and the scopes of its token.
struct ToDoAPI {
    /// The API rejected the request, or its response could not be parsed.
    struct Refusal: LocalizedError {
        let name: String
        let status: UInt
        var errorDescription: String? { "\(name) responded with status \(status)." }
    }

    let name: String
    private let address: URL
    private let scopes: [String]
    private let settings: Settings
    private let user: MSALNativeAuthUserAccountResult

    init(name: String, address: URL, scopes: [String], _ settings: Settings, _ user: MSALNativeAuthUserAccountResult) {
        self.name = name
        self.address = address
        self.scopes = scopes
        self.settings = settings
        self.user = user
    }

    func items() async throws -> [String] {
        struct List: Decodable { let value: [Item] }
        return try JSONDecoder().decode(List.self, from: try await call(.GET)).value.map(\.text)
    }

    func add(_ text: String) async throws {
        _ = try await call(.POST, JSONEncoder().encode(Item(text: text)))
    }

    private struct Item: Codable { let text: String }

    private func call(_ method: HTTPMethod, _ body: Data? = nil) async throws -> Data {
        // From the store, or from the service if the stored token has expired. Request it before each call and do not keep it.
        let token = try await user.getAccessToken(scopes: scopes)

        var request = HTTPClientRequest(url: address.absoluteString)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token.accessToken)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        let client = HTTPClient(configuration: HTTPClient.Configuration(tlsConfiguration: settings.tls))
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            let answer = try await response.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            guard (200..<300).contains(response.status.code) else {
                throw Refusal(name: name, status: response.status.code)
            }
            return Data(answer.readableBytesView)
        } catch {
            try? await client.shutdown()  // The first error is the one to report.
            throw error
        }
    }
}

extension Settings {
    /// The system's certificate authorities, and the emulator's if it is named.
    fileprivate var tls: TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = caFile.map { [.file($0.path())] } ?? []
        return tls
    }
}
