// Licensed under the MIT License. See LICENSE.

package import Foundation

extension Authority {
    /// The authority under which this one is cached: `organizations` becomes `common`
    /// (docs/reference/Protocol.md#entra-authority).
    package var universal: Authority { tenantKind == .organizations ? replacingTenant("common") : self }

    /// The same authority for another tenant, such as the token's tenant after a sign-in.
    ///
    /// Nothing changes if the URL has no tenant to replace, or if `tenant` cannot be part of a URL.
    package func replacingTenant(_ tenant: String) -> Authority {
        guard let segment = Authority.encodedSegment(tenant) else { return self }
        let path: String
        switch kind {
        case .aad:
            path = segment
        case .b2c:
            guard address.hasPolicyFormat else { return self }
            path = "\(address.segments[0])/\(segment)/\(address.segments[2])"
        case .ciam:
            guard address.hasExternalTenantHost else { return self }
            path = segment
        case .adfs, .oidc:
            return self
        }
        if url.absoluteString == "https://\(environment)/\(path)" { return self }
        return (try? Authority.make(kind, at: environment, path: path)) ?? self  // A segment cannot break a URL.
    }

    /// The authority at another host.
    ///
    /// - Parameter host: A host with an optional port. Any other text changes nothing.
    /// - Returns: The authority with `host` and an unchanged path.
    package func replacingHost(_ host: String) -> Authority {
        let host = host.lowercased()
        guard host != environment, AuthorityAddress.isEnvironment(host) else { return self }
        let url = address.replacingEnvironment(host, of: url)
        guard let address = AuthorityAddress(url) else { return self }
        return Authority(kind, url: url, address: address)
    }

    /// The authority that a request uses: its own, which must be of the configured kind, or else the configured one.
    ///
    /// - Throws: `.invalidParameter` if the kinds differ (docs/reference/Protocol.md#silent-authority), or if the configured
    ///   authority is an OpenID Connect issuer, which has no other tenants.
    package func overridden(by requested: Authority?) throws(AuthorityError) -> Authority {
        guard let requested else { return self }
        guard requested.kind == kind else {
            throw AuthorityError(
                .invalidParameter,
                message: "The request's authority and the configured one (\(url)) are of different kinds."
            )
        }
        guard kind != .oidc || requested == self else {
            throw AuthorityError(
                .invalidParameter,
                message: "The issuer \(url) has no tenants, so a request cannot name \(requested.url). "
                    + "Create an application object for each issuer."
            )
        }
        return requested
    }

    /// The authority of a silent request for which this one was requested or configured
    /// (docs/reference/Protocol.md#silent-authority).
    ///
    /// - Parameters:
    ///   - accountTenantID: The home tenant of the account.
    ///   - map: The URLs to which earlier requests of the account have led, from the account's metadata.
    /// - Returns: The mapped authority, or else this one. If it names no single tenant, it gets the account's tenant.
    package func silentAuthority(accountTenantID: String?, map: [String: URL]) -> Authority {
        let text = url.absoluteString
        let mapped = map[text] ?? map.first { $0.key.caseInsensitiveCompare(text) == .orderedSame }?.value
        if let mapped, let authority = try? sibling(mapped) {  // A stored URL in another form is ignored.
            return authority
        }
        guard kind == .aad, let accountTenantID else { return self }
        switch tenantKind {
        case .common, .consumers:
            return replacingTenant(accountTenantID)
        case .organizations:
            let isPersonal = accountTenantID.lowercased() == Authority.personalTenantID
            return isPersonal ? self : replacingTenant(accountTenantID)
        case .identifier:
            return self
        }
    }

    /// This authority in the user's cloud, which the redirect names (docs/reference/Protocol.md#other-clouds).
    ///
    /// The browser is untrusted input, so a host that is neither trusted nor discovered changes nothing. A private
    /// authority also stays, because only the clouds of Microsoft know each other's users.
    ///
    /// - Parameters:
    ///   - host: The value of `cloud_instance_host_name`.
    ///   - discoveredNetworks: ``AuthorityResolver/discoveredNetworks``.
    /// - Returns: The authority for the code's redemption and for the cache.
    package func applyingCloudHost(_ host: String, discoveredNetworks: Set<String>) -> Authority {
        let host = host.lowercased()
        let discovered = Set(discoveredNetworks.map { $0.lowercased() })
        let isCloud = { KnownClouds.isTrusted($0) || discovered.contains($0) }
        guard kind == .aad, isCloud(environment), isCloud(host) else { return self }
        return replacingHost(host)
    }
}

// MARK: - Addresses below an authority

extension Authority {
    /// The endpoints whose URLs are known without metadata (docs/reference/Protocol.md#endpoints).
    package enum Endpoint: String, Sendable {
        case authorize
        case token
    }

    /// The URL of `endpoint` unless the metadata name another.
    package func endpoint(_ endpoint: Endpoint) -> URL {
        switch kind {
        case .aad, .b2c, .ciam, .oidc: appending("oauth2/v2.0/\(endpoint.rawValue)")
        case .adfs: appending("oauth2/\(endpoint.rawValue)")
        }
    }

    /// The URL of the OpenID Connect metadata (docs/reference/Protocol.md#metadata).
    package var openIDConfigurationURL: URL {
        switch kind {
        case .aad, .b2c, .ciam: appending("v2.0/.well-known/openid-configuration")
        case .adfs, .oidc: appending(".well-known/openid-configuration")
        }
    }

    /// The URL of `path` below the authority. The path is percent-encoded and has no leading slash.
    package func appending(_ path: String) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        let base = components.percentEncodedPath
        components.percentEncodedPath = (base.hasSuffix("/") ? base : base + "/") + path
        return components.url ?? url
    }
}
