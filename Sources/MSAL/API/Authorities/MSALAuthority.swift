// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The URL of a service that signs users in. Two authorities are equal if their class and normalised URL are.
///
/// It never changes, so it may be used from any thread.
public class MSALAuthority: NSObject, NSCopying, MSALAuthorityCreating, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses: the one stored property is a constant of a
    // Sendable type, and no subclass can be written outside this module.
    let core: Authority

    package init(core: Authority) {
        self.core = core
    }

    /// The normalised URL.
    public var url: URL { core.url }

    /// The object of the class that fits `core`.
    static func make(_ core: Authority) -> MSALAuthority {
        switch core.kind {
        case .aad: MSALAADAuthority(core: core)
        case .b2c: MSALB2CAuthority(core: core)
        case .ciam: MSALCIAMAuthority(core: core)
        case .adfs: MSALADFSAuthority(core: core)
        case .oidc: MSALAuthority(core: core)
        }
    }

    /// Returns this object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MSALAuthority else { return false }
        return type(of: self) == type(of: other) && core == other.core
    }

    public override var hash: Int { core.hashValue }

    public override var description: String { url.absoluteString }
}

/// Lets `MSALAuthority(url:)` return an object of the fitting subclass. A class's own initialiser cannot do that.
public protocol MSALAuthorityCreating {}

extension MSALAuthorityCreating {
    /// Makes a B2C, Entra ID or External ID authority, as the URL has it.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the URL is that of AD FS, lacks https
    ///   or fits no kind; the description says which. Correct the URL.
    public init(url: URL) throws {
        let made = try throwingNSError { () throws(AuthorityError) in MSALAuthority.make(try .guess(url)) }
        guard let authority = made as? Self else {
            throw AuthError(.unexpected, message: "\(url) is not an authority of the class \(Self.self).").nsError
        }
        self = authority
    }
}

/// Runs a core call of the authority layer and throws its failure as an error of the public API.
func throwingNSError<Value>(_ body: () throws(AuthorityError) -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw AuthError(error).nsError
    }
}
