// Licensed under the MIT License. See LICENSE.

import Foundation

/// The tenants, users, applications, and APIs that an emulator starts with.
///
/// Set your own as ``EmulatorConfiguration/directory``, or change the default:
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
/// Case matters only in passwords, redirect URIs, and display texts.
public struct EmulatorDirectory: Sendable, Codable, Equatable {
    /// The directories of users.
    public var tenants: [Tenant]
    /// The users that exist at the start and after a reset. A data folder that already contains users keeps its own.
    public var users: [User]
    /// The groups of users.
    public var groups: [Group] = []
    /// The app registrations, which exist in every tenant.
    public var applications: [Application]
    /// The APIs that tokens are issued for. Microsoft Graph must be one of them.
    public var apis: [API]
    /// Email domains and phone numbers that the service does not send codes to (AADSTS550024).
    public var blockedContacts: [String]
    /// The managed identities of a machine in the emulator's cloud.
    public var managedIdentities: [ManagedIdentity] = []
    /// The agent identities.
    public var agents: [Agent] = []
    /// Resources of Microsoft or other providers, by URI or client ID, such as `https://vault.azure.net`. Each is an
    /// API that apps can get tokens for, without a list of its scopes in ``apis``. An entry of ``apis`` with the same
    /// name replaces it.
    public var resources: [String] = []
    /// The Conditional Access policies.
    public var policies: [AccessPolicy] = []
    /// The claims that tests set in tokens.
    public var tokenClaims: [TokenClaims] = []
    /// Whether browsers send the session cookies in a frame of another site, as the service allows. A single-page
    /// application on another site renews its tokens in such a frame.
    public var allowsThirdPartyCookies = true
    /// The limits and branches of native authentication. `nil` uses ``EmulatorConfiguration/nativeAuth``.
    public var native: NativeAuthSettings?

    /// Creates a directory; `Emulator.start` validates it.
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

    /// Decodes a directory. Omitted lists are empty, and Microsoft Graph is added if it is missing.
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
        /// The object ID in the home tenant, a GUID; `uid` of `client_info`.
        public var id: String
        /// The home tenant: its ID, its domain, or one of its aliases.
        public var tenant: String
        /// The name typed at sign-in, in the form of an e-mail address.
        public var userPrincipalName: String
        /// The display name.
        public var displayName: String
        /// The given name. `nil` uses the first word of the display name.
        public var givenName: String?
        /// The family name. `nil` uses the remaining words of the display name.
        public var surname: String?
        /// The password; `nil` for a customer who signs in with a code.
        public var password: String?
        /// The digest of a password, as an emulator exported it; used if ``password`` is `nil`.
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
        /// The user principal name or the object ID of the manager.
        public var manager: String?
        /// Further properties of Microsoft Graph, such as `country` and `usageLocation`, and the values of directory
        /// extensions, whose names begin with `extension_`.
        public var attributes: [String: String] = [:]
        /// The photo that Microsoft Graph returns, a JPEG or PNG file in base64; `nil` for none.
        public var photo: String?
        /// Whether the user may consent to permissions that require an administrator.
        public var isAdministrator = false
        /// Whether the account may sign in (AADSTS50057 otherwise).
        public var isEnabled = true
        /// Whether the account is locked until its password is changed (AADSTS50053). For a customer, set it in the
        /// profile.
        public var isLocked = false
        /// Whether a correct password is enough. For a customer, set it in the profile.
        public var passwordState = CustomerProfile.PasswordState.current
        /// The tenants in which the user is a guest, each with the user's object ID (a GUID) there.
        public var guestObjectIDs: [String: String] = [:]
        /// The methods that receive codes as a second factor. For a customer, set them in the profile.
        public var strongMethods: [StrongMethod] = []
        /// Whether every app requires a second factor. For a customer, set it in the profile.
        public var requiresSecondFactor = false
        /// The sign-in methods of a customer of an External ID tenant; `nil` for other users.
        public var customer: CustomerProfile?
        /// The ID of the agent whose user account this is; `nil` for a person. The account has no password, and remains
        /// when the agent is removed.
        public var agent: String?

        /// Creates an enabled account.
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

        /// Decodes an account; the user principal name is required. If the ID is omitted, it is derived from the name.
        /// If the tenant is omitted, it is determined by the domain.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// The user principal name and the object ID.
        public var description: String { "\(userPrincipalName) (\(id))" }
        /// The same as ``description``.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}

extension EmulatorDirectory: FileEntry {
    static let form = EntryForm(
        "directory",
        summary: "The directory of an Entra emulator: its tenants, users, applications, and APIs.",
        blank: EmulatorDirectory(tenants: [], users: [], applications: [], apis: [])
    ) { members in
        members.ofFiles("$schema")
            .summary("The location of this schema for editors; ignored by the emulator.")
        members.ofFiles("defaultPassword", as: .text(.secret))
            .summary("The password of all users who sign in with a password and have none of their own.")
        members.optional("tenants", at: \.tenants, isRequiredInFiles: true).summary("The tenants; at least one.")
        members.optional("users", at: \.users).summary("The users.")
        members.optional("groups", at: \.groups).summary("The groups of users.")
        members.optional("applications", at: \.applications).summary(
            "The app registrations, which exist in every tenant."
        )
        members.derived("apis", at: \.apis) { _ in [] }
            .summary("The APIs. Microsoft Graph is added if it is missing.")
        members.optional("resources", at: \.resources)
            .summary("More APIs, each only by its URI or client ID, such as https://vault.azure.net.")
        members.optional("blockedContacts", at: \.blockedContacts)
            .summary("Email domains and phone numbers to which no codes are sent (AADSTS550024).")
        members.optional("managedIdentities", at: \.managedIdentities).summary("The managed identities of a machine.")
        members.optional("agents", at: \.agents).summary("The agent identities, each of a blueprint.")
        members.optional("policies", at: \.policies)
            .summary(
                "The Conditional Access policies: which users must satisfy which requirements to get which tokens."
            )
        members.optional("tokenClaims", at: \.tokenClaims).summary("Claims that tests set in tokens.")
        members.optional("thirdPartyCookies", at: \.allowsThirdPartyCookies)
            .summary("Whether browsers send the session cookies in a frame of another site.")
        members.optional("native", at: \.native)
            .summary("Limits and branches of native authentication. Each has a default.")
    }
}

extension EmulatorDirectory.User: FileEntry {
    static let form = EntryForm(
        "user",
        summary: "A user account.",
        blank: EmulatorDirectory.User(id: "", tenant: "", userPrincipalName: "", displayName: "", password: nil)
    ) { members in
        members.derived("id", at: \.id, as: .text(.guid)) { UUID.derived(from: "user", $0.userPrincipalName).text }
            .summary("The object ID, a GUID. By default, it is derived from the name.")
        members.derived("tenant", at: \.tenant) {
            $0.userPrincipalName.split(separator: "@").last.map(String.init) ?? ""
        }
        .summary("The home tenant by ID, domain, or alias. Defaults to the tenant of the name's domain.")
        members.required("userPrincipalName", at: \.userPrincipalName).graph("userPrincipalName").label(
            "User principal name"
        )
        .summary("The name typed at sign-in, such as ada@contoso.example.")
        members.derived("displayName", at: \.displayName, from: \.userPrincipalName).graph("displayName").label("Name")
            .summary("The display name. Defaults to the name typed at sign-in.")
        members.optional("givenName", at: \.givenName).graph("givenName").label("Given name")
            .summary("The given name. Defaults to the first word of displayName.")
        members.optional("surname", at: \.surname).graph("surname").label("Surname")
            .summary("The family name. Defaults to the remaining words of displayName.")
        members.optional("password", at: \.password, as: .text(.secret)).label("New password")
            .summary("The password. Defaults to defaultPassword.")
        members.optional("passwordDigest", at: \.passwordDigest, as: .text(.secret))
            .summary("The digest of a password, as an export writes it.")
        members.optional("jobTitle", at: \.jobTitle).graph("jobTitle").label("Job title").summary(
            "jobTitle in Microsoft Graph."
        )
        members.optional("mobilePhone", at: \.mobilePhone).graph("mobilePhone").label("Mobile phone").summary(
            "mobilePhone in Microsoft Graph."
        )
        members.optional("businessPhones", at: \.businessPhones).graph("businessPhones").label("Business phones")
            .summary("businessPhones in Microsoft Graph.")
        members.optional("officeLocation", at: \.officeLocation).graph("officeLocation").label("Office").summary(
            "officeLocation in Microsoft Graph."
        )
        members.optional("preferredLanguage", at: \.preferredLanguage).graph("preferredLanguage").label(
            "Preferred language"
        ).summary("preferredLanguage in Microsoft Graph.")
        members.optional("department", at: \.department).graph("department").label("Department").summary(
            "department in Microsoft Graph."
        )
        members.optional("manager", at: \.manager).label("Manager").summary("The name or object ID of the manager.")
        members.optional("attributes", at: \.attributes).label("More properties")
            .summary("More properties of Microsoft Graph, such as country, and directory extensions (extension_…).")
        members.optional("photo", at: \.photo).summary(
            "The photo that Microsoft Graph returns, a JPEG or PNG file in base64."
        )
        members.optional("isAdministrator", at: \.isAdministrator).label("Administrator")
            .summary("Whether the user may consent to permissions that require an administrator.")
        members.optional("isEnabled", at: \.isEnabled).graph("accountEnabled").label("Enabled").summary(
            "Whether the account may sign in (AADSTS50057)."
        )
        members.optional("isLocked", at: \.isLocked).label("Locked")
            .summary("Whether the account is locked (AADSTS50053). For customers, set it in the profile.")
        members.optional("passwordState", at: \.passwordState).label("State of the password")
            .summary(
                "Whether a correct password is enough (AADSTS50055, AADSTS50142). For customers, set it in the profile."
            )
        members.optional("guestObjectIds", at: \.guestObjectIDs, as: .table(.text(.guid))).label("Guest in tenants")
            .summary("The object ID in each tenant in which the user is a guest.")
        members.optional("strongMethods", at: \.strongMethods)
            .summary("The methods for a second factor. For customers, set them in the profile.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor).label("Second factor required")
            .summary("Whether every app requires a second factor.")
        members.optional("customer", at: \.customer)
            .summary("The sign-in methods of a customer of an External ID tenant.")
        members.optional("agent", at: \.agent, as: .text(.guid))
            .summary("The ID of the agent whose user account this is.")
    }
}
