// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The sections of the unified schema that Microsoft's libraries share (docs/reference/Cache.md#sections).
enum CacheSection: String, CaseIterable, Sendable {
    case accessToken = "AccessToken"
    case refreshToken = "RefreshToken"
    case idToken = "IdToken"
    case account = "Account"
    case appMetadata = "AppMetadata"
    /// Key-bound tokens of the Apple libraries. Read on import, never written (docs/reference/Cache.md#export-bound).
    case boundAccessToken = "AccessToken_With_AuthScheme"

    /// Other libraries' own data about accounts. It is neither imported nor exported
    /// (docs/reference/Cache.md#import-sign-in).
    static let accountMetadata: Set<String> = ["AccountMetadata", "AccountMetadataMap"]

    /// Whether Microsoft's libraries use a section of this name.
    static func isKnown(_ name: String) -> Bool {
        CacheSection(rawValue: name) != nil || accountMetadata.contains(name)
    }

    /// Credentials that are bound to the device they were issued for: kept, never used, never exported
    /// (docs/reference/Cache.md#device-tokens). In lowercase.
    private static let deviceTypes: Set<String> = ["primaryrefreshtoken", "boundrefreshtoken"]

    /// The section of a record.
    init?(_ record: CacheRecord) {
        switch record {
        case .accessToken(let token): self = token.isKeyBound ? .boundAccessToken : .accessToken
        case .refreshToken: self = .refreshToken
        case .idToken: self = .idToken
        case .account: self = .account
        case .appMetadata: self = .appMetadata
        case .accountMetadata: return nil
        }
    }

    /// Whether the section is exported.
    var isExported: Bool { self != .boundAccessToken }

    /// The kind of an entry in this section. Its own type takes precedence over the section's; `nil` for unused types.
    func kind(of members: [String: JSONValue]) -> RecordKind? {
        switch self {
        case .account: return .account
        case .appMetadata: return .appMetadata
        case .accessToken, .refreshToken, .idToken, .boundAccessToken: break
        }
        switch (members["credential_type"]?.string ?? rawValue).lowercased() {
        case "accesstoken", "atext": return .accessToken
        // Without its scheme, such a token would be taken for a bearer token (docs/reference/Cache.md#key-bound).
        case "accesstoken_with_authscheme": return members["token_type"]?.string == nil ? nil : .accessToken
        case "refreshtoken", "familyrefreshtoken": return .refreshToken
        case "idtoken": return .idToken
        default: return nil
        }
    }

    /// Whether an unused entry may be exported, which excludes everything that is bound to a key or a device.
    static func isExportable(_ value: JSONValue) -> Bool {
        guard let members = value.object else { return true }
        let type = members["credential_type"]?.string?.lowercased() ?? ""
        let scheme = members["token_type"]?.string?.lowercased() ?? "bearer"
        return !deviceTypes.contains(type) && type != "accesstoken_with_authscheme" && scheme == "bearer"
            && members["session_key"] == nil
    }

    /// Whether an unknown section may be exported.
    static func isExportable(section: String) -> Bool {
        section != boundAccessToken.rawValue && !deviceTypes.contains(section.lowercased())
            && !accountMetadata.contains(section)
    }
}
