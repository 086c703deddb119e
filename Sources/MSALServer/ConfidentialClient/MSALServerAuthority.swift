// Licensed under the MIT License. See LICENSE.

public import Foundation
package import MSALCore

/// The authority at which a confidential client is registered: a tenant of a cloud, or an authority URL.
public struct MSALServerAuthority: Sendable {
    private let make: @Sendable () throws(AuthorityError) -> Authority

    /// A tenant of Microsoft Entra ID, by its id or one of its domains. `host` is the host of the cloud, or its https
    /// URL. The tenant `adfs` means AD FS at that host, as in other libraries.
    public static func tenant(_ tenant: String, host: String = "login.microsoftonline.com") -> MSALServerAuthority {
        MSALServerAuthority { () throws(AuthorityError) in
            guard let address = AuthorityHost.address(host) else {
                throw AuthorityError(
                    .invalidParameter,
                    message: "The host of the authority is neither a host nor an https address."
                )
            }
            guard !isFederation(tenant) else { return try .adfs(address.appending(path: tenant)) }
            let authority = try Authority.aad(address.appending(path: "common"), rawTenant: tenant)
            try authority.checkHost()
            return authority
        }
    }

    /// Any organization. A call for an application token names the tenant in its options.
    public static let organizations = tenant("organizations")

    /// An authority by its URL, such as `https://login.microsoftonline.com/<tenant>`, `https://<name>.ciamlogin.com`,
    /// the URL of a B2C policy, or `https://<host>/adfs`. The metadata URL of a policy or of an External ID tenant, as
    /// the portal shows it, is accepted, too. A custom domain needs the tenant: `https://<domain>/<tenant>`, and for
    /// B2C `https://<domain>/<tenant>/<policy>`.
    public static func url(_ url: URL) -> MSALServerAuthority {
        MSALServerAuthority { () throws(AuthorityError) in
            if isFederation(url.path().split(separator: "/").first ?? "") { return try .adfs(url) }
            return try .configured(url)
        }
    }

    /// An authority by its URL as text. If the text is not a URL, creating the application object fails.
    public static func url(_ text: String) -> MSALServerAuthority {
        MSALServerAuthority { () throws(AuthorityError) in try Self.url(Authority.url(text)).make() }
    }

    /// Any OpenID Connect issuer, such as Keycloak or Auth0, by its URL exactly as in its metadata.
    ///
    /// The issuer gets only parameters of the standards, and its metadata must name exactly this URL. An application then
    /// has no tenants, regions, agents, mutual TLS, or tokens on behalf of users, and requests its own tokens with any
    /// scopes. `MSALTokenValidator` does not accept the issuer's tokens.
    ///
    /// ```swift
    /// let configuration = MSALConfidentialClientConfiguration(
    ///     clientId: clientID,
    ///     authority: .oidc("https://sso.contoso.com/realms/staff"),
    ///     credential: .secret(secret)
    /// )
    /// ```
    public static func oidc(_ issuer: String) -> MSALServerAuthority {
        MSALServerAuthority { () throws(AuthorityError) in try .oidc(Authority.url(issuer)) }
    }

    /// Whether a tenant is the one that stands for AD FS, which has no tenants.
    static func isFederation(_ tenant: some StringProtocol) -> Bool { tenant.lowercased() == "adfs" }

    /// The authority itself.
    ///
    /// - Throws: `.configuration` with the fault of the address.
    package func authority() throws(MSALTokenError) -> Authority {
        do throws(AuthorityError) {
            return try make()
        } catch {
            throw MSALTokenError(error)
        }
    }
}
