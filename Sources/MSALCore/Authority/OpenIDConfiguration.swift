// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// The metadata document of an OpenID Connect provider, reduced to the members used here (OpenID Connect Discovery §3).
///
/// Every endpoint is https and keeps its query.
package struct OpenIDConfiguration: Sendable, Hashable {
    /// The issuer, unchanged. It may contain the placeholder `{tenantid}`.
    package let issuer: String
    /// `issuer` with `common` for the placeholder. It is `nil` if that is not a URL.
    let issuerAddress: AuthorityAddress?
    /// The tenant in `issuer`, in lower case, or `nil` if the issuer stands for all tenants or has a name of its own.
    package let issuerTenantID: String?
    package let authorizationEndpoint: URL
    package let tokenEndpoint: URL
    package let endSessionEndpoint: URL?
    /// Where a device without a browser gets its codes (RFC 8628 §4).
    package let deviceAuthorizationEndpoint: URL?
    package let jwksURI: URL?
    /// The values of `response_modes_supported`. The list is empty if the document has none.
    package let responseModes: [String]
    /// Whether every redirect of the authorization endpoint names the issuer (RFC 9207 §3).
    package let namesIssuerInResponses: Bool
    /// The host of the cloud's Microsoft Graph, with a port unless that is 443. It is `nil` if the document names none.
    package let graphHost: String?
    /// The name of the cloud, which keys may name too.
    package let cloudInstanceName: String?

    /// Reads the document.
    ///
    /// - Throws: `.invalidResponse` if it is not a JSON object, lacks `issuer`, `authorization_endpoint`, or
    ///   `token_endpoint`, or contains an endpoint that is not an https URL.
    package init(parsing data: Data) throws(AuthorityError) {
        guard let members = JSONValue(parsing: data)?.object else {
            throw AuthorityError(
                .invalidResponse,
                message: "The OpenID Connect metadata are not a JSON object. \(HTTPResponse.portalHint)"
            )
        }
        guard let issuer = members["issuer"]?.string else {
            throw AuthorityError(.invalidResponse, message: "The OpenID Connect metadata have no issuer.")
        }
        self.issuer = issuer
        issuerAddress = URL(string: issuer.naming(tenant: "common"), encodingInvalidCharacters: false)
            .flatMap(AuthorityAddress.init)
        issuerTenantID = issuer.tenantIDOfIssuer?.lowercased()
        authorizationEndpoint = try Self.required("authorization_endpoint", in: members)
        tokenEndpoint = try Self.required("token_endpoint", in: members)
        endSessionEndpoint = try Self.endpoint("end_session_endpoint", in: members)
        // With an invalid entry, only device code sign-in is unavailable.
        deviceAuthorizationEndpoint = (try? Self.endpoint("device_authorization_endpoint", in: members)) ?? nil
        jwksURI = try Self.endpoint("jwks_uri", in: members)
        responseModes = members["response_modes_supported"]?.array?.compactMap(\.string) ?? []
        namesIssuerInResponses = members["authorization_response_iss_parameter_supported"] == .bool(true)
        cloudInstanceName = members["cloud_instance_name"]?.string
        graphHost = members["msgraph_host"]?.string.flatMap { AuthorityAddress.isEnvironment($0) ? $0 : nil }
    }

    private static func required(_ name: String, in members: [String: JSONValue]) throws(AuthorityError) -> URL {
        guard let url = try endpoint(name, in: members) else {
            throw AuthorityError(.invalidResponse, message: "The OpenID Connect metadata have no \(name).")
        }
        return url
    }

    private static func endpoint(_ name: String, in members: [String: JSONValue]) throws(AuthorityError) -> URL? {
        guard let value = members[name], value != .null else { return nil }
        guard
            let url = value.string.flatMap({ HTTPAddress($0) })?.url, url.scheme?.lowercased() == "https"
        else {
            throw AuthorityError(
                .invalidResponse,
                message: "\(name) in the OpenID Connect metadata is not an https URL."
            )
        }
        return url
    }
}
