// Licensed under the MIT License. See LICENSE.

package import Foundation
import HTTPGuards
import MSALBase

extension Authority {
    /// The authority of an app that configures none. It admits all Entra ID and personal accounts of the public cloud.
    package static let `default` = checked(.aad, at: "login.microsoftonline.com", tenant: "common")

    /// Parses the URL of an authority.
    ///
    /// - Throws: `.unexpected` if `text` is blank or not a URL.
    package static func url(_ text: String) throws(AuthorityError) -> URL {
        guard !text.allSatisfy(\.isWhitespace), let url = URL(string: text) else {
            throw AuthorityError(.unexpected, message: "The authority URL is missing or is not a valid URL.")
        }
        return url
    }

    /// An Entra ID authority. The path after the tenant is dropped, and `rawTenant` replaces the tenant.
    ///
    /// - Throws: `.unexpected` without https or tenant; `.invalidParameter` if the URL has the form of another kind.
    package static func aad(_ url: URL, rawTenant: String? = nil) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        guard !address.isFederationPath, !address.hasPolicyFormat, !address.hasExternalTenantHost else {
            let path = rawTenant.map { "/\($0)" } ?? address.path
            throw AuthorityError(
                .invalidParameter,
                message:
                    "https://\(address.environment)\(path) is an AD FS, B2C, or External ID authority, not Entra ID. "
                    + "Pass it as a URL."
            )
        }
        guard let segment = address.segments.first, !address.isTenantName else { throw address.tenantNeeded }
        return try make(.aad, at: address.environment, path: try rawTenant.map(pathSegment) ?? segment)
    }

    /// An Entra ID authority at a host. Without `rawTenant` the tenant is `common`.
    ///
    /// - Throws: `.invalidParameter` if the host is blank, and the errors of ``aad(_:rawTenant:)``.
    package static func aad(host: String, rawTenant: String? = nil) throws(AuthorityError) -> Authority {
        guard !host.allSatisfy(\.isWhitespace) else {
            throw AuthorityError(.invalidParameter, message: "The host of the authority is blank.")
        }
        return try aad(try url("https://\(host)/common"), rawTenant: rawTenant)
    }

    /// An Entra ID authority for an audience.
    ///
    /// - Parameters:
    ///   - host: The host of a cloud, usually of ``AzureCloud``, or `nil` for a cloud that this library does not know.
    ///   - audience: The accounts that may sign in.
    ///   - rawTenant: The tenant for `.myOrganization`, and for no other audience.
    /// - Returns: The authority with the tenant segment of the audience.
    /// - Throws: `.invalidParameter` if the host or the tenant is missing, or if a tenant is given for another
    ///   audience.
    package static func aad(
        host: String?,
        audience: AADAudience,
        rawTenant: String?
    ) throws(AuthorityError) -> Authority {
        guard let host else { throw AuthorityError(.invalidParameter, message: "The cloud instance is unknown.") }
        let segment: String
        switch audience {
        case .organizationsAndPersonal: segment = "common"
        case .organizations: segment = "organizations"
        case .personal: segment = "consumers"
        case .myOrganization:
            guard let rawTenant, !rawTenant.allSatisfy(\.isWhitespace) else {
                throw AuthorityError(.invalidParameter, message: "The audience of one organization needs a tenant.")
            }
            return try aad(host: host, rawTenant: rawTenant)
        }
        guard rawTenant == nil else {
            throw AuthorityError(
                .invalidParameter,
                message: "A tenant can be set only for the audience of one organization."
            )
        }
        return try aad(host: host, rawTenant: segment)
    }

    /// A B2C authority.
    ///
    /// - Parameters:
    ///   - url: The URL of a policy or of one of its endpoints, as shown in the portal.
    ///   - strict: Whether the path must begin with `/tfp/<tenant>/<policy>`. The rest of the path is then dropped.
    ///     Otherwise only query and fragment are dropped, because custom domains have other paths.
    ///   - rawTenant: The tenant that replaces the one in the URL. It is ignored unless `strict`.
    /// - Returns: The authority of the policy.
    /// - Throws: `.unexpected` without https, for a host of B2C without a policy, or in another format if `strict`.
    package static func b2c(
        _ url: URL,
        strict: Bool = false,
        rawTenant: String? = nil
    ) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        guard strict else {
            guard !address.hasPolicyFormat, let path = address.policyPath(of: url) else {
                if address.isOfB2C, !address.hasPolicyFormat { throw address.policyNeeded }
                return try verbatim(.b2c, at: url)
            }
            let rest = address.segments.dropFirst(2)
            let isWhole = path == address.segments.joined(separator: "/") || rest.first.map(isEndpoint) == false
            return isWhole ? try verbatim(.b2c, at: url) : try make(.b2c, at: address.environment, path: path)
        }
        guard address.hasPolicyFormat else {
            throw AuthorityError(
                .unexpected,
                message: "A B2C authority needs at least 3 path segments: https://<host>/tfp/<tenant>/<policy>."
            )
        }
        let segments = address.segments
        let tenant = try rawTenant.map(pathSegment) ?? segments[1]
        return try make(.b2c, at: address.environment, path: "\(segments[0])/\(tenant)/\(segments[2])")
    }

    /// An External ID authority. The URL `https://<name>.ciamlogin.com` gets the tenant `<name>.onmicrosoft.com`.
    ///
    /// - Parameters:
    ///   - url: The URL of a tenant, of its issuer, or of one of its endpoints; the host without a path also works.
    ///   - strict: Whether the host must be a subdomain of a `ciamlogin` domain. Otherwise custom domains are accepted.
    ///   - rawTenant: The tenant that replaces the one in the URL. It is ignored on custom domains.
    /// - Returns: The authority of the tenant.
    /// - Throws: `.unexpected` without https, for a host of one label, or for another host if `strict`.
    package static func ciam(
        _ url: URL,
        strict: Bool = false,
        rawTenant: String? = nil
    ) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        let labels = address.host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 || address.host.hasPrefix("[") else {
            throw AuthorityError(
                .unexpected,
                message: "An External ID authority needs a host name with at least two labels."
            )
        }
        guard address.hasExternalTenantHost || !strict else {
            throw AuthorityError(
                .unexpected,
                message: "The host is not an External ID host such as https://<name>.ciamlogin.com."
            )
        }
        if let rawTenant, address.hasExternalTenantHost {
            return try make(.ciam, at: address.environment, path: try pathSegment(rawTenant))
        }
        if address.segments.dropFirst().first.map(isEndpoint) == true {
            return try make(.ciam, at: address.environment, path: address.segments[0])
        }
        guard address.segments.isEmpty, address.hasExternalTenantHost else { return try verbatim(.ciam, at: url) }
        return try make(.ciam, at: address.environment, path: "\(labels[0]).onmicrosoft.com")
    }

    /// An AD FS authority (docs/reference/Protocol.md#core-only).
    ///
    /// - Throws: `.unexpected` without https, or if the first segment of the path is not `adfs`.
    package static func adfs(_ url: URL) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        guard address.isFederationPath else {
            throw AuthorityError(.unexpected, message: "The path of an AD FS authority is /adfs.")
        }
        return try make(.adfs, at: address.environment, path: "adfs")
    }

    /// Any OpenID Connect issuer, by its URL (docs/reference/Protocol.md#oidc-authority).
    ///
    /// - Throws: `.unexpected` without https, or with a user, a query, or a fragment.
    package static func oidc(_ url: URL) throws(AuthorityError) -> Authority {
        // OpenID Connect Discovery §3
        guard url.user() == nil, url.query() == nil, url.fragment() == nil else {
            throw AuthorityError(
                .unexpected,
                message: "An issuer has no user, query, or fragment. Use the issuer's exact URL."
            )
        }
        return try verbatim(.oidc, at: url)
    }

    /// Infers the kind of an authority from its URL (docs/reference/Protocol.md#guessing).
    ///
    /// - Throws: `.unexpected` if the URL is an AD FS authority, is not https, or matches no kind. `.invalidParameter`
    ///   does not occur.
    package static func guess(_ url: URL) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        if address.hasPolicyFormat { return try b2c(url, strict: true) }
        guard !address.isFederationPath else {
            throw AuthorityError(.unexpected, message: "AD FS authorities are not supported.")
        }
        return try address.hasExternalTenantHost ? ciam(url, strict: true) : aad(url)
    }

    /// The authority from a server's settings, which contain only its URL. A B2C policy is recognized in every form.
    ///
    /// - Throws: The errors of ``guess(_:)`` and ``b2c(_:strict:rawTenant:)``.
    package static func configured(_ url: URL) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        let isPolicy = address.isOfB2C || address.policyPath(of: url) != nil
        return try isPolicy && !address.hasPolicyFormat ? b2c(url) : guess(url)
    }

    /// Checks that the host is not a B2C host, whose authorities need a policy (docs/reference/Protocol.md#guessing).
    ///
    /// - Throws: `.unexpected`, with the URL to use.
    package func checkHost() throws(AuthorityError) {
        if kind == .aad, address.isOfB2C { throw address.policyNeeded }
    }

    /// Another authority of the same kind, given by its URL.
    func sibling(_ url: URL) throws(AuthorityError) -> Authority {
        switch kind {
        case .aad: try .aad(url)
        case .b2c: try .b2c(url)
        case .ciam: try .ciam(url)
        case .adfs: try .adfs(url)
        case .oidc: try .oidc(url)
        }
    }
}

// MARK: - Forms

extension AuthorityAddress {
    /// Whether the path is `/tfp/<tenant>/<policy>`, the form in which a B2C tenant can be recognized and replaced.
    var hasPolicyFormat: Bool {
        let segments = segments
        return segments.count >= 3 && segments[0].lowercased() == "tfp"
    }

    /// Whether the host is `<name>.ciamlogin.<…>`, the form in which an External ID tenant can be replaced.
    var hasExternalTenantHost: Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 3 && labels[1] == "ciamlogin"
    }

    /// Whether this is the path of an AD FS authority.
    var isFederationPath: Bool { segments.first?.lowercased() == "adfs" }

    /// The path `<tenant>/<policy>` of a B2C URL without `tfp`. The policy may be the query's `p` instead, as in the portal.
    /// It is `nil` if the URL names no policy.
    fileprivate func policyPath(of url: URL) -> String? {
        guard let tenant = segments.first, tenant.lowercased() != "tfp" else { return nil }
        let next = segments.dropFirst().first
        if let next, !isEndpoint(next) { return isOfB2C || isPolicyName(next) ? "\(tenant)/\(next)" : nil }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        guard let policy = items.first(where: { $0.name == "p" })?.value, isOfB2C || isPolicyName(policy),
            let segment = Authority.encodedSegment(policy)
        else { return nil }
        return "\(tenant)/\(segment)"
    }

    /// Whether the host is the name of a tenant, at which no user can sign in.
    fileprivate var isTenantName: Bool { host.hasSuffix(".onmicrosoft.com") }

    /// The error for a URL of Entra ID without a tenant, or with a tenant's name as its host.
    fileprivate var tenantNeeded: AuthorityError {
        let own = "https://\(environment)/<tenant>"
        let ofName = "https://\(KnownClouds.discoveryHost)/\(host)"
        let remedy =
            if isTenantName { ofName } else if isLoopback || KnownClouds.isTrusted(environment) { own } else {
                "\(ofName), or \(own) for a custom domain"
            }
        return AuthorityError(.unexpected, message: "The authority URL needs a host and a tenant: \(remedy).")
    }

    /// The error for a host of B2C without a policy.
    fileprivate var policyNeeded: AuthorityError {
        let tenant = segments.first { $0.lowercased() != "tfp" } ?? "\(host.prefix { $0 != "." }).onmicrosoft.com"
        return AuthorityError(
            .unexpected,
            message: "An authority of Azure AD B2C needs a policy: https://\(environment)/tfp/\(tenant)/<policy>."
        )
    }
}

/// Whether a path segment begins a service endpoint and is not a policy.
private func isEndpoint(_ segment: String) -> Bool {
    ["v2.0", "oauth2", "discovery", ".well-known"].contains(segment.lowercased())
}

/// Whether a text has the prefix of all policy names (Azure AD B2C, "User flows and custom policies overview").
private func isPolicyName(_ text: String) -> Bool { text.lowercased().hasPrefix("b2c_1") }

extension Authority {
    /// Parses `url` and makes the checks common to all kinds (docs/reference/Protocol.md#authority-checks).
    private static func secureAddress(_ url: URL) throws(AuthorityError) -> AuthorityAddress {
        guard url.scheme?.lowercased() == "https" else {
            throw AuthorityError(
                .unexpected,
                message: "The authority URL must begin with https:// (HTTPS is required)."
            )
        }
        guard let address = AuthorityAddress(url) else {
            throw AuthorityError(.unexpected, message: "The authority URL has no host.")
        }
        let length = url.absoluteString.utf8.count
        guard length <= HTTPAddress.maximumLength else {
            throw AuthorityError(
                .unexpected,
                message:
                    "The authority URL has \(length) characters; at most \(HTTPAddress.maximumLength) are accepted."
            )
        }
        guard ServerAddress.hasPossiblePort(url.absoluteString) else {
            throw AuthorityError(
                .unexpected,
                message: "The port in the authority URL does not exist. A port is a number from 1 to 65535."
            )
        }
        return address
    }

    /// The path segment for a tenant that was passed separately from the URL.
    ///
    /// - Throws: `.invalidParameter` if it is blank or changes the path.
    private static func pathSegment(_ text: String) throws(AuthorityError) -> String {
        guard let segment = encodedSegment(text) else {
            throw AuthorityError(
                .invalidParameter,
                message: "The tenant \"\(text)\" cannot be part of an authority URL."
            )
        }
        return segment
    }

    /// Percent-encodes `text` as one path segment. The result is `nil` if it is blank or a relative segment.
    static func encodedSegment(_ text: String) -> String? {
        guard !text.allSatisfy(\.isWhitespace), text != ".", text != ".." else { return nil }
        // A tenant's ID needs no encoding, and creating a character set is expensive.
        if text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }) {
            return text
        }
        return text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["/"]))
    }

    /// The authority at `environment` with `path`, which is percent-encoded and has no leading slash.
    static func make(_ kind: Kind, at environment: String, path: String) throws(AuthorityError) -> Authority {
        let url = try url("https://\(environment)/\(path)")
        return Authority(kind, url: url, address: try secureAddress(url))
    }

    /// The authority with an unchanged URL, except that query, fragment, user, and port 443 are dropped.
    private static func verbatim(_ kind: Kind, at url: URL) throws(AuthorityError) -> Authority {
        let address = try secureAddress(url)
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw AuthorityError(.unexpected, message: "The parts of the authority URL cannot be read.")
        }
        components.scheme = "https"
        components.user = nil
        components.password = nil
        components.fragment = nil
        if components.port == 443 { components.port = nil }
        components.encodedHost = components.encodedHost?.lowercased()
        components.query = nil
        guard let url = components.url else {
            throw AuthorityError(.unexpected, message: "The parts of the authority URL do not make a URL.")
        }
        return Authority(kind, url: url, address: address)
    }

    /// An authority built from constants of this library.
    private static func checked(_ kind: Kind, at environment: String, tenant: String) -> Authority {
        guard let authority = try? make(kind, at: environment, path: tenant) else {
            preconditionFailure("The constant \(environment)/\(tenant) is not an authority")
        }
        return authority
    }
}
