// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// A response of Microsoft Graph.
struct GraphResponse: Report {
    private let response: MSALAPIResponse
    /// Whether the response comes from a host of this machine.
    private let isLocal: Bool

    /// `graph`: The Microsoft Graph that responded.
    init(_ response: MSALAPIResponse, of graph: URL) {
        self.response = response
        isLocal = ServiceHost(graph)?.isLoopback == true
    }

    func text(_ style: Style) -> TerminalText {
        // A body that is no JSON is shown as the text it is.
        JSONText.pretty(response.body).map { TerminalText(json: $0) } ?? TerminalText(lines: raw)
    }

    var raw: String { String(decoding: response.body, as: UTF8.self) }

    var json: String {
        // A body that is no JSON is shown as the text it is.
        let body = try? JSONSerialization.jsonObject(with: response.body, options: .fragmentsAllowed)
        return JSONText.pretty(["body": body ?? (raw.isEmpty ? NSNull() : raw), "status": response.status]) ?? "null"
    }

    /// Itself, if it is a success; `situation` makes the remedy exact.
    ///
    /// - Throws: `Failure`: `interactionRequired` if the token was not accepted, else `failed` with Graph's words.
    func checked(_ situation: Situation = Situation()) throws(Failure) -> GraphResponse {
        if (200..<300).contains(response.status) { return self }
        guard response.status == 401 else {
            throw failure(.failed, message: "Microsoft Graph answered \(response.status): \(words)", remedy: remedy)
        }
        guard let challenge = ClaimsChallenge(response[header: "WWW-Authenticate"] ?? "") else {
            throw failure(
                .interactionRequired,
                message: "Microsoft Graph did not accept the token: \(words)",
                remedy:
                    "Try: msal token --refresh. Check the clock with: msal doctor. Else sign in again: \(situation.signIn.text)"
            )
        }
        var failure = failure(
            .interactionRequired,
            message: "Microsoft Graph asks for a new sign-in: \(words)",
            remedy: "Run: \(situation.command { $0.claims = challenge })"
        )
        failure.claims = challenge.text
        throw failure
    }

    private var remedy: String? {
        switch response.status {
        case 300..<400: "Redirects are not followed, because the token is for Microsoft Graph alone."
        case 403: "The token may lack a scope: msal login --scope SCOPE, then --scope SCOPE here."
        case 404 where isLocal: "Check the path. The emulator's Graph has /me, /me/memberOf and /users alone."
        case 404: "Check the path, and the spelling of ids in it."
        default: nil
        }
    }

    private func failure(_ status: CommandExit, message: String, remedy: String?) -> Failure {
        let isExpired = status == .interactionRequired
        return Failure(
            status: status,
            code: (isExpired ? MSALError.interactionRequired : .internal).rawValue,
            internalCode: isExpired ? nil : MSALInternalError.internalErrorUnhandledResponse.rawValue,
            message: message,
            remedy: remedy,
            correlationID: response[header: "client-request-id"] ?? response[header: "request-id"]
        )
    }

    /// The error's message and code in Graph's own words. The rest of the body is not shown: it may be long or secret.
    private var words: String {
        if let target { return "it points to \(target)." }
        // A body that is no JSON has no words for people.
        let body = try? JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        guard let error = body?["error"] as? [String: Any], let message = error["message"] as? String else {
            return "no reason was given."
        }
        return message + ((error["code"] as? String).map { " (\($0))" } ?? "")
    }

    /// Where a redirect points to, without its query: the addresses of files have their own token there.
    private var target: String? {
        guard (300..<400).contains(response.status), let location = response[header: "Location"],
            var address = URLComponents(string: location)
        else { return nil }
        (address.query, address.fragment, address.user, address.password) = (nil, nil, nil, nil)
        return address.string
    }
}
