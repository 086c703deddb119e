// Licensed under the MIT License. See LICENSE.

import MSALBase
import X509

/// The host names that a certificate authority may sign for. If its key is stolen, clients reject what it signs for any
/// other name.
///
/// Addresses have no constraint. BoringSSL, which Swift clients use, rejects every certificate with an address whose
/// authority constrains addresses (X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE). Firefox, Chromium, OpenSSL, and Go support
/// such a constraint.
///
/// Sources: RFC 5280 §4.2.1.10; RFC 2606 §2 for `example` and `test`.
enum PermittedNames {
    /// A domain permits itself and all names below it.
    private static let domains = ["localhost", "example", "test"]

    /// The extension of an authority that may also sign for these names.
    static func constraints(adding names: [String]) -> NameConstraints {
        let added = names.filter(\.isCertificateName).compactMap(domain).filter { !isPermitted($0, by: domains) }
        return NameConstraints(permittedSubtrees: (domains + added).uniqued.map { .dnsName($0) })
    }

    /// Whether an authority may sign for a name. An authority without constraints may sign for every name.
    static func allow(_ name: String, in authority: CertificateAuthority) throws -> Bool {
        guard let domain = domain(name), let permitted = try domains(of: authority) else { return true }
        return isPermitted(domain, by: permitted)
    }

    /// The domains of an authority; `nil` if it has no constraints.
    static func domains(of authority: CertificateAuthority) throws -> [String]? {
        try authority.certificate.extensions.nameConstraints?.permittedDNSDomains.map(\.self)
    }

    private static func isPermitted(_ domain: String, by domains: [String]) -> Bool {
        domains.contains { domain == $0 || domain.hasSuffix(".\($0)") }
    }

    /// The domain that permits a name: `contoso.com` permits `*.contoso.com`. No domain permits an address.
    private static func domain(_ name: String) -> String? {
        guard NetworkRange(name) == nil else { return nil }
        return name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
    }
}

extension String {
    /// Whether all clients accept a certificate with this name: a host name, an address, or `*.` followed by at least
    /// two labels.
    ///
    /// If an authority has name constraints, Firefox parses all names of a certificate. A single malformed name makes
    /// it reject the whole certificate (SEC_ERROR_BAD_DER). Such names are `*.localhost`, a wildcard before a single
    /// label, and a name whose last label has only digits.
    ///
    /// Sources: RFC 5280 §4.2.1.6; RFC 1034 §3.5; `IsValidDNSID` of mozilla::pkix.
    var isCertificateName: Bool {
        if NetworkRange(self) != nil { return !contains("/") }
        let isWildcard = hasPrefix("*.")
        let labels = dropFirst(isWildcard ? 2 : 0).split(separator: ".", omittingEmptySubsequences: false)
        return utf8.count <= 253 && labels.count >= (isWildcard ? 2 : 1) && labels.allSatisfy(Self.isLabel)
            && labels.last?.allSatisfy(\.isNumber) == false
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }
}
