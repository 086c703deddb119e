// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import Synchronization

/// A client of the adapter, as its document describes it, or as it registered itself. Nothing confirms the name.
struct AdapterClient: Codable, Sendable {
    var name: String?
    var redirectURIs: [String]
    /// Whether the client says that it refreshes, so that it gets a refresh token without requesting `offline_access`.
    var refreshes = false
    /// The host of the client's document; `nil` for a client that registered itself.
    var documentHost: String?
}

extension AdapterClient {
    /// Whether the metadata of a client name the grant (RFC 7591 §2).
    static func refreshes(_ members: [String: JSONValue]) -> Bool {
        members["grant_types"]?.array?.contains(.string("refresh_token")) ?? false
    }
}

/// The clients that identify themselves by a document, which is fetched when needed and cached.
final class DocumentedClients: Sendable {
    private let fetch: @Sendable (URL) async throws -> MSALClientDocument
    private let time: any TimeSource
    private let known = Mutex<[URL: (client: AdapterClient, end: Duration)]>([:])
    private let fetches = SingleFlight<URL, AdapterClient, OAuthError>(cancellation: .unavailable)

    init(time: any TimeSource, fetch: @escaping @Sendable (URL) async throws -> MSALClientDocument) {
        self.time = time
        self.fetch = fetch
    }

    /// The URL of a client's document; `nil` if the client ID is not one.
    static func url(_ id: String) -> URL? {
        guard id.hasPrefix("https://"), !id.contains("#"), let url = HTTPAddress(id)?.url, url.absoluteString == id,
            case let path = url.path(percentEncoded: true), !["", "/"].contains(path),
            !path.split(separator: "/").contains(where: { [".", ".."].contains($0) })
        else { return nil }
        return url
    }

    /// The client that a document describes.
    ///
    /// - Throws: `invalid_client` if the document cannot be used; `temporarily_unavailable` during many other fetches.
    func client(at url: URL) async throws(OAuthError) -> AdapterClient {
        if let known = known.withLock({ $0[url] }), known.end > time.uptime { return known.client }
        guard fetches.callers < Self.maximumFetches else { throw .unavailable }
        return try await fetches.run(url) { [self] in
            await Result { () async throws(OAuthError) in try await fetched(url) }
        }
    }

    private func fetched(_ url: URL) async throws(OAuthError) -> AdapterClient {
        // The reason of a failure would tell an attacker which servers this machine can reach.
        guard let document = try? await fetch(url) else { throw .client("The client's document cannot be fetched.") }
        guard let members = JSONValue(parsing: document.body)?.object,
            members["client_id"]?.string == url.absoluteString, let name = members["client_name"]?.string,
            !name.isEmpty,
            let uris = members["redirect_uris"]?.array, !uris.isEmpty
        else { throw .client("The client's document is not valid, or belongs to another client.") }
        guard ["none", nil].contains(members["token_endpoint_auth_method"]?.string), members["client_secret"] == nil
        else {
            throw .client("The client wants to authenticate itself, which this server does not support.")
        }
        let client = AdapterClient(
            name: name,
            redirectURIs: uris.compactMap(\.string),
            refreshes: AdapterClient.refreshes(members),
            documentHost: url.host()
        )
        let end = time.uptime + min(max(document.lifetime, .seconds(60)), .seconds(86_400))
        known.withLock { known in
            if known.count >= Self.maximumDocuments { known = [:] }
            known[url] = (client, end)
        }
        return client
    }

    private static let maximumDocuments = 1_000
    private static let maximumFetches = 64
}

/// The redirect URIs to which codes may be sent. They are compared exactly; for loopback, the port is free (RFC 8252 §7.3).
struct RedirectAllowList: Sendable {
    private static let loopbackHosts = ["http://localhost", "http://127.0.0.1", "http://[::1]"]

    private let entries: Set<String>

    init(_ uris: [String]) { entries = Set(uris.filter(Self.isPossible).map(Self.withoutLoopbackPort)) }

    func contains(_ uri: String) -> Bool { entries.contains(Self.withoutLoopbackPort(uri)) }

    /// Whether a redirect URI leads to this machine, where any program can listen.
    static func isLoopback(_ uri: String) -> Bool { loopback(uri) != nil }

    /// Whether a URI can be on a list: https, or http on this machine, without a fragment and without a wildcard.
    static func isPossible(_ uri: String) -> Bool {
        uri.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "*") }
            && (isLoopback(uri) || uri.hasPrefix("https://") && HTTPAddress(uri) != nil)
    }

    private static func withoutLoopbackPort(_ uri: String) -> String { loopback(uri) ?? uri }

    /// A loopback URI without its port.
    private static func loopback(_ uri: String) -> String? {
        guard let host = Self.loopbackHosts.first(where: uri.hasPrefix) else { return nil }
        let rest = uri.dropFirst(host.count)
        let path = rest.drop { $0 != "/" && $0 != "?" }
        let (colon, port) = (rest[..<path.startIndex].prefix(1), rest[..<path.startIndex].dropFirst())
        // The initializer of integers also reads a sign.
        guard colon.isEmpty || colon == ":" && port.first != "+" && UInt16(port) ?? 0 > 0 else { return nil }
        return "\(host)\(path)"
    }
}
