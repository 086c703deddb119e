// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The two versions of the endpoints (Microsoft identity platform, "Comparing the Microsoft identity platform and Azure
/// AD v1.0"): version 1.0 identifies an API by `resource`, version 2.0 permissions by `scope`.
extension Exchange {
    /// Whether an endpoint of version 1.0 was called.
    var isVersion1: Bool { !path.lowercased().contains("/v2.0/") }

    /// The scopes of a user's request. In version 1.0, they are all scopes that the user has consented to, and a
    /// refresh token.
    var scope: String? {
        guard isVersion1, parameters["scope"] == nil || parameters["resource"] != nil else {
            return parameters["scope"]
        }
        return ["openid profile offline_access", resourceScope].compactMap(\.self).joined(separator: " ")
    }

    /// The scopes of a user's request, which may name several APIs.
    ///
    /// - Throws: The errors of `RequestedScopes.parse`; AADSTS90009 if version 1.0 names the client itself by a URI;
    ///   AADSTS9010010 for another `resource`.
    func requestedScopes(
        of client: AppRegistration,
        in directory: ServedDirectory
    ) throws(EntraError) -> RequestedScopes {
        var text = scope
        if isBelowPolicy {
            // Azure AD B2C, "Request an access token": the client ID is the scope of a token for the app itself.
            text = text?.split(separator: " ").map { client.isNamed($0) ? "\($0)/.default" : String($0) }
                .joined(separator: " ")
        }
        let scopes = try RequestedScopes.parse(
            text,
            in: directory,
            for: client.clientID,
            passingOverUnknown: isVersion1 && parameters["resource"] == nil
        )
        if isVersion1, parameters["resource"] != nil, client.isNamedByURI(in: scopes) {
            throw .tokenForItself(client.clientID, named: client.displayName)
        }
        try checkResource(fits: scopes, in: directory)
        return scopes
    }

    /// The scopes of a user's request, which must belong to a single API.
    ///
    /// - Throws: As `requestedScopes(of:in:)`, and AADSTS28000.
    func scopesOfSingleAPI(
        of client: AppRegistration,
        in directory: ServedDirectory
    ) throws(EntraError) -> RequestedScopes {
        try requestedScopes(of: client, in: directory).ofSingleAPI(in: scope)
    }

    /// Whether the path or the parameter `p` names an Azure AD B2C policy.
    private var isBelowPolicy: Bool {
        TenantSegment(path: path.split(separator: "/").map(String.init), queryPolicy: parameters["p"])?.policy != nil
    }

    /// The scope of an app-only token request.
    var resourceScope: String? {
        guard isVersion1, let resource = parameters["resource"] else { return parameters["scope"] }
        return resource + "/.default"
    }

    /// The response with a token. In version 1.0, numbers are encoded as strings, and the response includes the API and
    /// the times.
    func tokenResponse(_ members: [String: JSONValue], resource: String?) throws -> Response {
        guard isVersion1, let lifetime = members["expires_in"]?.int else { return .json(.object(members)) }
        var members = members
        let start = Int(now.timeIntervalSince1970)
        members["not_before"] = .int(start)
        members["expires_on"] = .int(start + lifetime)
        members["resource"] = resource.map { .string($0) }
        return .json(.object(Self.withNumbersAsText(members)))
    }

    /// The members of a response of version 1.0, which encodes numbers as strings.
    static func withNumbersAsText(_ members: [String: JSONValue]) -> [String: JSONValue] {
        members.mapValues { value in value.int.map { .string(String($0)) } ?? value }
    }
}

extension AppRegistration {
    /// Whether a text is the client ID, regardless of case.
    func isNamed(_ name: some StringProtocol) -> Bool { name.lowercased() == clientID.lowercased() }

    /// Whether scopes belong to this application, but a URI names it instead of the client ID.
    func isNamedByURI(in scopes: RequestedScopes) -> Bool {
        isNamed(scopes.audience) && scopes.resourceName.map { !isNamed(API.plain($0)) } ?? false
    }
}
