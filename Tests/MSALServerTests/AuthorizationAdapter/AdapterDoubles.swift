// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import Synchronization
import TestSupport
import Testing

/// A browser, or a program, with cookies.
struct AdapterBrowser {
    let client: APIClient
    var cookies: [String: String] = [:]

    func get(
        _ path: String,
        _ parameters: [String: String] = [:],
        lines: [String] = []
    ) async throws -> APIClient.Answer {
        var form = FormBody()
        form.merge(parameters)
        let target = parameters.isEmpty ? path : "\(path)?\(form.query)"
        return try await client.send("GET", target, lines: lines + cookieLines)
    }

    func post(_ path: String, _ parameters: [String: String], lines: [String] = []) async throws -> APIClient.Answer {
        var form = FormBody()
        form.merge(parameters)
        return try await post(path, text: String(decoding: form.data, as: UTF8.self), lines: lines)
    }

    func post(
        _ path: String,
        text: String,
        type: String = "application/x-www-form-urlencoded",
        lines: [String] = []
    ) async throws -> APIClient.Answer {
        let all = ["Content-Type: \(type)", "Content-Length: \(text.utf8.count)"] + lines + cookieLines
        return try await client.send("POST", path, lines: all, body: text)
    }

    private var cookieLines: [String] {
        cookies.isEmpty
            ? [] : ["Cookie: " + cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "; ")]
    }

    /// Keeps the cookies of a response.
    mutating func keep(_ answer: APIClient.Answer) {
        for line in answer.values("Set-Cookie") {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            cookies[pair[0]] = line.contains("Max-Age=0") ? nil : pair.count > 1 ? pair[1] : ""
        }
    }

    /// Requests the consent page, and decides. Returns the redirect.
    mutating func consent(
        _ changes: [String: String?] = [:],
        action: String = "accept"
    ) async throws -> APIClient.Answer {
        let page = try await get("/oauth/authorize", AdapterBench.request(changes))
        keep(page)
        let form = try #require(
            page.body.firstMatch(of: /name="form" value="([^"]+)"/)?.1,
            "\(page.status) \(page.body)"
        )
        let forward = try await post("/oauth/authorize", ["form": String(form), "action": action])
        keep(forward)
        return forward
    }

    /// Signs in until the client has its code.
    mutating func code(_ changes: [String: String?] = [:]) async throws -> String {
        let target = try #require(try await consent(changes).target)
        let answer = try await get("/oauth/callback", ["code": "entra-code", "state": try #require(target["state"])])
        keep(answer)
        return try #require(answer.target?["code"], "\(answer.status) \(answer.body)")
    }
}

extension APIClient.Answer {
    /// The address to which a redirect leads.
    var address: String? { values("Location").first }

    /// The parameters of that address.
    var target: [String: String]? {
        guard let address, let query = address.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        return Dictionary(
            query.split(separator: "&").compactMap { part in
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return pair.last.flatMap { String(formEncoded: $0.utf8) }.map { (String(pair[0]), $0) }
            }
        ) { $1 }
    }

    var json: [String: JSONValue] { JSONValue(parsing: Data(body.utf8))?.object ?? [:] }
}

/// Microsoft Entra ID: its metadata, and a token endpoint that records forms.
final class ServiceDouble: HTTPTransport {
    private struct State {
        var messages: [HTTPMessage] = []
        var replies: [Result<HTTPResponse, TransportError>] = []
    }

    private let state = Mutex(State())

    /// The requests to the token endpoint.
    var messages: [HTTPMessage] { state.withLock { $0.messages } }

    /// The parameters of the last request.
    var form: [String: String] { messages.last?.form ?? [:] }

    /// The next response of the token endpoint.
    func reply(_ status: Int, _ text: String) {
        let response = HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json"],
            body: Data(text.utf8)
        )
        state.withLock { $0.replies.append(.success(response)) }
    }

    func fail(_ error: TransportError) { state.withLock { $0.replies.append(.failure(error)) } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let host = "https://login.microsoftonline.com/\(AdapterBench.tenant)"
        guard message.method == "POST" else {
            let document = """
                {"issuer":"\(host)/v2.0","authorization_endpoint":"\(host)/oauth2/v2.0/authorize",
                "token_endpoint":"\(host)/oauth2/v2.0/token","jwks_uri":"\(host)/discovery/v2.0/keys"}
                """
            return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(document.utf8))
        }
        let reply = state.withLock { state in
            state.messages.append(message)
            return state.replies.isEmpty ? nil : state.replies.removeFirst()
        }
        let tokens = """
            {"token_type":"Bearer","access_token":"entra.access.token","refresh_token":"entra-refresh-token","expires_in":3600,
            "scope":"\(AdapterBench.scope)"}
            """
        let usual = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(tokens.utf8))
        return try reply?.get() ?? usual
    }
}

/// The documents of clients, which the test changes.
final class DocumentShelf: Sendable {
    private struct State {
        var text: String? = DocumentShelf.usual
        var count = 0
    }

    private let state = Mutex(State())

    static let usual = document()

    static func document(_ changes: [String: JSONValue?] = [:]) -> String {
        let members: [String: JSONValue?] = [
            "client_id": .string(AdapterBench.client), "client_name": .string("A client"),
            "redirect_uris": .array([.string(AdapterBench.redirect), .string("http://localhost:1/callback")]),
        ]
        return JSONValue.object(members.merging(changes) { $1 }.compactMapValues(\.self)).text
    }

    /// The number of fetches.
    var count: Int { state.withLock { $0.count } }

    /// Replaces the document; `nil` for one that cannot be fetched.
    func put(_ text: String?) { state.withLock { $0.text = text } }

    func document(at url: URL) throws -> MSALClientDocument {
        let text = state.withLock { state in
            state.count += 1
            return state.text
        }
        guard let text else { throw CancellationError() }
        return MSALClientDocument(body: Data(text.utf8))
    }
}
