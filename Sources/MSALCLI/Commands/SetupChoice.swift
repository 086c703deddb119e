// Licensed under the MIT License. See LICENSE.

import Foundation

/// What `MSAL_AUTHORITY` says to a setup: the address of the service, and perhaps a tenant.
struct SetupAuthority {
    /// The address of the service that has the tenants.
    var host = SetupChoice.serviceHost
    /// The authority; `nil` for the address of a service alone.
    var authority: String?

    /// - Throws: `Failure` with the status `usage`, for a text that is not an authority.
    init(_ text: String?) throws(Failure) {
        guard let text else { return }
        host = try AuthorityChoice.host(of: text)
        if let path = URL(string: text)?.path(), !["", "/"].contains(path) { authority = text }
    }
}

/// The settings that `msal setup` writes into a profile.
struct SetupChoice: ClientChoice {
    var profile: String?
    var clientID: String?
    var authority: String?
    var knownAuthority: [String] = []
    var caFile: String?

    /// The address of the service in the public cloud.
    static let serviceHost = "https://\(Cloud.all[0].hosts[0])"

    /// The authority of a tenant. If the text is the address of an authority already, it is returned as it is.
    ///
    /// `host`: The address of the service that has the tenant.
    ///
    /// - Throws: `Failure` with the status `usage`, for a text that is not a tenant's name.
    static func authority(tenant: String, at host: String = serviceHost) throws(Failure) -> String {
        if tenant.contains("://") {
            _ = try AuthorityChoice.authority(tenant)
            return tenant
        }
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789-."
        guard !tenant.isEmpty, tenant.lowercased().allSatisfy({ letters.contains($0) }) else {
            throw .usage(
                "\(tenant) is not a tenant.",
                remedy: "Pass its ID or one of its domains, such as contoso.com."
            )
        }
        return "\(host)/\(tenant)"
    }

    /// Checks the name of the profile that a setup makes.
    ///
    /// - Throws: `Failure` with the status `usage`, for a name that the file cannot hold.
    static func checkProfile(_ name: String?) throws(Failure) {
        guard let name, name.allSatisfy(\.isWhitespace) || name.contains(where: \.isNewline) else { return }
        throw .usage("The name of a profile cannot be empty.", remedy: "Pass --profile NAME, or leave it out.")
    }

    /// Checks a client ID. The service has GUIDs. An app of an emulator, which is on this machine, may have any text
    /// without spaces.
    ///
    /// - Throws: `Failure` with the status `usage`, for a text that is not a client ID.
    static func clientID(_ text: String, at authority: String = serviceHost) throws(Failure) -> String {
        let isOfEmulator = URL(string: authority).flatMap(ServiceHost.init)?.isLoopback == true
        let isName = !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard UUID(uuidString: text) != nil || isOfEmulator && isName else {
            throw .usage(
                text.isEmpty ? "An application ID is required." : "\(text) is not an application ID.",
                remedy: "It looks like 00000000-0000-4000-8000-000000000001, and is on the app's Overview page."
            )
        }
        return text
    }

    /// The settings of this choice alone, without the environment. So the setup tries exactly what the profile will
    /// hold.
    ///
    /// `needsClientID`: Whether a missing client ID is an error. The request that registers the app has none yet.
    ///
    /// - Throws: `Failure` with the status `usage`.
    func settings(scopes: [String] = [], graph: String?, needsClientID: Bool = true) throws(Failure) -> Settings {
        var draft = Profile()
        draft.name = profile
        draft.graphURL = graph
        let sources = SettingSources(self, scopes: scopes, environment: [:], profile: draft)
        return try Settings(sources, needsClientID: needsClientID)
    }

    /// Writes the profile and makes it the default profile.
    ///
    /// - Throws: `Failure`: `usage` for a value that no setting takes, `failed` if the file cannot be written.
    func write(scopes: [String], graph: String?, to file: inout ConfigFile) throws(Failure) {
        let name = profile ?? Self.defaultName
        func position(_ member: Profile.Member) -> [String] { ["profiles", name, member.rawValue] }
        var changes: [(position: [String], value: ConfigValue?)] = [
            (position(.clientID), clientID.map { .text($0) }), (position(.authority), authority.map { .text($0) }),
            (position(.scopes), scopes.isEmpty ? nil : .list(scopes)),
            (position(.knownAuthorities), knownAuthority.isEmpty ? nil : .list(knownAuthority)),
            (position(.caFile), caFile.map { .text(URL(filePath: $0).absoluteURL.path(percentEncoded: false)) }),
            (position(.graphURL), graph.map { .text($0) }),
            // These may be left from an earlier profile: an account of another client, or a redirect URI that was not
            // tried.
            (position(.account), nil), (position(.port), nil), (position(.redirectURI), nil),
        ]
        // A value that does not exist needs no removal. In a file with another layout, a removal may fail.
        changes = changes.filter { $0.value != nil || file.content.values[$0.position] != nil }
        changes.insert((["default_profile"], .text(name)), at: 0)
        try file.change(changes)
    }

    /// The name of the first profile.
    static let defaultName = "default"
}
