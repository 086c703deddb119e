// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct DownstreamTests {
    private let api = ScriptedTransport([])
    private static let base = "https://stock.contoso.example/v1"

    private static let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    private func client(
        _ credential: any MSALTokenCredential = FixedCredential(),
        base: String = base
    ) throws -> MSALDownstreamAPI {
        try MSALDownstreamAPI(
            baseURL: try #require(URL(string: base)),
            scopes: ["api://stock/.default"],
            as: .application(credential),
            transport: api,
            time: ManualTime()
        )
    }

    private func challenge(_ claims: String = claims) -> ScriptedTransport.Response {
        let encoded = Data(claims.utf8).base64EncodedString()
        let value = #"Bearer realm="", error="insufficient_claims", claims="\#(encoded)""#
        return .json("{}", status: 401, headers: ["WWW-Authenticate": value])
    }

    // MARK: The target of a request

    @Test(arguments: [
        ("items", "https://stock.contoso.example/v1/items"), ("/items", "https://stock.contoso.example/v1/items"),
        ("", "https://stock.contoso.example/v1"), ("items?a=b%20c", "https://stock.contoso.example/v1/items?a=b%20c"),
        ("?a=b", "https://stock.contoso.example/v1?a=b"), ("a%2Fb", "https://stock.contoso.example/v1/a%2Fb"),
        ("https://stock.contoso.example/v2/next", "https://stock.contoso.example/v2/next"),
        ("https://STOCK.contoso.example:443/v2", "https://STOCK.contoso.example:443/v2"),
        ("//stock.contoso.example/v2", "https://stock.contoso.example/v2"),
        ("@a:b", "https://stock.contoso.example/v1/@a:b"),
        ("items:batch", "https://stock.contoso.example/v1/items:batch"),
        ("javascript:x", "https://stock.contoso.example/v1/javascript:x"),
        ("https:evil.example", "https://stock.contoso.example/v1/https:evil.example"),
        ("1a://evil.example", "https://stock.contoso.example/v1/1a://evil.example"),
        ("items?next=https://evil.example", "https://stock.contoso.example/v1/items?next=https://evil.example"),
    ])
    func `a path is resolved below the base, and a URL has the same origin`(_ path: String, _ url: String) async throws
    {
        api.append(.json("{}"))

        _ = try await client().response(to: MSALDownstreamRequest(path: path))

        #expect(api.messages.map(\.url.absoluteString) == [url])
        #expect(api.messages.first?.headers["Authorization"] == "Bearer a-token")
    }

    @Test(arguments: [
        "https://stock.contoso.example.evil.example/", "https://evil.example/items", "//evil.example/items",
        "http://stock.contoso.example/items", "https://stock.contoso.example:444/", "https://a@stock.contoso.example/",
        "https://stock.contoso.example@evil.example/", "../admin", "items/../../admin", "items/%2e%2e/admin",
        "items%2F..%2F%CC%81admin", "items%2F..%2Fadmin",
        "items/%2E./admin", "./items", "items\\..", "items#fragment", "a b", "items\r\nX: y", "ítems",
        "javascript://x", "file:///etc/passwd", "https://evil.example", "%zz",
    ])
    func `a path outside the base sends nothing`(_ path: String) async throws {
        let error = try await downstreamFailure {
            _ = try await client().response(to: MSALDownstreamRequest(path: path))
        }

        #expect(error.kind == .invalidRequest)
        #expect(api.messages.isEmpty)
    }

    @Test(arguments: [
        "http://stock.contoso.example", "http://169.254.169.254", "ftp://stock.contoso.example", "https://a@b.example",
        "https://b.example?a=b", "https://b.example#a", "stock",
    ])
    func `an invalid base is rejected`(_ base: String) throws {
        let error = try #require(throws: MSALTokenError.self) { try client(base: base) }

        #expect(error.kind == .configuration)
    }

    @Test(arguments: ["http://localhost:8080", "http://127.0.0.1", "http://[::1]:1"])
    func `http is allowed for this machine`(_ base: String) throws {
        _ = try client(base: base)
    }

    @Test(arguments: [
        ["Authorization": "Bearer other"], ["HOST": "evil.example"], ["content-length": "1"],
        ["Transfer-Encoding": "chunked"], ["X": "a\r\nY: b"], ["X\r\nY": "b"], ["": "a"], ["A b": "c"],
    ])
    func `reserved and invalid headers are rejected`(_ headers: [String: String]) async throws {
        var request = MSALDownstreamRequest(path: "items")
        request.headers = headers
        let sent = request

        let error = try await downstreamFailure {
            _ = try await client().response(to: sent)
        }

        #expect(error.kind == .invalidRequest)
        #expect(api.messages.isEmpty)
    }

    @Test func `query, headers and body are sent`() async throws {
        var request = MSALDownstreamRequest("POST", path: "items?kind=a")
        request.query = ["name": "a&b=c"]
        request.headers = ["Content-Type": "text/plain"]
        request.body = Data("text".utf8)
        api.append(.json("{}", status: 201, headers: ["ETag": "1"]))

        let response = try await client().response(to: request)

        let message = try #require(api.messages.first)
        #expect(message.url.absoluteString == "\(Self.base)/items?kind=a&name=a%26b%3Dc")
        #expect(message.method == "POST" && message.body == Data("text".utf8))
        #expect(message.headers["Content-Type"] == "text/plain")
        #expect(response.status == 201 && response.header("etag") == "1")
        if case .never = message.repetition {} else { Issue.record("The request may be repeated.") }
    }

    // MARK: The response

    @Test(arguments: ["https://evil.example/", "//evil.example", "http://stock.contoso.example/v1", "https://[broken"])
    func `a redirect to another server is an error`(_ location: String) async throws {
        api.append(.json("", status: 302, headers: ["Location": location]))

        let error = try await downstreamFailure {
            _ = try await client().response(to: MSALDownstreamRequest(path: "items"))
        }

        #expect(error.kind == .redirected)
        #expect(error.response?.status == 302)
        #expect(api.messages.count == 1)
    }

    @Test func `a redirect within the server is returned as a response`() async throws {
        api.append(.json("", status: 302, headers: ["Location": "/v2/items"]))

        let response = try await client().response(to: MSALDownstreamRequest(path: "items"))

        #expect(response.status == 302)
        #expect(api.messages.count == 1)
    }

    @Test func `a response above the limit is an error`() async throws {
        api.append(.failure(.responseTooLarge(limit: 10)))
        var request = MSALDownstreamRequest(path: "items")
        request.responseLimit = 10
        let sent = request

        let error = try await downstreamFailure {
            _ = try await client().response(to: sent)
        }

        #expect(error.kind == .responseTooLarge)
        #expect(api.messages.first?.maximumResponseBytes == 10)
    }

    @Test func `a value is decoded from JSON`() async throws {
        api.append(.json(#"[{"name":"screw"}]"#))

        let items = try await client().json([Item].self, from: "items")

        #expect(items.map(\.name) == ["screw"])
        #expect(api.messages.first?.headers["Accept"] == "application/json")
    }

    private struct Item: Decodable, Sendable {
        let name: String
    }

    @Test(arguments: [(500, "[]", "refused"), (200, "<html>", "unreadable"), (200, #"[{"a":1}]"#, "unreadable")])
    func `a decoding error has a reason without API data`(_ status: Int, _ body: String, _ kind: String) async throws {
        api.append(.json(body, status: status))

        let error = try await downstreamFailure {
            _ = try await client().json([Item].self, from: "items")
        }

        #expect(error.kind.rawValue == kind)
        #expect(error.response?.status == status)
        #expect(!error.description.contains(body))
        #expect(error.message.contains("sign-in portal") == (body == "<html>"))
    }

    // MARK: Claims

    @Test func `an application gets a new token with the claims, and calls once more`() async throws {
        let credential = FixedCredential()
        api.append(challenge())
        api.append(.json("{}"))

        let response = try await client(credential).response(to: MSALDownstreamRequest(path: "items"))

        #expect(response.status == 200)
        #expect(credential.asked == [nil, Self.claims])
        #expect(api.messages.map { $0.headers["Authorization"] } == ["Bearer a-token", "Bearer a-token for claims"])
    }

    @Test func `an API that always requires claims is called twice`() async throws {
        for _ in 0..<2 { api.append(challenge()) }

        let response = try await client().response(to: MSALDownstreamRequest(path: "items"))

        #expect(response.status == 401)
        #expect(api.messages.count == 2)
    }

    @Test(arguments: [
        (403, #"Bearer error="insufficient_claims", claims="e30=""#), (401, #"Bearer error="invalid_token""#),
        (401, #"Bearer error="insufficient_claims", claims="bm8ganNvbg==""#), (401, ""),
    ])
    func `no other response causes a second call`(_ status: Int, _ value: String) async throws {
        api.append(.json("{}", status: status, headers: ["WWW-Authenticate": value]))

        let response = try await client().response(to: MSALDownstreamRequest(path: "items"))

        #expect(response.status == status)
        #expect(api.messages.count == 1)
    }

    // MARK: Failures

    @Test func `without a token nothing is sent`() async throws {
        let error = try await downstreamFailure {
            _ = try await client(FixedCredential(fails: true)).response(to: MSALDownstreamRequest(path: "items"))
        }

        #expect(error.kind == .noToken)
        #expect(error.tokenError?.kind == .invalidClient)
        #expect(api.messages.isEmpty)
    }

    @Test func `a missing response is a network failure`() async throws {
        api.append(.failure(.connectionLost))

        let error = try await downstreamFailure {
            _ = try await client().response(to: MSALDownstreamRequest(path: "items"))
        }

        #expect(error.kind == .network)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -1005)
    }

    @Test func `no token or body is printed`() async throws {
        var request = MSALDownstreamRequest("POST", path: "items?name=megan@contoso.example")
        request.headers["X-Name"] = "megan@contoso.example"
        request.body = Data("megan@contoso.example".utf8)
        api.append(.json("megan@contoso.example", headers: ["X-Name": "megan@contoso.example"]))

        let client = try client(FixedCredential())
        let response = try await client.response(to: request)

        var dumped = ""
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        dump(client, to: &dumped)
        for text in [dumped, "\(request)", "\(response)", "\(client)"] {
            #expect(!text.contains("megan") && !text.contains("a-token"))
        }
    }
}

/// The error that `body` throws. A body that does not throw fails the test.
nonisolated(nonsending) func downstreamFailure(
    of body: () async throws -> Void,
    at location: SourceLocation = #_sourceLocation
) async throws -> MSALDownstreamError {
    do {
        try await body()
    } catch let error as MSALDownstreamError {
        return error
    }
    return try #require(nil, "No error was thrown.", sourceLocation: location)
}
