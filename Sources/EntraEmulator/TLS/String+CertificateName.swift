// Licensed under the MIT License. See LICENSE.

import MSALBase

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
