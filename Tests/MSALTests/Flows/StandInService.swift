// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport

@testable import MSALBase
@testable import MSALCore

/// An identity service behind a transport. It serves discovery for every host, and token responses from a script.
///
/// Every POST counts as a token request. Keys are served only if set.
final class StandInService: HTTPTransport {
    /// One response of the token endpoint.
    enum Response: Sendable {
        case reply(HTTPResponse)
        case failure(TransportError.Kind)
        /// Created for the request, possibly after waiting for something.
        case made(@Sendable (HTTPMessage) async throws(TransportError) -> HTTPResponse)
    }

    /// What the service returns instead of its discovery documents.
    enum Discovery: Sendable {
        case documents
        /// Members that differ in the OpenID Connect document. Null removes a member.
        case overridden([String: JSONValue])
        case response(Response)
    }

    private struct State {
        var responses: [Response] = []
        var last: Response?
        var messages: [HTTPMessage] = []
        var keys: HTTPResponse?
        var discovery = Discovery.documents
        /// The same for requests that name an app (`appid`).
        var appKeys: HTTPResponse?
        var appDiscovery: Discovery?
    }

    private let state = Mutex(State())

    init(_ responses: Response...) {
        append(responses)
    }

    /// Adds responses, each for one request.
    func append(_ responses: [Response]) {
        state.withLock { $0.responses += responses }
    }

    /// The response to every request for which no other response is left.
    func setLast(_ response: Response) {
        state.withLock { $0.last = response }
    }

    /// The response to requests for signing keys, 404 if none is set.
    func setKeys(_ reply: HTTPResponse) {
        state.withLock { $0.keys = reply }
    }

    /// The response to requests for the signing keys of one app.
    func setAppKeys(_ reply: HTTPResponse) {
        state.withLock { $0.appKeys = reply }
    }

    /// The response to requests for one app's discovery document.
    func setAppDiscovery(_ discovery: Discovery) {
        state.withLock { $0.appDiscovery = discovery }
    }

    /// Adds an endpoint for device codes to the metadata.
    func offerDeviceCodes() {
        setDiscovery(
            .overridden(["device_authorization_endpoint": .string("https://login.microsoftonline.com/devicecode")])
        )
    }

    func setDiscovery(_ discovery: Discovery) {
        state.withLock { $0.discovery = discovery }
    }

    /// The number of unused responses.
    var unusedCount: Int { state.withLock { $0.responses.count } }

    /// The requests to the token endpoint, in order.
    var tokenRequests: [HTTPMessage] { state.withLock { $0.messages.filter { $0.method == "POST" } } }

    /// Every request, in order.
    var messages: [HTTPMessage] { state.withLock { $0.messages } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let isForApp = message.url.query()?.contains("appid=") ?? false
        let (response, discovery, keys) = state.withLock { state -> (Response?, Discovery, HTTPResponse?) in
            state.messages.append(message)
            guard message.method == "POST" else {
                guard isForApp else { return (nil, state.discovery, state.keys) }
                return (nil, state.appDiscovery ?? state.discovery, state.appKeys)
            }
            return (state.responses.isEmpty ? state.last : state.responses.removeFirst(), state.discovery, nil)
        }
        if message.method == "POST" {
            guard let response else {
                throw TransportError(.badURL, message: "The script has no response to \(message).")
            }
            return try await give(response, to: message)
        }
        if message.url.path().hasSuffix("/keys") { return keys ?? HTTPResponse(status: 404) }
        switch discovery {
        case .response(let response):
            return try await give(response, to: message)
        case .documents:
            return .json(document(for: message.url, overrides: [:]))
        case .overridden(let members):
            return .json(document(for: message.url, overrides: members))
        }
    }

    private func give(_ response: Response, to message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        switch response {
        case .reply(let reply): return reply
        case .failure(let kind): throw TransportError(kind, message: "As the script says.")
        case .made(let make): return try await make(message)
        }
    }

    private func document(for url: URL, overrides: [String: JSONValue]) -> JSONValue {
        url.path().hasSuffix("/discovery/instance") ? instanceDocument(url) : openIDDocument(url, overrides)
    }

    private func instanceDocument(_ url: URL) -> JSONValue {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let endpoint = items.first { $0.name == "authorization_endpoint" }?.value ?? ""
        let host = URL(string: endpoint)?.host() ?? ""
        var members: [String: JSONValue] = [
            "tenant_discovery_endpoint": .string("https://\(host)/common/v2.0/.well-known/openid-configuration")
        ]
        if let cloud = KnownClouds.metadata(for: host) {
            members["metadata"] = .array([
                .object([
                    "preferred_network": .string(cloud.networkHost),
                    "preferred_cache": .string(cloud.cacheHost),
                    "aliases": .array(cloud.aliases.map(JSONValue.string)),
                ])
            ])
        }
        return .object(members)
    }

    private func openIDDocument(_ url: URL, _ overrides: [String: JSONValue]) -> JSONValue {
        let text = url.absoluteString
        let base = text.components(separatedBy: "/v2.0/.well-known").first ?? text
        let origin = "https://" + (AuthorityAddress(url)?.environment ?? "")
        let query = url.query().map { "?\($0)" } ?? ""
        let members: [String: JSONValue] = [
            "issuer": .string("\(origin)/{tenantid}/v2.0"),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize\(query)"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token\(query)"),
            "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout\(query)"),
            "jwks_uri": .string("\(base)/discovery/v2.0/keys\(query)"),
            "response_modes_supported": .array([.string("query"), .string("form_post")]),
        ]
        return .object(members.merging(overrides) { $1 }.filter { $0.value != .null })
    }
}

extension HTTPResponse {
    /// A JSON response.
    static func json(_ value: JSONValue, status: Int = 200, headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: headers.merging(["Content-Type": "application/json"]) { given, _ in given },
            body: Data(value.text.utf8)
        )
    }
}

extension TransportError.Kind {
    /// The failure with this code in `NSURLErrorDomain`.
    init?(urlErrorCode code: Int) {
        let kinds: [TransportError.Kind] = [
            .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .badURL, .untrustedCertificate,
            .certificateExpired, .tlsHandshake,
        ]
        guard let kind = kinds.first(where: { TransportError($0, message: "").urlErrorCode == code }) else {
            return nil
        }
        self = kind
    }
}
