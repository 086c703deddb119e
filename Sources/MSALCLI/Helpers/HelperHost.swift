// Licensed under the MIT License. See LICENSE.

import Foundation

/// Decides whether a host that a program names may get a token.
struct HelperHost: Equatable {
    /// Whether a host that a program names may get a token.
    enum Decision: Equatable {
        /// The host is one of the allowed ones, in its only accepted spelling.
        case known
        /// The host looks like an allowed one, but its spelling is unusual. The command does not guess.
        case refused(String)
        /// The host is another one. Other helpers may know it.
        case foreign
    }

    /// Hosts that have exactly this name.
    var names: [String] = []
    /// Domains of which every host is accepted: `visualstudio.com` covers `contoso.visualstudio.com`.
    var domains: [String] = []

    /// The longest host name (RFC 1035 §2.3.4).
    private static let maximumLength = 253

    /// Compares whole labels. The names of these hosts have only lower-case letters, digits and hyphens.
    func decision(_ host: String) -> Decision {
        if isKnown(host) { return .known }
        let core = Self.core(of: host)
        guard isKnown(core) else { return .foreign }
        let reason: String
        if host.contains("@") {
            reason = "contains a user name"
        } else if host.contains("/") || host.contains("\\") || host.contains("?") || host.contains("#") {
            reason = "contains a path"
        } else if host.contains(":") {
            reason = "contains a port"
        } else {
            reason = "must be lowercase, without a space or a trailing dot"
        }
        return .refused(reason)
    }

    private func isKnown(_ host: String) -> Bool {
        guard host.utf8.count <= Self.maximumLength else { return false }
        if names.contains(host) { return true }
        return domains.contains { domain in
            guard host.hasSuffix("." + domain) else { return false }
            return host.dropLast(domain.count + 1).split(separator: ".", omittingEmptySubsequences: false)
                .allSatisfy { label in
                    !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                        && label.utf8.allSatisfy(Self.isInLabel)
                }
        }
    }

    private static func isInLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The host in lower case, without user name, port and path.
    private static func core(of text: String) -> String {
        let host = text.prefix { !"/\\?#".contains($0) }
        let bare = host.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        var name = bare.prefix { $0 != ":" }.lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        return name.trimmingCharacters(in: .whitespaces)
    }
}
