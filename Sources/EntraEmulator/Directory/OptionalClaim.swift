// Licensed under the MIT License. See LICENSE.

import MSALBase

extension EmulatorDirectory {
    /// A claim that a registration requests (Microsoft identity platform, "Optional claims reference").
    public struct OptionalClaim: Sendable, Codable, Equatable, ExpressibleByStringLiteral {
        /// The name, such as `upn`, or that of a directory extension, which begins with `extension_`.
        public var name: String
        /// `user` for a directory extension.
        public var source: String?
        /// Whether the app requires the claim. It has no effect.
        public var isEssential = false
        /// Changes of the claim, such as `use_guid` of `aud`.
        public var additionalProperties: [String] = []

        /// Creates a request for a claim.
        public init(_ name: String, additionalProperties: [String] = []) {
            self.name = name
            self.additionalProperties = additionalProperties
        }

        /// Creates a request for a claim in its usual form.
        public init(stringLiteral name: String) { self.init(name) }

        /// Decodes a request: an object with `name`, or only the name.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.OptionalClaim: FileEntry {
    static let form = EntryForm(
        "optional claim",
        summary: "A claim that a registration requests.",
        blank: EmulatorDirectory.OptionalClaim("")
    ) { members in
        members.short("name", at: \.name)
            .summary("The name, such as upn, or that of a directory extension (extension_…).")
        members.optional("source", at: \.source).summary("user for a directory extension.")
        members.optional("essential", at: \.isEssential).summary("Whether the app requires the claim; without effect.")
        members.optional("additionalProperties", at: \.additionalProperties)
            .summary("Changes of the claim, such as use_guid of aud.")
    }
}

/// The optional claims of JWTs (Microsoft identity platform, "Optional claims reference"). All others are rejected,
/// because a claim that is silently ignored looks like a bug in the app.
enum OptionalClaims {
    /// The names that an application may request for its ID tokens.
    static let ofIDTokens = ofAccessTokens.filter { !["aud", "idtyp", "xms_cc"].contains($0) }
    /// The names that an API may request.
    static let ofAccessTokens = [
        "acct", "acrs", "aud", "auth_time", "ctry", "email", "family_name", "fwd", "given_name", "groups", "idtyp",
        "in_corp", "ipaddr", "login_hint", "onprem_sid", "preferred_username", "pwd_exp", "pwd_url", "sid",
        "tenant_ctry", "tenant_region_scope", "upn", "verified_primary_email", "verified_secondary_email", "vnet",
        "xms_cc", "xms_edov", "xms_pdl", "xms_pl", "xms_tpl", "ztdid",
    ]
    /// The supported values of `additionalProperties`, by the name of the claim.
    static let additionalProperties = [
        "aud": ["use_guid"], "idtyp": ["include_user_token"], "groups": ["emit_as_roles", "cloud_displayname"],
        "upn": ["include_externally_authenticated_upn", withoutHash],
    ]
    static let withoutHash = "include_externally_authenticated_upn_without_hash"
}

/// The names of directory extensions (Microsoft Graph, "Add custom data to resources").
enum DirectoryExtension {
    private static let prefix = "extension_"

    /// The full name of an extension that an application defines.
    static func name(_ short: String, of clientID: String) -> String {
        "\(prefix)\(clientID.filter { $0 != "-" })_\(short)"
    }

    /// The name without prefix and client ID; `nil` if a text is not the full name of an extension.
    static func shortName(of text: String) -> String? {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, text.hasPrefix(prefix), !parts[1].isEmpty, isShortName(parts[2]) else { return nil }
        return parts[2]
    }

    static func isShortName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }
}

extension API {
    /// Whether the registration requests an optional claim, with a value of `additionalProperties`.
    func requests(_ name: String, with property: String? = nil) -> Bool {
        optionalClaims.contains { claim in
            claim.name == name && property.map { claim.additionalProperties.contains($0) } ?? true
        }
    }
}
