// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The URL of a service that signs users in. Two authorities are equal if their classes and normalized URLs are equal.
///
/// It is immutable and may be used from any thread.
public class MSALAuthority: NSObject, NSCopying, MSALAuthorityCreating, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses: the one stored property is a constant of a
    // Sendable type, and no subclass can be written outside this module.
    let core: Authority

    package init(core: Authority) { self.core = core }

    /// The normalized URL.
    public var url: URL { core.url }

    /// Creates an object of the class that matches `core`.
    static func make(_ core: Authority) -> MSALAuthority {
        switch core.kind {
        case .aad: MSALAADAuthority(core: core)
        case .b2c: MSALB2CAuthority(core: core)
        case .ciam: MSALCIAMAuthority(core: core)
        case .adfs: MSALADFSAuthority(core: core)
        case .oidc: MSALOIDCAuthority(core: core)
        }
    }

    /// Returns this object, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MSALAuthority else { return false }
        return type(of: self) == type(of: other) && core == other.core
    }

    public override var hash: Int { core.hashValue }

    public override var description: String { url.absoluteString }
}

/// Makes `MSALAuthority(url:)` return an object of the matching subclass, which a class's own initializer cannot do.
public protocol MSALAuthorityCreating {}

extension MSALAuthorityCreating {
    /// Creates a B2C, Entra ID, or External ID authority, depending on the URL.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL belongs to AD FS, lacks https,
    ///   or matches no type; the description says which. Correct the URL.
    public init(url: URL) throws {
        let made = try throwingNSError { () throws(AuthorityError) in MSALAuthority.make(try .guess(url)) }
        guard let authority = made as? Self else {
            throw AuthError(.unexpected, message: "\(url) is not an authority of the class \(Self.self).").nsError
        }
        self = authority
    }
}

/// Calls the authority layer and converts its error to one of the public API.
func throwingNSError<Value>(_ body: () throws(AuthorityError) -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw AuthError(error).nsError
    }
}

/// Direct AD FS, which is not supported.
public final class MSALADFSAuthority: MSALAuthority, @unchecked Sendable {
    /// Always fails.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008. Use an Entra ID authority instead.
    public convenience init(url: URL) throws {
        throw AuthError(.unexpected, message: "AD FS authorities are not supported.").nsError
    }
}

/// Any OpenID Connect issuer, such as Keycloak or Auth0. Linux only.
///
/// ```swift
/// configuration.authority = try MSALOIDCAuthority(url: URL(string: "https://sso.contoso.com/realms/staff")!)
/// ```
///
/// The issuer gets only parameters of the standards. Its metadata must name exactly this URL as the issuer; otherwise,
/// requests fail with the detail -42010. It has no tenants: a request with another authority fails with -42000, as does
/// one for a token that is bound to a key, and an account has one tenant profile. No identity broker is used, and native
/// authentication needs an ``MSALCIAMAuthority``.
public final class MSALOIDCAuthority: MSALAuthority, @unchecked Sendable {
    /// Creates an authority from the URL of the issuer, exactly as in its metadata.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL lacks https or a host, or has a
    ///   user, a query, or a fragment. Correct the URL.
    public convenience init(url: URL) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .oidc(url) })
    }
}

/// Azure AD B2C: a tenant and a policy.
///
/// A host that the library does not know must be listed in ``MSALPublicClientApplicationConfig/knownAuthorities``;
/// otherwise requests fail with the detail -42008.
public final class MSALB2CAuthority: MSALAuthority, @unchecked Sendable {
    /// Creates an authority from its URL, such as
    /// `https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL lacks https or a host. Correct
    ///   the URL.
    public convenience init(url: URL) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .b2c(url) })
    }
}

/// Microsoft Entra External ID: customer accounts.
public final class MSALCIAMAuthority: MSALAuthority, @unchecked Sendable {
    /// Creates an authority from its URL; custom domains are accepted.
    ///
    /// `https://contoso.ciamlogin.com` without a path gets `/contoso.onmicrosoft.com`.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL lacks https or a host name with
    ///   a dot. Correct the URL.
    public convenience init(url: URL) throws { try self.init(url: url, validateFormat: false) }

    /// Creates an authority from its URL; with `validateFormat`, only hosts of the form `<name>.ciamlogin.com` are
    /// accepted.
    ///
    /// - Throws: The same errors as ``init(url:)``, also for hosts that are not accepted.
    public convenience init(url: URL, validateFormat: Bool) throws {
        self.init(core: try throwingNSError { () throws(AuthorityError) in try .ciam(url, strict: validateFormat) })
    }
}
