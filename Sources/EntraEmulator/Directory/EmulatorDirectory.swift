// Licensed under the MIT License. See LICENSE.

import Foundation

/// The tenants, users, applications and APIs that an emulator starts with.
///
/// Give your own to ``EmulatorConfiguration/directory``, or change the default:
///
/// ```swift
/// var configuration = EmulatorConfiguration()
/// configuration.directory.users.append(
///     EmulatorDirectory.User(
///         id: "aaaaaaaa-0000-4000-8000-000000000077",
///         tenant: "contoso.example",
///         userPrincipalName: "kim@contoso.example",
///         displayName: "Kim Abel",
///         password: "Another-pass1"
///     )
/// )
/// ```
///
/// Letter case matters only in passwords, redirect URIs and texts for people.
public struct EmulatorDirectory: Sendable, Codable, Equatable {
    /// The directories of users.
    public var tenants: [Tenant]
    /// The users that exist at the start and after a reset; a data folder that has users keeps its own.
    public var users: [User]
    /// The groups of users.
    public var groups: [Group] = []
    /// The application registrations. Every tenant knows them.
    public var applications: [Application]
    /// The APIs that tokens are issued for. Microsoft Graph must be among them.
    public var apis: [API]
    /// E-mail domains and telephone numbers that the service sends no codes to (AADSTS550024).
    public var blockedContacts: [String]
    /// The managed identities that a machine of the emulator's cloud has.
    public var managedIdentities: [ManagedIdentity] = []
    /// Resources of Microsoft's, or of others, by URI or client id, such as `https://vault.azure.net`. Each is an API
    /// for which apps get tokens, without a list of its scopes in ``apis``. An entry of ``apis`` with the same name
    /// replaces it.
    public var resources: [String] = []
    /// The policies of conditional access.
    public var policies: [AccessPolicy] = []
    /// Whether browsers send the cookies of a session in a frame of another site, as they do at the service. A single-page
    /// application on another site renews its tokens in such a frame.
    public var allowsThirdPartyCookies = true
    /// Lengths, limits and branches of native authentication. `nil` takes ``EmulatorConfiguration/nativeAuth``.
    public var native: NativeAuthSettings?

    /// Describes a directory; `Emulator.start` checks it.
    public init(
        tenants: [Tenant],
        users: [User],
        applications: [Application],
        apis: [API] = [.microsoftGraph],
        blockedContacts: [String] = []
    ) {
        self.tenants = tenants
        self.users = users
        self.applications = applications
        self.apis = apis
        self.blockedContacts = blockedContacts
    }

    /// Reads a directory. Lists that are left out are empty, and Microsoft Graph is added where it is missing.
    public init(from decoder: any Decoder) throws {
        try self.init(members: decoder)
        if !apis.contains(where: \.isGraph) { apis.insert(.microsoftGraph, at: 0) }
    }
}

extension EmulatorDirectory {
    /// A user's account.
    ///
    /// Its printed form hides the password.
    public struct User: Sendable, Codable, Equatable, CustomStringConvertible, CustomReflectable {
        /// The object id in the home tenant, a GUID; `uid` of `client_info`.
        public var id: String
        /// The home tenant: its id, its domain or one of its aliases.
        public var tenant: String
        /// The name typed at sign-in, in the form of an e-mail address.
        public var userPrincipalName: String
        /// The name shown to people.
        public var displayName: String
        /// The given name. `nil` takes the first word of the display name.
        public var givenName: String?
        /// The family name. `nil` takes the other words of the display name.
        public var surname: String?
        /// The password; `nil` for a customer who signs in with a code.
        public var password: String?
        /// A password that only its digest is known of, as an emulator wrote it; it is used where ``password`` is
        /// `nil`.
        public var passwordDigest: String?
        /// `jobTitle` in Microsoft Graph.
        public var jobTitle: String?
        /// `mobilePhone` in Microsoft Graph.
        public var mobilePhone: String?
        /// `businessPhones` in Microsoft Graph.
        public var businessPhones: [String] = []
        /// `officeLocation` in Microsoft Graph.
        public var officeLocation: String?
        /// `preferredLanguage` in Microsoft Graph.
        public var preferredLanguage: String?
        /// `department` in Microsoft Graph.
        public var department: String?
        /// The user principal name or the object id of the manager.
        public var manager: String?
        /// The picture that Microsoft Graph shows, a JPEG or PNG file in base64; `nil` for none.
        public var photo: String?
        /// Whether the user may consent to scopes that are reserved for administrators.
        public var isAdministrator = false
        /// Whether the account may sign in (AADSTS50057 otherwise).
        public var isEnabled = true
        /// Whether the account is locked until its password is changed (AADSTS50053). A customer's is in the profile.
        public var isLocked = false
        /// Whether a right password is enough. A customer's is in the profile.
        public var passwordState = CustomerProfile.PasswordState.current
        /// The tenants where the user is a guest, each with the object id (a GUID) that the user has there.
        public var guestObjectIDs: [String: String] = [:]
        /// The methods by which a code arrives, for a second factor. A customer's are in the profile.
        public var strongMethods: [StrongMethod] = []
        /// Whether every app needs a second factor. A customer's is in the profile.
        public var requiresSecondFactor = false
        /// The sign-in methods of a customer of an External ID tenant; `nil` for everybody else.
        public var customer: CustomerProfile?

        /// Describes an account that may sign in.
        public init(
            id: String,
            tenant: String,
            userPrincipalName: String,
            displayName: String,
            password: String?,
            customer: CustomerProfile? = nil
        ) {
            self.id = id
            self.tenant = tenant
            self.userPrincipalName = userPrincipalName
            self.displayName = displayName
            self.password = password
            self.customer = customer
        }

        /// Reads an account; the user principal name is required. An id that is left out is derived from it, and the tenant
        /// is the one of its domain.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// The user principal name and the object id.
        public var description: String { "\(userPrincipalName) (\(id))" }
        /// Shows what `description` shows.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}

extension EmulatorDirectory: FileEntry {
    static let form = EntryForm(
        "directory",
        summary: "The directory of an Entra emulator: its tenants, people, applications and APIs.",
        blank: EmulatorDirectory(tenants: [], users: [], applications: [], apis: [])
    ) { members in
        members.ofFiles("$schema")
            .summary("Where an editor finds this schema; the emulator does not read it.")
        members.ofFiles("defaultPassword", as: .text(.secret))
            .summary("The password of every user who signs in with a password and has none written here.")
        members.optional("tenants", at: \.tenants, isRequiredInFiles: true).summary("The tenants; at least one.")
        members.optional("users", at: \.users).summary("The users.")
        members.optional("groups", at: \.groups).summary("The groups of users.")
        members.optional("applications", at: \.applications).summary("The app registrations. Every tenant knows them.")
        members.derived("apis", at: \.apis) { _ in [] }
            .summary("The APIs. Microsoft Graph is added where it is missing.")
        members.optional("resources", at: \.resources)
            .summary("More APIs, each by its URI or client id alone, such as https://vault.azure.net.")
        members.optional("blockedContacts", at: \.blockedContacts)
            .summary("E-mail domains and telephone numbers to which no codes are sent (AADSTS550024).")
        members.optional("managedIdentities", at: \.managedIdentities).summary("The managed identities of a machine.")
        members.optional("policies", at: \.policies)
            .summary("The policies of conditional access: what has to be proved, by whom, to get which tokens.")
        members.optional("thirdPartyCookies", at: \.allowsThirdPartyCookies)
            .summary("Whether browsers send the session's cookies in a frame of another site.")
        members.optional("native", at: \.native)
            .summary("Lengths, limits and branches of native authentication. Without them, the usual ones.")
    }
}

extension EmulatorDirectory.User: FileEntry {
    static let form = EntryForm(
        "user",
        summary: "A person's account.",
        blank: EmulatorDirectory.User(id: "", tenant: "", userPrincipalName: "", displayName: "", password: nil)
    ) { members in
        members.derived("id", at: \.id, as: .text(.guid)) { UUID.derived(from: "user", $0.userPrincipalName).text }
            .summary("The object id, a GUID. Without it, one is derived from the name.")
        members.derived("tenant", at: \.tenant) {
            $0.userPrincipalName.split(separator: "@").last.map(String.init) ?? ""
        }
        .summary("The home tenant by id, domain or alias. Without it, that of the domain.")
        members.required("userPrincipalName", at: \.userPrincipalName)
            .summary("The name typed at sign-in, such as ada@contoso.example.")
        members.derived("displayName", at: \.displayName, from: \.userPrincipalName)
            .summary("The name shown to people. Without it, the name typed at sign-in.")
        members.optional("givenName", at: \.givenName)
            .summary("The given name. Without it, the first word of displayName.")
        members.optional("surname", at: \.surname)
            .summary("The family name. Without it, the other words of displayName.")
        members.optional("password", at: \.password, as: .text(.secret))
            .summary("The password. Without it, defaultPassword.")
        members.optional("passwordDigest", at: \.passwordDigest, as: .text(.secret))
            .summary("A password of which only the digest is known, as an export writes it.")
        members.optional("jobTitle", at: \.jobTitle).summary("jobTitle in Microsoft Graph.")
        members.optional("mobilePhone", at: \.mobilePhone).summary("mobilePhone in Microsoft Graph.")
        members.optional("businessPhones", at: \.businessPhones).summary("businessPhones in Microsoft Graph.")
        members.optional("officeLocation", at: \.officeLocation).summary("officeLocation in Microsoft Graph.")
        members.optional("preferredLanguage", at: \.preferredLanguage).summary("preferredLanguage in Microsoft Graph.")
        members.optional("department", at: \.department).summary("department in Microsoft Graph.")
        members.optional("manager", at: \.manager).summary("The name or object id of the manager.")
        members.optional("photo", at: \.photo).summary("A JPEG or PNG file in base64, as Microsoft Graph shows it.")
        members.optional("isAdministrator", at: \.isAdministrator)
            .summary("Whether the user may consent to scopes for administrators.")
        members.optional("isEnabled", at: \.isEnabled).summary("Whether the account may sign in (AADSTS50057).")
        members.optional("isLocked", at: \.isLocked)
            .summary("Whether the account is locked (AADSTS50053). A customer's is in the profile.")
        members.optional("passwordState", at: \.passwordState)
            .summary("Whether a right password is enough (AADSTS50055, AADSTS50142). A customer's is in the profile.")
        members.optional("guestObjectIds", at: \.guestObjectIDs, as: .table(.text(.guid)))
            .summary("The object id in each tenant that the user visits.")
        members.optional("strongMethods", at: \.strongMethods)
            .summary("The methods for a second factor. A customer's are in the profile.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor)
            .summary("Whether every app needs a second factor.")
        members.optional("customer", at: \.customer)
            .summary("The sign-in methods of a customer of an External ID tenant.")
    }
}
