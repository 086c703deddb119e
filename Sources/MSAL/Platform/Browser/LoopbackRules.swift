// Licensed under the MIT License. See LICENSE.

import Foundation

/// What the loopback receiver makes of a request (protocol.md §2.7, decisions D-13 and D-14). Pure, without sockets.
package enum LoopbackRules {
    /// The largest accepted request body, in bytes.
    package static let maximumBodyBytes = 65_536
    /// With this many requests of a wrong state the visit fails (D-13).
    package static let maximumWrongStates = 10

    /// One HTTP request. It prints its method only; the rest may hold the code.
    package struct Request: Sendable, CustomStringConvertible, CustomReflectable {
        package var method: String
        /// The path, with the query if there is one.
        package var target: String
        package var host: String?
        package var contentType: String?
        package var body: Data

        package init(
            method: String,
            target: String,
            host: String?,
            contentType: String? = nil,
            body: Data = Data()
        ) {
            self.method = method
            self.target = target
            self.host = host
            self.contentType = contentType
            self.body = body
        }

        package var description: String { "\(method) request" }
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// The consequence of a request. Of an answer it prints the names only; one of the values is the code.
    package enum Verdict: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
        /// Answer with this status and keep waiting.
        case answer(status: Int)
        /// The state is not ours: answer 400 and keep waiting; the tenth time ends the visit.
        case wrongState
        /// The answer of the authorization server, which may hold an `error`.
        case accept([String: String])
        /// The visit has failed.
        case fail(AgentError.Kind, status: Int)
        /// The user followed the cancel link.
        case cancel

        /// The HTTP status of the answer.
        package var status: Int {
            switch self {
            case .answer(let status), .fail(_, let status): status
            case .wrongState: 400
            case .accept, .cancel: 200
            }
        }

        package var description: String {
            switch self {
            case .answer(let status): "answer \(status)"
            case .wrongState: "wrong state"
            case .accept(let parameters): "accept \(parameters.keys.sorted().joined(separator: ", "))"
            case .fail(let kind, let status): "fail with \(kind), \(status)"
            case .cancel: "cancel"
            }
        }

        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// Judges one request. Checked in this order: `Host` (DNS rebinding), path, method and form, state, content.
    ///
    /// `path`: The path of the redirect URI; empty and `/` are the same.
    /// `port`: The port the receiver listens on.
    /// `cancelToken`: The random text that makes `GET /cancel?token=…` the user's own.
    package static func judge(
        _ request: Request,
        path: String,
        port: Int,
        expectedState: String,
        responseMode: ResponseMode,
        cancelToken: String
    ) -> Verdict {
        guard isOurs(request.host, port: port) else { return .answer(status: 400) }

        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let requested = parts.first.map(String.init) ?? ""
        let query = RedirectParameters.parse(parts.count == 2 ? parts[1] : "")
        if request.method == "GET", requested == "/cancel", constantTimeEqual(query["token"] ?? "", cancelToken) {
            return .cancel
        }
        guard requested == (path.isEmpty ? "/" : path) else { return .answer(status: 404) }

        switch (request.method, responseMode) {
        case ("POST", .formPost):
            guard isForm(request.contentType) else { return .answer(status: 415) }
            guard request.body.count <= maximumBodyBytes else { return .answer(status: 413) }
            let form = RedirectParameters.parse(String(decoding: request.body, as: UTF8.self))
            return hasState(form, expectedState) ? .accept(form) : .wrongState
        case ("GET", .query):
            return hasState(query, expectedState)
                ? .accept(query) : (query.isEmpty ? .answer(status: 400) : .wrongState)
        case ("GET", .formPost) where query["code"] != nil || query["error"] != nil:
            // The code was asked for out of sight and came in the address bar: someone changed the request. The state
            // is looked at first here too (§2.5), or any web page could end the visit with a link.
            return hasState(query, expectedState) ? .fail(.invalidResponse, status: 400) : .wrongState
        default:
            return .answer(status: 405)
        }
    }

    private static func hasState(_ parameters: [String: String], _ expected: String) -> Bool {
        parameters["state"].map { constantTimeEqual($0, expected) } ?? false
    }

    private static func isForm(_ contentType: String?) -> Bool {
        let type = contentType?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        return type?.lowercased() == "application/x-www-form-urlencoded"
    }

    /// Whether a `Host` header names the receiver. A page of another name must not read ours (DNS rebinding).
    static func isOurs(_ host: String?, port: Int) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            host == name || host == "\(name):\(port)"
        }
    }
}
