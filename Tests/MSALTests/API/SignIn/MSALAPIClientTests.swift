// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALBase
import MSALCore
import Synchronization
import TestSupport
import Testing

struct MSALAPIClientTests {
    private func request(_ address: String, headers: [String: String] = [:]) throws -> MSALAPIRequest {
        var request = MSALAPIRequest(url: try #require(URL(string: address)))
        request.headers = headers
        return request
    }

    /// The log lines of a request, without its duration, and its outcome.
    private func lines(of request: MSALAPIRequest, over base: ScriptedTransport) async throws -> [String] {
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in
            let id = Log.correlationID?.uuidString.suffix(1) ?? "none"
            lines.withLock { $0.append("\(level) \(id) \(line.replacing(/, \d+ ms$/, with: ""))") }
        }
        await Log.$listener.withValue(listener) {
            _ = try? await MSALAPIClient(transport: base).send(request)
        }
        try base.verify()
        return lines.withLock(\.self)
    }

    @Test func `a request with a token logs a line with its URL, without query and token`() async throws {
        let headers = [
            "authorization": "Bearer t0ken", "client-request-id": "00000000-0000-0000-0000-00000000000A",
        ]
        let request = try request("https://graph.example/v1.0/me?$search=private", headers: headers)

        let answered = try await lines(of: request, over: ScriptedTransport(.json("{}", status: 404)))
        let failed = try await lines(of: request, over: ScriptedTransport(.failure(.timedOut)))

        #expect(answered == ["verbose A GET https://graph.example/v1.0/me: HTTP 404, 2 bytes"])
        #expect(failed == ["verbose A GET https://graph.example/v1.0/me: timedOut"])
    }

    /// Anyone who has such a URL can use it.
    @Test func `a request without a token logs a line without its path`() async throws {
        let request = try request("https://upload.example/s3cret?sig=s3cret")

        let lines = try await lines(of: request, over: ScriptedTransport(.json("{}")))

        #expect(lines == ["verbose none GET https://upload.example: HTTP 200, 2 bytes"])
    }

    @Test(arguments: [500, 503])
    func `no request is repeated`(status: Int) async throws {
        let base = ScriptedTransport(.json("{}", status: status))

        let response = try await MSALAPIClient(transport: base).send(try request("https://graph.example/v1.0/me"))

        #expect(response.status == status)
        #expect(base.messages.count == 1)
    }
}
