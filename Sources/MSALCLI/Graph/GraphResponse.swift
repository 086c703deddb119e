// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// A response of Microsoft Graph.
struct GraphResponse: Report {
    private let answer: GraphHTTPResponse
    /// Whether the response comes from a host of this machine.
    private let isLocal: Bool
    /// Whether status and headers are shown before the body.
    var showsHead = false
    /// The part of the body that `--query` chose; `nil` without a query.
    private var choice: JSONSource?

    /// `graph`: The Microsoft Graph that responded.
    init(_ answer: GraphHTTPResponse, of graph: URL) {
        self.answer = answer
        isLocal = ServiceHost(graph)?.isLoopback == true
    }

    func text(_ style: Style) -> TerminalText {
        // A body that is no JSON is shown as the text it is.
        let body = source.map { TerminalText(json: $0.indented) } ?? TerminalText(lines: bare)
        return showsHead ? style.faint(headLines[0]) + TerminalText(lines: rest(of: headLines)) + "\n\n" + body : body
    }

    var raw: String {
        let body = choice?.raw ?? bare
        return showsHead ? headLines.joined(separator: "\n") + "\n\n" + body : body
    }

    var json: String {
        // A body that is no JSON is shown as the text it is.
        var members = [(name: "body", value: source ?? (bare.isEmpty ? .null : JSONSource(bare)))]
        if showsHead {
            let headers = answer.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: JSONSource($0.value)) }
            members.append((name: "headers", value: JSONSource(headers)))
        }
        members.append((name: "status", value: JSONSource(answer.status)))
        return JSONSource(members).indented
    }

    private var source: JSONSource? { choice ?? JSONSource(answer.body) }

    /// The bytes of the raw format, if it shows the whole body: as it came, with nothing added. A byte order mark before
    /// plain text, such as a `$count`, is left out, because programs take it for a part of the number.
    var rawBytes: Data? {
        guard choice == nil, !showsHead else { return nil }
        let isText = answer[header: "Content-Type"]?.lowercased().hasPrefix("text/") == true
        return isText && answer.body.starts(with: [0xEF, 0xBB, 0xBF]) ? answer.body.dropFirst(3) : answer.body
    }

    private var bare: String { String(decoding: answer.body, as: UTF8.self) }

    private var headLines: [String] {
        ["HTTP \(answer.status)"] + answer.headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }

    private func rest(of lines: [String]) -> String { lines.dropFirst().map { "\n" + $0 }.joined() }

    /// The response with what a query chooses of its body.
    ///
    /// - Throws: `Failure` with the status `failed`, if the body is no JSON although the query or its headers say so.
    func chosen(by query: GraphQuery?) throws(Failure) -> GraphResponse {
        guard let query else {
            if answer.saysJSON { _ = try answer.document() }
            return self
        }
        var copy = self
        copy.choice = try query.choice(from: try answer.document() ?? .null)
        return copy
    }

    /// This response, if it is a success. `remedyContext` makes the remedy exact.
    ///
    /// - Throws: `Failure`: `interactionRequired` if the token was not accepted, else `failed` with Graph's words.
    func checked(_ remedyContext: RemedyContext = RemedyContext()) throws(Failure) -> GraphResponse {
        if (200..<300).contains(answer.status) { return self }
        guard answer.status == 401, !answer.isPage || answer[header: "WWW-Authenticate"] != nil else {
            throw failure(
                .failed,
                message: "Microsoft Graph returned \(answer.status): \(words)",
                remedy: remedy(remedyContext)
            )
        }
        guard let challenge = ClaimsChallenge(answer[header: "WWW-Authenticate"] ?? "") else {
            throw failure(
                .interactionRequired,
                message: "Microsoft Graph did not accept the token: \(words)",
                remedy:
                    "Try msal token --refresh, or check the clock with msal doctor. If that does not help, sign in "
                    + "again: \(remedyContext.signIn.text)"
            )
        }
        var failure = failure(
            .interactionRequired,
            message: "Microsoft Graph requires a new sign-in: \(words)",
            remedy: "Run: \(remedyContext.command { $0.claims = challenge })"
        )
        failure.claims = challenge.text
        throw failure
    }

    private func remedy(_ remedyContext: RemedyContext) -> String? {
        switch answer.status {
        case 300..<400:
            "Redirects are not followed, because the token is only for Microsoft Graph. To save a download, use "
                + "--save FILE"
        case _ where answer.isPage: nil
        case 403: permissionRemedy(remedyContext)
        // An emulator does not give this status for a path that it lacks: it gives 501, with its own words.
        case 404 where isLocal:
            "Check the path and the IDs in it. The emulator has only its own directory: msal graph /users"
        case 404: "Check the path and the IDs in it."
        case 429, 503: pauseRemedy(remedyContext)
        default: nil
        }
    }

    /// The remedy if Microsoft Graph wants a pause that the command did not make, or not often enough, or of which it does not
    /// say the length.
    private func pauseRemedy(_ remedyContext: RemedyContext) -> String {
        guard let pause = answer.retryAfter(at: .now), pause >= .seconds(1)
        else { return "Microsoft Graph is throttling requests. Try again in a minute." }
        let seconds = pause.components.seconds
        let remedy =
            "Microsoft Graph is throttling requests. Try again in \(seconds) second\(seconds == 1 ? "" : "s")."
        guard remedyContext.offersRetry, answer.isOfChange, pause <= RetryBudget.maximumTime else { return remedy }
        return remedy + " With --retry, the command waits and sends the change again."
    }

    private func permissionRemedy(_ remedyContext: RemedyContext) -> String {
        guard let missing = MissingPermission(answer) else {
            return remedyContext.isService
                ? "The app may lack a permission. Find it on Microsoft's page for this call, and ask an administrator "
                    + "to consent to it."
                : "The token may lack a scope, which Microsoft's page for this call names. Run msal login --scope "
                    + "SCOPE, then add --scope SCOPE here."
        }
        let needed = missing.names.count == 1 ? missing.first : "one of \(missing.names.joined(separator: ", "))"
        guard !remedyContext.isService else {
            return
                "The call needs \(needed). Ask an administrator to consent to this permission for \(remedyContext.app)."
        }
        let signIn = remedyContext.command { $0.scopes = [missing.first] }
        return "The call needs \(needed). Run: \(signIn). Then add --scope \(missing.first) here."
    }

    private func failure(_ status: CommandExit, message: String, remedy: String?) -> Failure {
        let isExpired = status == .interactionRequired
        return Failure(
            status: status,
            code: (isExpired ? MSALError.interactionRequired : .internal).rawValue,
            internalCode: isExpired ? nil : MSALInternalError.internalErrorUnhandledResponse.rawValue,
            message: message,
            remedy: remedy,
            // A server in between, such as a proxy, sends neither header.
            correlationID: answer[header: "client-request-id"] ?? answer[header: "request-id"] ?? answer.correlationID
        )
    }

    /// The error's message and code in Graph's own words. The rest of the body is not shown: it may be long or secret.
    private var words: String {
        if let target { return "it redirects to \(target)." }
        // A web page has no error message of Graph, and Graph sends no pages.
        if answer.isPage {
            return "the response is a web page or other text instead of JSON. \(GraphHTTPResponse.portalHint)"
        }
        guard let error = JSONSource(answer.body)?["error"], let message = error["message"]?.string else {
            return "no reason was given."
        }
        return message + (error["code"]?.string.map { " (\($0))" } ?? "")
    }

    /// The target of a redirect. Its query is left out, because the query of a file's address holds a token.
    private var target: String? {
        guard (300..<400).contains(answer.status), let location = answer[header: "Location"],
            var address = URLComponents(string: location)
        else { return nil }
        (address.query, address.fragment, address.user, address.password) = (nil, nil, nil, nil)
        return address.string
    }
}

/// The report of a download with `--save`.
struct SavedFile: Report, Encodable {
    var file: String
    var bytes: Int
    var status: Int

    func text(_ style: Style) -> TerminalText {
        style.good("✓") + " \(bytes.formatted()) bytes written to " + style.strong(file)
    }

    var raw: String { file }
}

/// The permissions that a refusal of Microsoft Graph names: a call needs one of them.
///
/// Microsoft Graph consists of several services. Those that name a permission do so in a sentence, each in its own
/// form. The forms that are read here come from public reports of the status 403, such as "API requires one of
/// 'Chat.ReadBasic, Chat.Read'.". The emulator names one permission in the header of RFC 6750 §3.1.
struct MissingPermission: Equatable {
    /// The names, in the order of the response. They hold letters, digits, hyphens and dots alone.
    let names: [String]

    /// The first one: services name the smallest first.
    var first: String { names[0] }

    private static let maximumCount = 5

    /// `nil` if the response names none.
    init?(_ answer: GraphHTTPResponse) {
        guard answer.status == 403 else { return nil }
        let challenge = answer[header: "WWW-Authenticate"] ?? ""
        let message = JSONSource(answer.body)?["error"]?["message"]?.string ?? ""
        let names = Self.names(inChallenge: challenge) ?? Self.names(inMessage: message) ?? []
        guard !names.isEmpty else { return nil }
        self.names = Array(names.prefix(Self.maximumCount))
    }

    private static func names(inChallenge text: String) -> [String]? {
        guard text.contains("insufficient_scope"), let match = text.firstMatch(of: /\bscope="([A-Za-z0-9. \-]{1,400})"/)
        else { return nil }
        return match.1.split(separator: " ").map(String.init)
    }

    private static func names(inMessage text: String) -> [String]? {
        let list =
            /(?:requires one of|following scopes:|missing permission scope|permission\(s\):) *'?([A-Z][A-Za-z0-9.\-]*(?:, ?[A-Z][A-Za-z0-9.\-]*)*)/
        guard let match = text.prefix(4096).firstMatch(of: list) else { return nil }
        return match.1.split(separator: ",")
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " .")) }
            .filter { $0.contains(".") }
    }
}
