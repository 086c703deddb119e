// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport

@testable import MSALBase
@testable import MSALCore

/// The service of a case: it checks each request against the next expected one and returns the response for it.
final class CaseTransport: HTTPTransport {
    private struct State {
        var pending: [NativeAuthCase.Exchange] = []
        var complaints: [String] = []
        var previousForm: [String: String]?
        var previousResponse: Date?
    }

    private let authority: URL
    /// The path of the authority with the tenant's ID, which later requests use.
    private let tenantPath: String
    private let time: any TimeSource
    /// Placeholders of the case, such as `{{authority}}`.
    private let placeholders: [String: String]
    /// Whether a request must go to the authority as it is written, and its query be the case's as a whole.
    private let isExact: Bool
    private let state = Mutex(State())

    /// `configuration` is the case's. `isExact` is the rule of V2: the requests of V1 may name the tenant by its id.
    init(authority: URL, configuration: [String: JSONValue], time: any TimeSource, isExact: Bool = false) {
        self.authority = authority
        let tenantID = configuration["tenantId"]?.string ?? ""
        tenantPath = "/" + tenantID
        self.time = time
        self.isExact = isExact
        placeholders = [
            "{{authority}}": authority.absoluteString, "{{tenantId}}": tenantID,
            "{{tenantPath}}": configuration["tenantPath"]?.string ?? "",
        ]
    }

    /// Announces the requests of the next call.
    func expect(_ exchanges: [NativeAuthCase.Exchange]) {
        state.withLock { $0.pending = exchanges }
    }

    /// The deviations since the last call, including missing requests.
    func complaints() -> [String] {
        state.withLock { state in
            defer { (state.complaints, state.pending) = ([], []) }
            let missing = state.pending.filter { !$0.isOptional }.map {
                "the request to \($0.request["path"]?.string ?? "?") did not come"
            }
            return state.complaints + missing
        }
    }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let answer = state.withLock { state -> [String: JSONValue]? in
            let path = relativePath(message)
            while let next = state.pending.first, next.isOptional, next.request["path"]?.string != path {
                state.pending.removeFirst()
            }
            guard !state.pending.isEmpty else {
                state.complaints.append("unexpected request \(message)")
                return nil
            }
            let exchange = state.pending.removeFirst()
            state.complaints += complaints(about: message, path: path, request: exchange.request, state: state)
            state.previousForm = message.form
            state.previousResponse = time.now
            return exchange.answer
        }
        guard let answer else { throw TransportError(.badURL, message: "The case has no such request.") }
        switch answer["networkError"]?.string {
        case "timedOut": throw TransportError(.timedOut, message: "As the case says.")
        case "connectionLost": throw TransportError(.connectionLost, message: "As the case says.")
        case "notConnected": throw TransportError(.offline, message: "As the case says.")
        default: break
        }
        let text = answer["json"]?.text ?? answer["body"]?.string ?? ""
        let headers = (answer["headers"]?.object ?? [:]).compactMapValues(\.string).mapValues { value in
            placeholders.reduce(value) { $0.replacing($1.key, with: $1.value) }
        }
        return HTTPResponse(
            status: answer["status"]?.double.flatMap(Int.init(exactly:)) ?? 200,
            headers: headers,
            body: Data(placeholders.reduce(text) { $0.replacing($1.key, with: $1.value) }.utf8)
        )
    }

    private func relativePath(_ message: HTTPMessage) -> String {
        let url = message.url
        guard url.host() == authority.host(), url.port == authority.port else { return url.absoluteString }
        let bases = [authority.path()] + (isExact && message.method != "GET" ? [] : [tenantPath])
        for base in bases where url.path().hasPrefix(base + "/") {
            return String(url.path().dropFirst(base.count))
        }
        return url.path()
    }

    private func complaints(
        about message: HTTPMessage,
        path: String,
        request: [String: JSONValue],
        state: State
    ) -> [String] {
        var complaints: [String] = []
        func check(_ name: String, actual: String?, matcher: JSONValue) {
            guard !CaseMatcher.matches(actual, matcher: matcher) else { return }
            complaints.append("\(path): \(name) is \(actual ?? "absent"), expected \(matcher.text)")
        }
        let method = request["method"]?.string ?? "POST"
        check("the method", actual: message.method, matcher: .string(method))
        check("the path", actual: path, matcher: request["path"] ?? .null)
        if let json = request["json"] {
            check("Content-Type", actual: message.headers["Content-Type"], matcher: .string("application/json"))
            check(
                "the body",
                actual: message.body.map { String(decoding: $0, as: UTF8.self) },
                matcher: .object(["json": json])
            )
        } else if method == "POST" {
            check(
                "Content-Type",
                actual: message.headers["Content-Type"],
                matcher: .string("application/x-www-form-urlencoded")
            )
        }
        let form = message.form
        for (name, matcher) in request["form"]?.object ?? [:] { check(name, actual: form[name], matcher: matcher) }
        for name in request["formAbsent"]?.array?.compactMap(\.string) ?? [] where form[name] != nil {
            complaints.append("\(path): \(name) must not be sent")
        }
        let headers = Dictionary(message.headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        for (name, matcher) in request["headers"]?.object ?? [:] {
            check(name, actual: headers[name.lowercased()], matcher: matcher)
        }
        let query = URLComponents(url: message.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        if isExact, let wanted = request["query"]?.object, Set(query.map(\.name)) != Set(wanted.keys) {
            complaints.append("\(path): the query has \(query.map(\.name))")
        }
        for (name, matcher) in request["query"]?.object ?? [:] {
            check(name, actual: query.first { $0.name == name }?.value, matcher: matcher)
        }
        if request["sameAsPrevious"] == .bool(true), form != state.previousForm {
            complaints.append("\(path): the form differs from the one before")
        }
        let passed = state.previousResponse.map { time.now.timeIntervalSince($0) } ?? 0
        if let delay = request["minDelay"]?.double, passed < delay {
            complaints.append("\(path): came after \(passed) s, expected \(delay)")
        }
        if let delay = request["maxDelay"]?.double, passed > delay {
            complaints.append("\(path): came after \(passed) s, expected at most \(delay)")
        }
        return complaints
    }
}

/// The matchers of form and header values.
enum CaseMatcher {
    /// UUIDs are case-insensitive (RFC 9562 §4).
    private static func isSameUUID(_ actual: String?, _ text: String) -> Bool {
        guard let wanted = UUID(uuidString: text), let actual else { return false }
        return UUID(uuidString: actual) == wanted
    }

    static func matches(_ actual: String?, matcher: JSONValue) -> Bool {
        if let text = matcher.string { return actual == text || isSameUUID(actual, text) }
        guard let rule = matcher.object else { return false }
        if rule["absent"] == .bool(true) { return actual == nil }
        guard let actual else { return false }
        if rule["any"] == .bool(true) { return !actual.isEmpty }
        if let part = rule["contains"]?.string { return actual.lowercased().contains(part.lowercased()) }
        if let json = rule["json"] { return JSONValue(parsing: Data(actual.utf8)) == json }
        if let words = rule["set"]?.string {
            return Set(actual.split(separator: " ")) == Set(words.split(separator: " "))
                && actual.split(separator: " ").count == words.split(separator: " ").count
        }
        return false
    }
}
