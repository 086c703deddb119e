// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALCore

/// The response headers that are kept.
struct ResponseHeaderTests {
    @Test func `cookies are omitted, since the headers of a failure reach the app's logs`() async throws {
        let port = try RawPort(
            answering: "HTTP/1.1 503 Service Unavailable\r\nset-cookie: esctx=secret-cookie\r\n"
                + "Set-Cookie: x-ms-gateway=secret-cookie\r\nX-Part: a\r\nx-part: b\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n"
        )
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))

        let response = try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(
            HTTPMessage(method: "GET", to: try HTTPAddress(url))
        )

        #expect(response.status == 503)
        #expect(response[header: "x-part"] == "a, b")
        #expect(response[header: "set-cookie"] == nil)
        #expect(!response.headers.values.contains { $0.contains("secret-cookie") })
    }
}
