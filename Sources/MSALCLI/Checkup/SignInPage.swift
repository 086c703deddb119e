// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore
import MSALSupport

/// The page that a sign-in opens, asked for without a person.
///
/// With `prompt=none` the service shows no page and redirects with an error at once (OpenID Connect Core §3.1.2.1). It
/// does that only for an app and a redirect URI that it knows, and looks at the scopes first.
struct SignInPage {
    private let settings: Settings
    private let resolved: ResolvedAuthority

    init(_ settings: Settings, _ resolved: ResolvedAuthority) {
        self.settings = settings
        self.resolved = resolved
    }

    /// Whether `msal login` would get as far as to a person.
    func check(_ transport: any HTTPTransport) async -> Check {
        do throws(TransportError) {
            return judge(try await transport.send(HTTPMessage(method: "GET", url: address)))
        } catch {
            return Checkup.unanswered(error, host: host, name: Self.name)
        }
    }

    private static let name = "sign-in page"

    private var host: String { resolved.authorizationEndpoint.host() ?? "The authority" }

    private var address: URL {
        let random = { (count: Int) in Base64URL.encode(Platform.systemRandom(count)) }
        var query = FormBody()
        query.set(.clientID, to: settings.clientID)
        query.set(.responseType, to: "code")
        query.set(.redirectURI, to: settings.redirectURI)
        query.set(.scope, to: ScopeSet(settings.scopes).union(.openID).text)
        query.set(.prompt, to: "none")
        query.set(.responseMode, to: ResponseMode.query.rawValue)
        query.set(.state, to: random(16))
        query.set(.nonce, to: random(32))
        let pkce = PKCE(random: Platform.systemRandom)
        query.set(.codeChallenge, to: pkce.challenge)
        query.set(.codeChallengeMethod, to: pkce.method)
        return query.appended(to: resolved.authorizationEndpoint)
    }

    private func judge(_ reply: HTTPReply) -> Check {
        guard (300..<400).contains(reply.status), let target = reply[header: "Location"].flatMap(URL.init(string:)),
            target.absoluteString.hasPrefix(settings.redirectURI)
        else { return judge(page: reply) }
        let parameters = RedirectParameters.parse(target)
        // What a service says of somebody who would have to be asked (OpenID Connect Core §3.1.2.6).
        let wantsPerson = ["login_required", "interaction_required", "consent_required", "account_selection_required"]
        guard let error = parameters["error"], !wantsPerson.contains(error) else { return good }
        var userInfo: [String: Any] = [
            MSALErrorDescriptionKey: parameters["error_description"] ?? "The service says \(error).",
            MSALOAuthErrorKey: error,
        ]
        userInfo[MSALSTSErrorCodesKey] = ServiceWords.codes(in: parameters["error_description"]).map(
            NSNumber.init(value:)
        )
        return failed(userInfo)
    }

    /// A page, which is a redirect to another host too: the service's own are for people.
    private func judge(page reply: HTTPReply) -> Check {
        let text = String(decoding: reply.body, as: UTF8.self)
        if let match = text.firstMatch(of: /(AADSTS|AADB2C)([0-9]{4,8})/) {
            let isB2C = match.1 == "AADB2C"
            var userInfo: [String: Any] = [MSALErrorDescriptionKey: "\(host) shows an error page: \(match.0)."]
            userInfo[MSALSTSErrorCodesKey] = isB2C ? [] : [Int(match.2)].compactMap(\.self).map(NSNumber.init(value:))
            return failed(userInfo, isUnregistered: match.0 == "AADB2C90006")
        }
        guard reply.status >= 400 else { return good }
        return Check(
            name: Self.name,
            isGood: false,
            finding: "\(host) answered \(reply.status)",
            remedy: reply.status == 429 || reply.status >= 500
                ? ServiceRemedy.wait.text(Situation()) : Checkup.portalRemedy,
            status: .network
        )
    }

    private var good: Check {
        Check(name: Self.name, isGood: true, finding: "\(host) knows the app \(settings.clientID) and its redirect URI")
    }

    private func failed(_ userInfo: [String: Any], isUnregistered: Bool = false) -> Check {
        let situation = Situation(settings: settings)
        let error = NSError(domain: MSALErrorDomain, code: MSALError.internal.rawValue, userInfo: userInfo)
        var failure = Failure(error, in: situation)
        if isUnregistered { failure.remedy = situation.registration }
        return Check(Self.name, failure)
    }
}
