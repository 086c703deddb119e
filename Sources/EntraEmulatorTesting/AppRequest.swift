// Licensed under the MIT License. See LICENSE.

import Foundation
import ScriptedAgent

/// The authorization request of an app that waits for its response at a loopback address.
struct AppRequest: Sendable, Equatable {
    private let redirectURI: URLComponents
    private let state: String?
    private let wantsForm: Bool

    /// Parses a request; `nil` for any other address, and for an app that waits elsewhere.
    init?(_ url: URL) {
        guard let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard value("client_id") != nil, let redirectURI = value("redirect_uri").flatMap({ URLComponents(string: $0) }),
            redirectURI.scheme == "http", ["localhost", "127.0.0.1", "[::1]"].contains(redirectURI.host)
        else { return nil }
        self.redirectURI = redirectURI
        state = value("state")
        wantsForm = value("response_mode") == "form_post"
    }

    /// Whether an address is the one at which the app waits.
    func isResponse(_ url: URL) -> Bool {
        url.scheme == "http" && url.port == redirectURI.port
            && [redirectURI.path, redirectURI.path + "/"].contains(url.path)
    }

    /// The error response that ends the wait (RFC 6749 §4.1.2.1), in the query or, if the app requested it, in a form.
    func failure(_ reason: String) -> PageRequest? {
        let parameters =
            [("error", "server_error"), ("error_description", reason)] + (state.map { [("state", $0)] } ?? [])
        let encoded = parameters.map { "\($0.formEncoded)=\($1.formEncoded)" }.joined(separator: "&")
        var target = redirectURI
        if target.path.isEmpty { target.path = "/" }
        guard !wantsForm else { return target.url.map { PageRequest(url: $0, form: encoded, origin: "null") } }
        target.percentEncodedQuery = [target.percentEncodedQuery, encoded].compactMap { $0 }.joined(separator: "&")
        return target.url.map { PageRequest(url: $0) }
    }
}
