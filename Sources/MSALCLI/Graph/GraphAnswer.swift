// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import MSALCore

/// What Microsoft Graph answered.
struct GraphAnswer: Report {
    /// The largest answer accepted, in bytes.
    static let limit = 4 * 1_048_576

    private let reply: HTTPReply

    init(_ reply: HTTPReply) {
        self.reply = reply
    }

    func text(_ style: Style) -> TerminalText {
        // A body that is no JSON is shown as the text it is.
        JSONText.pretty(reply.body).map { TerminalText(json: $0) } ?? TerminalText(lines: raw)
    }

    var raw: String { String(decoding: reply.body, as: UTF8.self) }

    var json: String {
        // A body that is no JSON is shown as the text it is.
        let body = try? JSONSerialization.jsonObject(with: reply.body, options: .fragmentsAllowed)
        return JSONText.pretty(["body": body ?? (raw.isEmpty ? NSNull() : raw), "status": reply.status]) ?? "null"
    }

    /// Itself, if it is a success; `situation` makes the remedy exact.
    ///
    /// - Throws: `Failure`: `interactionRequired` if the token was not accepted, else `failed` with Graph's words.
    func checked(_ situation: Situation = Situation()) throws(Failure) -> GraphAnswer {
        if (200..<300).contains(reply.status) { return self }
        guard reply.status == 401 else {
            throw failure(.failed, "Microsoft Graph answered \(reply.status): \(words)", remedy: remedy)
        }
        guard let claims = AuthenticateChallenge.parse([reply[header: "WWW-Authenticate"] ?? ""]).claimsChallenge else {
            throw failure(
                .interactionRequired,
                "Microsoft Graph did not accept the token: \(words)",
                remedy:
                    "Try: msal token --refresh. Check the clock with: msal doctor. Else sign in again: \(situation.signIn.text)"
            )
        }
        let challenge = ClaimsChallenge(claims)
        var failure = failure(
            .interactionRequired,
            "Microsoft Graph asks for a new sign-in: \(words)",
            remedy: "Run: \(situation.command { $0.claims = challenge })"
        )
        failure.claims = challenge?.text ?? claims
        throw failure
    }

    private var remedy: String? {
        switch reply.status {
        case 300..<400: "Redirects are not followed, because the token is for Microsoft Graph alone."
        case 403: "The token may lack a scope: msal login --scope SCOPE, then --scope SCOPE here."
        case 404: "Check the path. The emulator knows no other than /me."
        default: nil
        }
    }

    private func failure(_ status: CommandExit, _ message: String, remedy: String?) -> Failure {
        let isExpired = status == .interactionRequired
        return Failure(
            status: status,
            code: (isExpired ? MSALError.interactionRequired : .internal).rawValue,
            internalCode: isExpired ? nil : MSALInternalError.internalErrorUnhandledResponse.rawValue,
            message: message,
            remedy: remedy,
            correlationID: reply[header: "client-request-id"] ?? reply[header: "request-id"]
        )
    }

    /// The error's message and code in Graph's own words; without them, nothing that could be long or secret.
    private var words: String {
        if let target { return "it points to \(target)." }
        // A body that is no JSON has no words for people.
        let body = try? JSONSerialization.jsonObject(with: reply.body) as? [String: Any]
        guard let error = body?["error"] as? [String: Any], let message = error["message"] as? String else {
            return "no reason was given."
        }
        return message + ((error["code"] as? String).map { " (\($0))" } ?? "")
    }

    /// Where a redirect points to, without its query: the addresses of files have their own token there.
    private var target: String? {
        guard (300..<400).contains(reply.status), let location = reply[header: "Location"],
            var address = URLComponents(string: location)
        else { return nil }
        (address.query, address.fragment, address.user, address.password) = (nil, nil, nil, nil)
        return address.string
    }
}
