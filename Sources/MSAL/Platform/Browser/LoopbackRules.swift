// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// Evaluates the requests that arrive at the loopback listener during one visit. A pure value, independent of sockets.
package struct LoopbackRules: Sendable {
    /// The maximum size of a request body, in bytes.
    static let maximumBodyBytes = 65_536

    /// An HTTP request. Its description has only the method because the rest may contain the code.
    package struct Request: Sendable, CustomStringConvertible, RedactedReflection {
        var method: String
        /// The path, including the query if there is one.
        var target: String
        var host: String?
        var contentType: String?
        /// Whether the browser is prefetching, before the user opened the page (Fetch §3.2, `Sec-Purpose`).
        var isPrefetch = false
        var body = Data()

        package var description: String { "\(method) request" }
    }

    /// What to do with a request. The description of an authorization response has only the names of its parameters
    /// because one of the values is the code.
    package enum Verdict: Sendable, Equatable, CustomStringConvertible, RedactedReflection {
        /// The request gets this status, and the visit continues. For 405, `allowed` is the method that the path
        /// accepts.
        case respond(status: Int, allowed: String? = nil)
        /// The browser opened the start URL and should get the page.
        case start
        /// The browser requested the page about a redirect that arrived elsewhere.
        case landing
        /// The authorization response, which may contain an `error`.
        case accept([String: String])
        /// The visit has failed.
        case fail(AgentError.Kind, status: Int)

        package var description: String {
            switch self {
            case .respond(let status, _): "respond \(status)"
            case .start: "start"
            case .landing: "landing"
            case .accept(let parameters): "accept \(parameters.keys.sorted().joined(separator: ", "))"
            case .fail(let kind, let status): "fail with \(kind), \(status)"
            }
        }
    }

    /// The path that leads the browser to the page.
    let startPath: String
    /// The path of the page about a redirect that arrived elsewhere; `nil` if there is no such page.
    var landingPath: String?
    /// The path of the redirect URI, with an empty one equal to `/`; `nil` if the redirect does not arrive here.
    let redirectPath: String?
    /// The expected state of the redirect. It is compared in constant time.
    let expectedState: String
    let responseMode: ResponseMode

    /// Evaluates one request, in this order: `Host` (DNS rebinding), path, method and form, state, and content.
    ///
    /// A wrong state gets a response and changes nothing because any web page can send one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - port: The port on which it arrived.
    /// - Returns: What to do with the request.
    package func verdict(_ request: Request, port: Int) -> Verdict {
        guard Self.isOurs(request.host, port: port) else { return .respond(status: 400) }

        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let requested = parts.first.map(String.init) ?? ""
        if constantTimeEqual(requested, to: startPath) { return visited(request, as: .start) }
        if let landingPath, constantTimeEqual(requested, to: landingPath) { return visited(request, as: .landing) }
        guard let redirectPath, requested == (redirectPath.isEmpty ? "/" : redirectPath) else {
            return .respond(status: 404)
        }

        let query = RedirectParameters.parse(parts.count == 2 ? parts[1] : "")
        switch (request.method, responseMode) {
        case ("POST", .formPost):
            guard isForm(request.contentType) else { return .respond(status: 415) }
            guard request.body.count <= Self.maximumBodyBytes else { return .respond(status: 413) }
            let form = RedirectParameters.parse(String(decoding: request.body, as: UTF8.self))
            return hasState(form) ? .accept(form) : .respond(status: 400)
        case ("GET", .query):
            return hasState(query) ? .accept(query) : .respond(status: 400)
        case ("GET", .formPost) where query["code"] != nil || query["error"] != nil:
            // The request was for a form post, but the code arrived in the query: the request was tampered with. The
            // state is checked first here, too; otherwise any web page could end the visit with a link.
            return hasState(query) ? .fail(.invalidResponse, status: 400) : .respond(status: 400)
        case (_, .formPost):
            return .respond(status: 405, allowed: "POST")
        case (_, .query):
            return .respond(status: 405, allowed: "GET")
        }
    }

    /// Link checkers and previews send HEAD, and browsers prefetch links. Neither counts as the user's visit.
    private func visited(_ request: Request, as verdict: Verdict) -> Verdict {
        guard request.method == "GET" else { return .respond(status: 405, allowed: "GET") }
        return request.isPrefetch ? .respond(status: 503) : verdict
    }

    private func hasState(_ parameters: [String: String]) -> Bool {
        parameters["state"].map { constantTimeEqual($0, to: expectedState) } ?? false
    }

    private func isForm(_ contentType: String?) -> Bool {
        let type = contentType?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        return type?.lowercased() == "application/x-www-form-urlencoded"
    }

    /// Whether a `Host` header names the listener. A page of another name must not read ours (DNS rebinding).
    private static func isOurs(_ host: String?, port: Int) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            host == name || host == "\(name):\(port)"
        }
    }
}
