// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
package import MSALCore

/// A virtual machine: the Azure Instance Metadata Service. It comes last, because it is also the choice if there is no
/// sign of another host.
struct IMDSHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.imds
    let words = "The metadata service of the virtual machine (IMDS)"

    func reason(in environment: ServerEnvironment) -> String? { "no variable names another host" }

    func apiVersion(for identity: MSALManagedIdentityId) -> String? { "2018-02-01" }

    func parameter(for identity: MSALManagedIdentityId) -> String? {
        usualParameter(for: identity, resource: "msi_res_id")
    }

    /// The address of the service, or of the proxy that replaces it.
    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        let path = "/metadata/identity/oauth2/token"
        let variable = "AZURE_POD_IDENTITY_AUTHORITY_HOST"
        let base = environment.variable(variable) ?? "http://169.254.169.254"
        let text = (base.hasSuffix("/") ? String(base.dropLast()) : base) + path
        let url = try environment.tokenEndpoint(text, of: variable)
        guard url.host()?.contains(":") != true else {
            throw .address(in: variable, because: "The metadata service has an IPv4 address.")
        }
        return url
    }

    func complete(_ draft: inout ManagedIdentityRequestBuilder) {
        draft.headers["Metadata"] = "true"
        draft.headers["x-ms-client-request-id"] = draft.correlationID.uuidString.lowercased()
    }

    func isTemporary(status: Int) -> Bool { [404, 408, 410, 429].contains(status) || (500...599).contains(status) }

    let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    /// The service responds with 410 during its update, which takes a minute at most.
    let pausesWhileGone: [Duration] = Array(repeating: .seconds(10), count: 7)
    let takesTurns = true
    let hasCommonAddress = true

    func kind(
        of refusal: ManagedIdentityRefusal,
        status: Int,
        for identity: MSALManagedIdentityId
    ) -> MSALTokenError.Kind {
        let text = (refusal.message ?? "").lowercased()
        switch status {
        case 400 where refusal.saysIdentityIsMissing: return .identityNotAssigned
        case 400 where refusal.code == "invalid_request" && identity != .systemAssigned: return .identityNotAssigned
        case 410, 502, 504: return .unavailable
        // Where there is no metadata service, the network of a container desktop sends this response.
        case 403 where text.contains("unreachable"): return .unavailable
        default: return .refused
        }
    }
}

extension MSALManagedIdentitySource.Kind {
    /// A virtual machine, through the Azure Instance Metadata Service. It is also the default if no other host is
    /// detected.
    public static let imds = Self(rawValue: "imds")
}

/// Tells the metadata service of a virtual machine from anything else that responds at its address: a proxy, a web
/// page, the service of another cloud (docs/reference/Services.md#probe).
package enum MetadataService {
    /// Members of the service's responses. Each token and each error has at least one of them.
    private static let own: Set = ["access_token", "expires_in", "expires_on", "token_type", "error", "message"]

    /// A description of a response that another program sent: its status and its media type. It is `nil` for the
    /// service's own responses, which are JSON objects with a token or with an error.
    package static func unexpectedResponder(in response: HTTPResponse) -> String? {
        let members = JSONValue(parsing: response.body)?.object ?? [:]
        guard members.keys.allSatisfy({ !own.contains($0) }) else { return nil }
        let type = response[header: "Content-Type"].map { VisibleText.line($0, without: [], limit: 60) }
        return "HTTP status \(response.status), \(type ?? "no media type")"
    }
}
