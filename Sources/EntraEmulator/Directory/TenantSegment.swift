// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The part of a path before the endpoint: a tenant and, with Azure AD B2C, a policy.
struct TenantSegment: Sendable, Equatable, CustomStringConvertible {
    let tenant: String
    /// The name of a B2C user flow, such as `B2C_1_susi`.
    let policy: String?

    /// Parses the beginning of a path; `nil` for an empty path.
    ///
    /// `queryPolicy`: The parameter `p`, the older form of the policy.
    init?(path segments: [String], queryPolicy: String?) {
        let segments = Self.withoutPrefix(segments)
        guard let tenant = segments.first else { return nil }
        self.tenant = tenant
        let second = segments.dropFirst().first
        policy = [second, queryPolicy].compactMap(\.self).first(where: Self.isPolicy)
    }

    /// The path after tenant and policy.
    static func endpoint(of segments: [String]) -> [String] {
        let rest = withoutPrefix(segments).dropFirst()
        return Array(rest.first.map(isPolicy) == true ? rest.dropFirst() : rest)
    }

    /// `tenant` or `tenant/policy`, as in a path without the leading slash.
    var description: String {
        ([tenant] + [policy].compactMap(\.self)).map { $0.percentEncoded() }.joined(separator: "/")
    }

    /// Older applications write `/tfp/` before the tenant.
    private static func withoutPrefix(_ segments: [String]) -> [String] {
        segments.first?.lowercased() == "tfp" ? Array(segments.dropFirst()) : segments
    }

    // Azure AD B2C documentation, "User flows and custom policies overview": the names have this prefix.
    static func isPolicy(_ segment: String) -> Bool { segment.lowercased().hasPrefix("b2c_1") }
}
