// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The control API for people: a page with outbox, clock, faults, named responses, journal, and reset, and pages for
/// sign-ins, users, the directory's lists and export, and a token decoder.
///
/// A browser that sends the control token gets a session cookie for the pages of this port.
struct ControlConsole: Sendable {
    let parts: ControlledComponents
    let token: Secret

    private static let cookieName = "__Host-entra-emulator-console"
    static let shown = 50
    /// How many bytes of a path or a message a row shows. The API returns all of them.
    static let shownBytes = 160

    /// Responds to one request from a browser.
    func respond(to request: Request) async throws -> Response {
        let path = request.uri.path
        if path == "/assets/style.css" { return Pages.stylesheet() }
        let form = request.method == .post ? await self.form(of: request) : .empty
        if request.method == .post, path == "/session" { return signIn(form) }
        guard isSignedIn(request) else {
            let isPage = Self.paths.contains(path) || ["/list/", "/edit/", "/add/"].contains(where: path.hasPrefix)
            return isPage ? key() : .json(["error": "unauthorized"], status: .unauthorized)
        }
        guard request.method == .post else {
            return try show(path, for: request)
                ?? parts.pages.page("notfound", title: "Page not found", status: .notFound, values: ["path": path])
        }
        guard let csrf = form["csrf"], Secret(csrf) == formToken else {
            return .json(["error": "invalid_request"], status: .badRequest)
        }
        if path == "/console/token" { return try await showToken(form) }
        if path == "/console/export" { return try export(form) }
        if path == "/console/edit", let response = try edit(form) { return response }
        guard let done = try await perform(path, form: form) else {
            return .json(["error": "invalid_request"], status: .badRequest)
        }
        return .redirect(to: path == "/console/people" ? "/people?done=\(done)" : "/?done=\(done)", after: .post)
    }

    // MARK: Session

    // The cookie is derived from the token, so it becomes invalid with the token and needs no storage.
    private var cookie: Secret { Secret(Secret("cookie \(token.exposed)").digest) }
    var formToken: Secret { Secret(Secret("form \(token.exposed)").digest) }

    private func isSignedIn(_ request: Request) -> Bool {
        request.headers.cookies(Self.cookieName).contains(cookie)
    }

    private func signIn(_ form: FormValues) -> Response {
        guard let typed = form["token"]?.trimmingCharacters(in: .whitespaces), Secret(typed) == token else {
            return key(isRefused: true)
        }
        var response = Response.redirect(to: "/", after: .post)
        response.headers[.setCookie] =
            "\(Self.cookieName)=\(cookie.exposed); Path=/; Secure; HttpOnly; SameSite=Strict"
        return response
    }

    private func form(of request: Request) async -> FormValues {
        // A form that is too large, or is announced as too large, counts as empty, so that it gets a response.
        let limit = 1 << 20
        let announced = request.headers[.contentLength].map { Int($0) ?? .max } ?? 0
        guard announced <= limit, let body = try? await request.body.collect(upTo: limit) else { return .empty }
        return FormValues(String(buffer: body)) ?? .empty
    }

    // MARK: Actions

    /// Performs the action of a form. Returns the key of the notice, or `nil` for an unknown action.
    private func perform(_ path: String, form: FormValues) async throws -> String? {
        switch path {
        case "/console/clock":
            guard let seconds = form["seconds"].flatMap(Int.init) else { return nil }
            parts.clock.advance(by: .seconds(seconds))
            return "clock"
        case "/console/faults":
            guard let effect = form["effect"].flatMap(Effect.init), let count = form["count"].flatMap(Int.init),
                (1...1_000).contains(count)
            else { return nil }
            parts.faults.enqueue(effect.fault(at: form["path"] ?? "", count: count))
            return "fault"
        case "/console/answers":
            guard let endpoint = form["endpoint"], let response = form["answer"].flatMap(NamedResponse.init) else {
                return nil
            }
            parts.namedResponses.enqueue([response], pathSuffix: "/\(endpoint)", correlationID: nil)
            return "answer"
        case "/console/people": return try await changePerson(form) ? "person" : nil
        case "/console/reset":
            try await parts.reset()
            return "reset"
        default: return nil
        }
    }

    private enum Effect: String, CaseIterable {
        case unavailable = "503"
        case internalError = "500"
        case tooMany = "429"
        case nonsense
        case dropped
        case cut
        case silent
        case slow

        var label: String {
            switch self {
            case .unavailable: "503 Service Unavailable"
            case .internalError: "500 Internal Server Error"
            case .tooMany: "429 Too Many Requests, Retry-After 5"
            case .nonsense: "200 with a body that is not JSON"
            case .dropped: "Connection closed without a response"
            case .cut: "Connection closed after 10 bytes of the response"
            case .silent: "No response"
            case .slow: "Response delayed by 3 seconds"
            }
        }

        func fault(at path: String, count: Int) -> Fault {
            var fault = Fault(pathSuffix: path, count: count)
            switch self {
            case .unavailable: fault.status = 503
            case .internalError: fault.status = 500
            case .tooMany:
                fault.status = 429
                fault.headers = ["Retry-After": "5"]
            case .nonsense:
                fault.status = 200
                fault.body = "<p>nonsense</p>"
            case .dropped: fault.dropsConnection = true
            case .cut: fault.stopsAfterBytes = 10
            case .silent: fault.hangs = true
            case .slow: fault.delay = .seconds(3)
            }
            return fault
        }
    }

    // MARK: Pages

    private func key(isRefused: Bool = false) -> Response {
        let status: HTTPResponse.Status = isRefused ? .forbidden : .ok
        return parts.pages.page("consolekey", title: "Entra emulator", status: status, values: ["refused": isRefused])
    }

    private static let paths = ["/", "/sign-ins", "/people", "/token", "/export"]
    /// The maximum number of rows of a list with a search field.
    static let longList = 200

    private func show(_ path: String, for request: Request) throws -> Response? {
        let query = FormValues(request.uri.query ?? "") ?? .empty
        return switch path {
        case "/": show(query)
        case "/sign-ins": showSignIns(query)
        case "/people": try showPeople(query)
        case "/token": showToken(of: nil)
        case "/export": page("consoleexport", title: "Export", values: [:])
        default: try showEntries(path, query: query)
        }
    }

    private func show(_ query: FormValues) -> Response {
        let notices = [
            "clock": "The clock was moved.", "fault": "The fault was added.", "answer": "The response was queued.",
            "reset": "The emulator was reset to its initial state.",
        ]
        let messages = parts.outbox.elements.suffix(Self.shown).reversed().map { message in
            [
                "code": message.code, "recipient": message.recipient, "channel": message.channel.rawValue,
                "purpose": message.purpose.rawValue, "date": Exchange.serviceTime(message.date),
            ]
        }
        let entries = parts.journal.entries.reversed().lazy.map(Self.values)
            .filter { entry in Self.matches(query["q"], entry.values.joined(separator: " ")) }.prefix(Self.shown)
        let faults = parts.faults.pending.map { fault in
            [
                "path": fault.pathSuffix, "effect": Self.description(fault),
                "count": fault.count == Fault.always ? "always" : String(fault.count),
            ]
        }
        var values: [String: Any] = [
            "wide": true, "csrf": formToken.exposed, "now": Exchange.serviceTime(parts.clock.now),
            "messages": messages, "hasMessages": !messages.isEmpty, "entries": Array(entries), "q": query["q"] ?? "",
            "hasEntries": !entries.isEmpty,
            "faults": faults, "hasFaults": !faults.isEmpty,
            "effects": Effect.allCases.map { ["value": $0.rawValue, "label": $0.label] },
            "endpoints": NativeEndpoint.allCases.map(\.rawValue) + ["oauth2/v2.0/token"],
            "names": NamedResponse.allCases.map(\.rawValue),
        ]
        values["notice"] = query["done"].flatMap { notices[$0] }.map { [$0] }
        return parts.pages.page("console", title: "Entra emulator", values: values)
    }

    private static func values(_ entry: JournalEntry) -> [String: String] {
        let rule = entry.refusal.map { "\($0.rule): \($0.message)" } ?? entry.remark
        return [
            "id": String(entry.id), "method": entry.method,
            "path": JournalText.shortened(entry.path, to: Self.shownBytes, length: entry.pathLength),
            "status": entry.status == 0 ? "dropped" : String(entry.status),
            "rule": JournalText.shortened(rule ?? "", to: Self.shownBytes), "date": Exchange.serviceTime(entry.date),
        ]
    }

    private static func description(_ fault: Fault) -> String {
        if fault.dropsConnection { return "Connection closed without a response" }
        let end = fault.hangs ? "no more data" : "connection closed"
        if let count = fault.stopsAfterBytes { return "After \(count) bytes: \(end)" }
        if fault.hangs { return "No response" }
        if let refusal = fault.refusal { return "AADSTS\(refusal.rawValue)" }
        return fault.status.map { "Status \($0)" } ?? "Response delayed by \(Int(fault.delay.seconds)) s"
    }
}
