// Licensed under the MIT License. See LICENSE.

import Crypto
package import Foundation
import MSALBase

/// The URL where users sign in: a host, usually with a tenant or a policy (docs/reference/Protocol.md#authorities).
///
/// An authority is always https and well formed, because only the factories in the extension create one. Two
/// authorities are equal if they have the same kind and the same normalized URL.
package struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// The rules that apply to an authority.
    package enum Kind: String, Sendable {
        /// Microsoft Entra ID.
        case aad
        /// Azure AD B2C.
        case b2c
        /// Microsoft Entra External ID.
        case ciam
        /// Active Directory Federation Services.
        case adfs
        /// Any other OpenID Connect issuer. It gets no parameter or header that only Microsoft knows.
        case oidc
    }

    /// The accounts that the tenant segment of an Entra ID authority admits.
    package enum TenantKind: String, Sendable {
        case common
        case organizations
        case consumers
        /// A tenant's GUID or domain.
        case identifier
    }

    /// The tenant of all personal Microsoft accounts.
    package static let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// A class, because an authority is copied with each request and stored with each token in memory.
    private final class Parts: Sendable {
        let kind: Kind
        let url: URL
        let address: AuthorityAddress
        // Each request reads `segments` and `isLoopback` several times, so they are computed once.
        let segments: [String]
        let isLoopback: Bool

        init(_ kind: Kind, url: URL, address: AuthorityAddress) {
            self.kind = kind
            self.url = url
            self.address = address
            segments = address.segments
            isLoopback = address.isLoopback
        }
    }

    private let parts: Parts

    package var kind: Kind { parts.kind }
    /// The normalized URL, in the form MSAL for iOS prints.
    package var url: URL { parts.url }
    package var address: AuthorityAddress { parts.address }

    init(_ kind: Kind, url: URL, address: AuthorityAddress) {
        parts = Parts(kind, url: url, address: address)
    }

    /// The host in lower case, with its port unless that is 443.
    package var environment: String { address.environment }

    /// The tenant segment, encoded as in the URL; `nil` if the path has no tenant.
    package var tenant: String? {
        switch kind {
        case .aad, .ciam: parts.segments.first
        case .b2c: address.hasPolicyFormat ? parts.segments[1] : nil
        case .adfs, .oidc: nil
        }
    }

    /// The part of cache keys that distinguishes tenants. It is in lower case for Entra ID.
    package var realm: String? {
        switch kind {
        case .aad: tenant?.lowercased()
        case .ciam: tenant
        case .b2c: tenant ?? address.path
        case .adfs, .oidc: nil
        }
    }

    /// The part that distinguishes the issuer in the identifiers of its accounts, where Microsoft's accounts have a tenant. It
    /// is `nil` unless the authority is an OpenID Connect issuer.
    package var issuerID: String? { kind == .oidc ? Hexadecimal.text(SHA256.hash(data: Data(description.utf8))) : nil }

    /// The accounts that the tenant admits. It is `.identifier` for every kind but Entra ID.
    package var tenantKind: TenantKind {
        guard kind == .aad, let tenant else { return .identifier }
        // Every silent call reads this. Foundation decodes slowly, and tenants are rarely encoded.
        let isEncoded = tenant.utf8.contains(UInt8(ascii: "%"))
        let name = isEncoded ? tenant.removingPercentEncoding?.trimmingCharacters(in: .whitespaces) : tenant
        return TenantKind(rawValue: (name ?? tenant).lowercased()) ?? .identifier
    }

    /// Whether the host is one of ``KnownClouds/trustedHosts``.
    package var isHostKnown: Bool { KnownClouds.isTrusted(environment) }

    /// Whether the host is this machine.
    package var isLoopback: Bool { parts.isLoopback }

    package var description: String { url.absoluteString }

    package static func == (left: Authority, right: Authority) -> Bool {
        left.parts === right.parts || left.kind == right.kind && left.url == right.url
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(url)
    }
}
