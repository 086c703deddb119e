// Licensed under the MIT License. See LICENSE.

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
    /// The application registrations. All of them are public clients, and every tenant knows them.
    public var applications: [Application]
    /// The APIs that tokens are issued for. Microsoft Graph must be among them.
    public var apis: [API]
    /// E-mail domains and telephone numbers that the service sends no codes to (AADSTS550024).
    public var blockedContacts: [String]

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

        /// The user principal name and the object id.
        public var description: String { "\(userPrincipalName) (\(id))" }
        /// Shows what `description` shows.
        public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
    }

    /// An application registration.
    public struct Application: Sendable, Codable, Equatable {
        /// The client id, a GUID or any other text without spaces.
        public var clientID: String
        /// The name shown on the pages.
        public var displayName: String
        /// The redirect URIs; the port of `http://localhost` and `http://127.0.0.1` does not matter.
        public var redirectURIs: [String]
        /// The redirect URIs of single-page applications, whose refresh tokens live for 24 hours.
        public var singlePageRedirectURIs: [String] = []
        /// Whether it shares refresh tokens with the other applications of its family (`foci` 1).
        public var isInFamily = false
        /// What native authentication asks of customers; `nil` switches it off for the application.
        public var nativeAuthentication: NativePolicy?
        /// The audiences of the APIs for which an administrator of an External ID tenant has consented for everybody.
        public var consentedAudiences: [String] = []

        /// Describes an application without native authentication.
        public init(clientID: String, displayName: String, redirectURIs: [String]) {
            self.clientID = clientID
            self.displayName = displayName
            self.redirectURIs = redirectURIs
        }
    }
}
