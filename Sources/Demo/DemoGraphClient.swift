// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import HTTPGuards
import NIOCore
import NIOHTTP1
import NIOSSL

/// Calls Graph with a token, like an app with an HTTP client of its choice.
struct DemoGraphClient {
    /// An additional certificate authority to trust.
    let certificateAuthorityFile: URL?

    /// Returns the response, indented for reading.
    func get(_ address: String, authorization: String) async throws -> String {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = certificateAuthorityFile { tls.additionalTrustRoots = [.file(file.path(percentEncoded: false))] }
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls).leavingOutInterimResponses
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "Authorization", value: authorization)
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1 << 20)
            let json = try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
            let text = try JSONSerialization.data(
                withJSONObject: json,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
            return String(decoding: text, as: UTF8.self)
        }
    }
}
