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
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tenants = try members.value(.tenants, default: [])
        users = try members.value(.users, default: [])
        groups = try members.value(.groups, default: [])
        applications = try members.value(.applications, default: [])
        apis = try members.value(.apis, default: [])
        blockedContacts = try members.value(.blockedContacts, default: [])
        managedIdentities = try members.value(.managedIdentities, default: [])
        native = try members.value(.native)
        if !apis.contains(where: \.isGraph) { apis.insert(.microsoftGraph, at: 0) }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case tenants, users, groups, applications, apis, blockedContacts, managedIdentities, native
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
        /// A password that only its digest is known of, as an emulator wrote it; it counts where ``password`` is `nil`.
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
        /// Whether the user may consent to scopes that are reserved for administrators.
        public var isAdministrator = false
        /// Whether the account may sign in (AADSTS50057 otherwise).
        public var isEnabled = true
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
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            userPrincipalName = try members.decode(String.self, forKey: .userPrincipalName)
            id = try members.value(.id, default: UUID.derived(from: "user", userPrincipalName).text)
            tenant = try members.value(
                .tenant,
                default: userPrincipalName.split(separator: "@").last.map(String.init) ?? ""
            )
            displayName = try members.value(.displayName, default: userPrincipalName)
            givenName = try members.value(.givenName)
            surname = try members.value(.surname)
            password = try members.value(.password)
            passwordDigest = try members.value(.passwordDigest)
            jobTitle = try members.value(.jobTitle)
            mobilePhone = try members.value(.mobilePhone)
            businessPhones = try members.value(.businessPhones, default: [])
            officeLocation = try members.value(.officeLocation)
            preferredLanguage = try members.value(.preferredLanguage)
            isAdministrator = try members.value(.isAdministrator, default: false)
            isEnabled = try members.value(.isEnabled, default: true)
            guestObjectIDs = try members.value(.guestObjectIDs, default: [:])
            strongMethods = try members.value(.strongMethods, default: [])
            requiresSecondFactor = try members.value(.requiresSecondFactor, default: false)
            customer = try members.value(.customer)
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, tenant, userPrincipalName, displayName, givenName, surname, password, passwordDigest, jobTitle
            case mobilePhone, businessPhones, officeLocation, preferredLanguage, isAdministrator, isEnabled
            case guestObjectIDs = "guestObjectIds"
            case strongMethods, requiresSecondFactor, customer
        }

        /// The user principal name and the object id.
        public var description: String { "\(userPrincipalName) (\(id))" }
        /// Shows what `description` shows.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }
}
