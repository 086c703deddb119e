// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A token, decoded for display, with the reasons why an API would reject it.
struct DecodedToken: Sendable {
    /// Sentences; empty if the API accepts the token.
    private(set) var reasons: [String] = []
    /// The members of its header and its claims.
    private(set) var members: [(name: String, value: String)] = []

    /// The number of bytes of a value that are shown.
    private static let shownBytes = 400

    /// Checks a token at the emulator's time.
    ///
    /// `api`: The API that receives it; `nil` if unknown.
    init(_ text: Secret, for api: API?, in parts: ControlledComponents) async throws {
        guard let token = SignedToken(text), let claims = token.claims.object else {
            reasons = ["It is not a token: a JSON Web Token consists of three base64url parts separated by dots."]
            return
        }
        for (place, object) in [("header", token.header.object ?? [:]), ("", claims)] {
            for (name, value) in object.sorted(by: { $0.key < $1.key }) {
                let label = place.isEmpty ? name : "\(place) \(name)"
                members.append((label, Self.shown(value, named: name)))
            }
        }
        let now = parts.clock.now.timeIntervalSince1970
        checkSignature(token, isGood: await parts.keys.claims(of: text.exposed) != nil)
        if let end = token.time("exp") {
            if end <= now { reasons.append("It has expired: 'exp' is \(Self.date(end)).") }
        } else {
            reasons.append("It never expires: 'exp' is missing.")
        }
        if let start = token.time("nbf"), start > now + 300 {
            reasons.append("It is not valid yet: 'nbf' is \(Self.date(start)).")
        }
        checkIssuer(claims, in: parts.directory)
        members += Self.explanations(ofAgentIn: claims, in: parts.directory)
        guard claims["aud"]?.string != AgentExchange.audience else {
            reasons.append("It is an exchange token of an agent, which only the token endpoint accepts.")
            return
        }
        checkAudience(claims, for: api, in: parts.directory)
        if claims["scp"] == nil, claims["roles"] == nil {
            reasons.append("It has no permissions: 'scp' and 'roles' are missing.")
        }
        if let session = claims["sid"]?.string, try await parts.store.isRevoked(family: session) {
            reasons.append("Its sign-in was revoked.")
        }
    }

    private mutating func checkSignature(_ token: SignedToken, isGood: Bool) {
        switch token.header["alg"]?.string {
        case "RS256" where isGood: return
        case "RS256":
            reasons.append(
                "The signature is invalid: the token was changed, or signed with a key that is not this emulator's."
            )
        case "none": reasons.append("It is not signed: 'alg' is none.")
        case let other: reasons.append("'alg' is \(other?.prefix(20) ?? "missing"), but the platform signs with RS256.")
        }
    }

    private mutating func checkIssuer(_ claims: [String: JSONValue], in directory: ServedDirectory) {
        guard let tenant = claims["tid"]?.string, directory.tenant(id: tenant) != nil else {
            reasons.append("'tid' is not a tenant of this emulator.")
            return
        }
        let issuer = claims["iss"]?.string ?? ""
        guard
            issuer == TokenIssuer.issuerOfVersion1(tenantID: tenant)
                || API.plain(issuer).hasSuffix("/\(tenant)/v2.0")
        else {
            reasons.append("'iss' is not the issuer of the tenant in 'tid'.")
            return
        }
    }

    private mutating func checkAudience(_ claims: [String: JSONValue], for api: API?, in directory: ServedDirectory) {
        let audience = claims["aud"]?.string ?? ""
        // Unlike an ID token, an app's access token for itself names the client.
        guard let found = directory.api(identifier: audience),
            !found.isImplicit || claims["azp"] != nil || claims["appid"] != nil
        else {
            let isApplication = directory.applications.contains { $0.clientID.lowercased() == audience.lowercased() }
            reasons.append(
                isApplication
                    ? "'aud' is an application: this is an ID token, which APIs must not accept."
                    : "'aud' is not an API of this emulator."
            )
            return
        }
        if let api, found != api { reasons.append("It is for another API: 'aud' is \(found.displayName).") }
        let version = claims["ver"]?.string
        if version?.hasPrefix(String(found.acceptedTokenVersion)) != true {
            reasons.append(
                "'ver' is \(version ?? "missing"), but the API accepts tokens of version \(found.acceptedTokenVersion)."
            )
        }
    }

    private static func date(_ seconds: TimeInterval) -> String {
        Exchange.serviceTime(Date(timeIntervalSince1970: seconds))
    }

    /// A value, followed by its date if it is a time.
    private static func shown(_ value: JSONValue, named name: String) -> String {
        let text = value.string ?? String(decoding: value.encoded(), as: UTF8.self)
        guard ["exp", "nbf", "iat", "auth_time", "xms_tcdt"].contains(name), let seconds = value.int,
            abs(seconds) < 100_000_000_000
        else { return JournalText.shortened(text, to: shownBytes) }
        return "\(text) (\(date(TimeInterval(seconds))))"
    }
}
