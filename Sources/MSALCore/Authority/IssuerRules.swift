// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Whether metadata with `issuer` may describe `authority` (docs/reference/Protocol.md#issuer).
///
/// - Parameters:
///   - issuer: The issuer in the document. `{tenantid}` stands for the authority's tenant.
///   - authority: The authority whose metadata were requested.
///   - aliases: The environments that instance discovery names for the authority's cloud.
/// - Returns: Whether any of the rules accepts the issuer.
package func issuerIsAccepted(_ issuer: String, for authority: Authority, aliases: [String]) -> Bool {
    // OpenID Connect Discovery §4.3
    if authority.kind == .oidc { return issuer.isExactly(authority.description) }
    let issuer = issuer.naming(tenant: authority.tenant ?? "")
    guard
        let url = URL(string: issuer, encodingInvalidCharacters: false),
        let address = AuthorityAddress(url), address.isSecure  // No rule accepts anything but https.
    else { return false }
    let host = address.environment

    var isTrustedRegion: Bool { host.droppingLeftLabel.map(KnownClouds.isTrusted) ?? false }
    var isAlias: Bool { aliases.contains { $0.lowercased() == host } }
    // A host without a dot would be a top-level domain.
    var isGlobal: Bool { host.contains(".") && authority.environment.hasSuffix("." + host) }
    return host == authority.environment || KnownClouds.isTrusted(host) || isTrustedRegion || isAlias || isGlobal
        || isExternalTenantIssuer(issuer, tenant: authority.tenant)
        || authority.isServed(from: address)
}

extension OpenIDConfiguration {
    /// Whether a token with `iss` was issued by the provider that these metadata describe
    /// (docs/reference/Protocol.md#token-issuer).
    ///
    /// - Parameters:
    ///   - iss: The token's issuer.
    ///   - tid: The token's own tenant, which replaces `{tenantid}` in the metadata's issuer.
    ///   - authority: The authority from which the token was requested.
    /// - Returns: Whether the issuer matches exactly, or in one of the other forms of B2C and External ID.
    package func acceptsTokenIssuer(_ iss: String, tid: String?, authority: Authority) -> Bool {
        if iss.isExactly(tid.map(issuer.naming(tenant:)) ?? issuer) { return !iss.hasTenantPlaceholder }
        switch authority.kind {
        case .aad, .adfs, .oidc:
            return false
        case .b2c, .ciam:
            guard
                let url = URL(string: iss, encodingInvalidCharacters: false),
                let address = AuthorityAddress(url), address.isSecure
            else { return false }
            return isExternalTenantIssuer(iss, tenant: authority.tenant) || authority.isServed(from: address)
        }
    }
}

extension OpenIDConfiguration {
    /// Whether a redirect with `iss` comes from the provider that these metadata describe (RFC 9207 §2.4).
    ///
    /// - Parameters:
    ///   - iss: The parameter of the redirect. It may be missing unless the provider promises one.
    ///   - authority: The authority from which the code was requested.
    /// - Returns: Whether it would be accepted as the issuer of a token of the tenant in its path.
    package func acceptsResponseIssuer(_ iss: String?, authority: Authority) -> Bool {
        guard let iss else { return !namesIssuerInResponses }
        // The token shows later whose tenant it is.
        return acceptsTokenIssuer(iss, tid: iss.tenantIDOfIssuer, authority: authority)
    }
}

// Access tokens, which an API checks (docs/reference/TokenValidation.md#issuer).
extension OpenIDConfiguration {
    /// Whether these metadata name the issuer of a token, with `{tenantid}` replaced by the token's tenant. The two are
    /// compared exactly.
    package func names(_ iss: String, tenant: String?) -> Bool {
        iss.isExactly(tenant.map(issuer.naming(tenant:)) ?? issuer) && !iss.hasTenantPlaceholder
    }

    /// Whether the issuer is an External ID tenant, whose host is the tenant's own even if the metadata have another
    /// address.
    package var isOfExternalID: Bool { issuerAddress?.isOfExternalID == true }

    /// Whether metadata of `authority` may name this issuer and this key set.
    package func mayIssueTokens(for authority: Authority) -> Bool {
        guard let issuerAddress, authority.mayIssueTokens(from: issuerAddress),
            let keys = jwksURI.flatMap(AuthorityAddress.init), keys.isSecure
        else { return false }
        return authority.mayIssueTokens(from: keys) || KnownClouds.isTrusted(keys.environment)
    }
}

extension Authority {
    /// Whether access tokens of this authority may come from an issuer at this address, which the metadata name.
    package func mayIssueTokens(from address: AuthorityAddress) -> Bool {
        guard address.isSecure else { return false }
        if address.environment == environment { return true }
        switch kind {
        case .aad:
            guard let cloud = KnownClouds.metadata(for: environment) else {
                // An emulator and a private host issue in the public cloud's name, or in their own, and a custom domain in
                // the name of its External ID tenant.
                return ["login.microsoftonline.com", "sts.windows.net"].contains(address.environment)
                    || address.isOfExternalID
            }
            return cloud.aliases.contains(address.environment)
                || address.environment == KnownClouds.version1IssuerHost(of: cloud)
        case .ciam: return address.isOfExternalID
        case .b2c: return address.isOfB2C
        case .adfs, .oidc: return false
        }
    }
}

/// The issuer of the External ID tenant that the authority's path names.
private func isExternalTenantIssuer(_ issuer: String, tenant: String?) -> Bool {
    guard let tenant, !tenant.isEmpty else { return false }
    let base = "https://\(tenant).ciamlogin.com"
    let spelled = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    return [base, "\(base)/\(tenant)", "\(base)/\(tenant)/v2.0"].contains {
        $0.lowercasedASCII.isExactly(spelled.lowercasedASCII)
    }
}

extension Authority {
    /// B2C and External ID tenants issue from any host of their services. The leading dot excludes hosts that only end
    /// in the same letters.
    fileprivate func isServed(from address: AuthorityAddress) -> Bool {
        switch kind {
        case .b2c, .ciam: return address.isOfB2C || address.isOfExternalID
        case .aad, .adfs, .oidc: return false
        }
    }
}

extension AuthorityAddress {
    /// Whether the host is one of Azure AD B2C.
    var isOfB2C: Bool {
        [".b2clogin.com", ".b2clogin.cn", ".b2clogin.us", ".b2clogin.de"].contains { environment.hasSuffix($0) }
    }

    /// Whether the host is one of External ID.
    var isOfExternalID: Bool { environment.hasSuffix(".ciamlogin.com") }
}

extension String {
    /// The host name without its first label.
    fileprivate var droppingLeftLabel: String? {
        guard let dot = firstIndex(of: "."), dot != startIndex else { return nil }
        return String(self[index(after: dot)...])
    }

    private static let tenantPlaceholder = "{tenantid}"

    /// Whether an issuer stands for all tenants.
    package var hasTenantPlaceholder: Bool {
        // Nearly every issuer names a tenant already, and a search for the placeholder takes longer than one for its brace.
        utf8.contains(UInt8(ascii: "{")) && contains(Self.tenantPlaceholder)
    }

    /// The issuer of metadata for one tenant.
    func naming(tenant: String) -> String {
        hasTenantPlaceholder ? replacing(Self.tenantPlaceholder, with: tenant) : self
    }

    /// The tenant ID in the path of an issuer, if there is one.
    package var tenantIDOfIssuer: String? { split(separator: "/").lazy.map(String.init).first(where: \.isTenantID) }

    /// Whether the text has the form of a tenant's ID, a GUID with hyphens (RFC 9562 §4).
    package var isTenantID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }
}
