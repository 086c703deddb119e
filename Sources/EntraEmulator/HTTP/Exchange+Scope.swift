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
        for name in ["expires_in", "ext_expires_in", "refresh_in"] {
            members[name] = members[name]?.int.map { .string(String($0)) }
        }
        let start = Int(now.timeIntervalSince1970)
        members["not_before"] = .string(String(start))
        members["expires_on"] = .string(String(start + lifetime))
        members["resource"] = resource.map { .string($0) }
        return .json(.object(members))
    }
}
