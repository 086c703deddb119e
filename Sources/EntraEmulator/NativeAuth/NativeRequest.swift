// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// A native authentication request with its tenant, client, and policy.
struct NativeRequest: Sendable {
    let exchange: Exchange
    let tenant: Tenant
    let client: AppRegistration
    let policy: NativePolicy

    /// Validates the client, before anything else.
    init(_ exchange: Exchange, tenant: Tenant, directory: ServedDirectory) throws(EntraError) {
        guard let clientID = exchange.form.last("client_id") else { throw .invalidParameter("client_id") }
        guard let client = directory.application(clientID) else {
            throw UUID(uuidString: clientID) == nil ? .invalidParameter("client_id") : .unknownClient(clientID)
        }
        guard tenant.allowsSignUp, let policy = client.native else { throw .nativeDisabled(clientID) }
        self.exchange = exchange
        self.tenant = tenant
        self.client = client
        self.policy = policy
    }

    /// The last value of a parameter; an empty one counts as missing.
    subscript(name: String) -> String? { exchange.form.last(name) }

    /// The time of the request, by the emulator's clock.
    var now: Date { exchange.now }

    /// The challenges that the app supports.
    ///
    /// - Throws: AADSTS901007 if the parameter is missing, contains an unknown value, or lacks `redirect`.
    func challengeTypes(settings: NativeAuthSettings) throws(EntraError) -> Set<NativeAuthFlow.ChallengeType> {
        let names = (self["challenge_type"] ?? "").split(separator: " ").map(String.init)
        let types = names.compactMap(NativeAuthFlow.ChallengeType.init)
        guard !types.isEmpty, types.count == names.count else { throw .invalidChallengeType }
        guard types.contains(.redirect) else { throw .missingRedirect(error: settings.missingRedirectError) }
        return Set(types)
    }

    /// The capabilities of the app. The documentation and the library differ in name and separator; both are accepted.
    var capabilities: Set<NativeAuthFlow.Capability> {
        let text = self["capabilities"] ?? self["capability"] ?? ""
        let names = text.split { $0 == " " || $0 == "," }.map(String.init)
        return Set(names.compactMap(NativeAuthFlow.Capability.init))
    }
}

extension Response {
    /// A response that redirects the app to the browser.
    static func nativeRedirect(_ reason: String) throws -> Response {
        .json(["challenge_type": "redirect", "redirect_reason": .string(reason)])
    }

    /// A response with a continuation token and additional members.
    static func native(_ token: Secret, members: [String: JSONValue] = [:]) throws -> Response {
        .json(.object(members.merging(["continuation_token": .string(token.exposed)]) { own, _ in own }))
    }
}
