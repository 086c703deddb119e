// Licensed under the MIT License. See LICENSE.

extension EmulatorDirectory {
    /// A protected API and the permissions that it offers.
    public struct API: Sendable, Codable, Equatable {
        /// A delegated permission.
        public struct Scope: Sendable, Codable, Equatable {
            /// The name, such as `ToDoList.Read`.
            public var name: String
            /// The description on the consent page.
            public var summary: String
            /// Whether only an administrator can consent (AADSTS90094 for all other users).
            public var isAdministratorOnly: Bool

            /// Creates a permission.
            public init(name: String, summary: String, isAdministratorOnly: Bool = false) {
                self.name = name
                self.summary = summary
                self.isAdministratorOnly = isAdministratorOnly
            }

            /// Decodes a permission: an object with `name`, or only the name.
            public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
        }

        /// An app role: an application permission, or a role of users.
        public struct Role: Sendable, Codable, Equatable {
            /// The value in the claim `roles`, such as `Tasks.Read.All`.
            public var value: String
            /// The description.
            public var summary: String
            /// The user principal names, user IDs, group names, and group IDs of the members.
            public var members: [String]

            /// Creates a role.
            public init(value: String, summary: String? = nil, members: [String] = []) {
                self.value = value
                self.summary = summary ?? value
                self.members = members
            }

            /// Decodes a role: an object with `value`, or only the value.
            public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
        }

        /// The client ID of the API's registration: `aud` of its version 2.0 tokens.
        public var audience: String
        /// The prefixes that name the API in a scope, without the slash, such as `api://…`; the audience is always one
        /// of them. In version 1.0 tokens, `aud` is the one that the app used.
        public var identifiers: [String]
        /// The name shown on the consent page.
        public var displayName: String
        /// The permissions.
        public var scopes: [Scope]
        /// The app roles.
        public var roles: [Role] = []
        /// The version of its access tokens, 1 or 2, whichever endpoint is called: `accessTokenAcceptedVersion` of the
        /// registration. The default in a file is 1, as in the service.
        public var acceptedTokenVersion = 2
        /// The optional claims of its access tokens, such as `idtyp`, `groups`, and `email`.
        public var optionalClaims: [OptionalClaim] = []
        /// Whether its tokens require a second factor (AADSTS50076).
        public var requiresSecondFactor: Bool
        /// The path below `/api` at which the emulator serves a to-do list protected by this API's tokens; `nil` for
        /// none. `GET` requires the scope `ToDoList.Read` or `ToDoList.ReadWrite`, `POST` the latter.
        public var toDoListPath: String?
        /// Whether it is an application that exposes no API, but is the resource of its own tokens.
        private(set) var isImplicit = false

        /// Creates an API.
        public init(
            audience: String,
            identifiers: [String] = [],
            displayName: String,
            scopes: [Scope],
            requiresSecondFactor: Bool = false,
            toDoListPath: String? = nil
        ) {
            self.audience = audience
            self.identifiers = identifiers
            self.displayName = displayName
            self.scopes = scopes
            self.requiresSecondFactor = requiresSecondFactor
            self.toDoListPath = toDoListPath
        }

        /// Decodes an API; only the audience is required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// Microsoft Graph with the permissions that apps request most often.
        public static let microsoftGraph = graph

        private static var graph: API {
            var graph = API(
                audience: "00000003-0000-0000-c000-000000000000",
                identifiers: [
                    "https://graph.microsoft.com", "https://graph.microsoft.us",
                    "https://microsoftgraph.chinacloudapi.cn",
                ],
                displayName: "Microsoft Graph",
                scopes: [
                    Scope(name: "User.Read", summary: "Sign you in and read your profile"),
                    Scope(name: "User.ReadWrite", summary: "Read and change your profile"),
                    Scope(name: "User.ReadBasic.All", summary: "Read the basic profiles of all users"),
                    Scope(name: "Calendars.Read", summary: "Read your calendars"),
                    Scope(name: "Contacts.Read", summary: "Read your contacts"),
                    Scope(name: "Files.Read", summary: "Read your files"),
                    Scope(name: "Mail.Read", summary: "Read your mail"),
                    Scope(name: "Mail.Send", summary: "Send mail as you"),
                    Scope(name: "People.Read", summary: "Read the list of people relevant to you"),
                    Scope(name: "Tasks.Read", summary: "Read your tasks"),
                    Scope(
                        name: "Application.ReadWrite.All",
                        summary: "Register and change applications",
                        isAdministratorOnly: true
                    ),
                    Scope(name: "Directory.Read.All", summary: "Read the directory's data", isAdministratorOnly: true),
                    Scope(name: "Group.Read.All", summary: "Read all groups", isAdministratorOnly: true),
                    Scope(name: "User.Read.All", summary: "Read all users' profiles", isAdministratorOnly: true),
                ]
            )
            graph.acceptedTokenVersion = 1
            graph.roles = [
                "User.Read.All", "Directory.Read.All", "Group.Read.All", "Mail.Send", "Application.ReadWrite.All",
            ].map { Role(value: $0) }
            return graph
        }

        /// Azure Resource Manager, which the Azure CLI requests.
        public static let azureResourceManager = resourceManager

        private static var resourceManager: API {
            var api = API(
                audience: "797f4846-ba00-4fd7-ba43-dac1f8f63013",
                identifiers: [
                    "https://management.azure.com", "https://management.core.windows.net",
                ],
                displayName: "Azure Resource Manager",
                scopes: [Scope(name: "user_impersonation", summary: "Act as you in Azure")]
            )
            api.acceptedTokenVersion = 1
            return api
        }
    }
}

/// The name of the type inside the emulator.
typealias API = EmulatorDirectory.API

extension API {
    /// Whether this is Microsoft Graph, whose scopes may be written without a prefix.
    var isGraph: Bool { audience == Self.microsoftGraph.audience }

    /// Creates the API that an application is for itself: it has no permissions, and only its client ID names it.
    ///
    /// Source: Microsoft identity platform, "Scopes and permissions", the `.default` scope of the client.
    init(ofApplication clientID: String, named displayName: String) {
        self.init(audience: clientID, displayName: displayName, scopes: [])
        acceptedTokenVersion = 1
        isImplicit = true
    }

    /// Whether a scope's prefix names the API, regardless of case and a trailing slash.
    func isNamed(_ prefix: String) -> Bool {
        names.contains(Self.plain(prefix))
    }

    /// The canonical form in which names are compared.
    static func plain(_ name: String) -> String {
        (name.hasSuffix("/") ? String(name.dropLast()) : name).lowercased()
    }

    /// A permission as it appears in the `scope` of a response.
    func qualified(_ scope: String) -> String {
        isGraph ? scope : "\(identifierURI)/\(scope)"
    }

    /// The prefix of its scopes: the first identifier that is a URI, otherwise the audience.
    var identifierURI: String { identifiers.first { $0.contains("://") } ?? audience }

    /// All names of the API that apps may use.
    var names: Set<String> { Set(([audience] + identifiers).map { $0.lowercased() }) }

    /// Whether this API belongs to a confidential client, so that the client may exchange tokens issued for it.
    func isRegistration(of clientID: String) -> Bool {
        isNamed(clientID) || isNamed("api://\(clientID)")
    }
}

extension EmulatorDirectory.API: FileEntry {
    /// In files, the version defaults to 1, as in the service.
    private static var blank: API {
        var blank = API(audience: "", displayName: "", scopes: [])
        blank.acceptedTokenVersion = 1
        return blank
    }

    static let form = EntryForm(
        "API",
        summary: "A protected API and the permissions that it offers.",
        blank: blank
    ) { members in
        members.required("clientId", at: \.audience).label("Client ID")
            .summary("The client ID of the API: aud of its version 2.0 tokens.")
        members.optional("identifierUris", at: \.identifiers).graph("identifierUris").label("Application ID URIs")
            .summary("The prefixes of its scopes, such as api://tasks.")
        members.derived("displayName", at: \.displayName, from: \.audience).label("Name")
            .summary("The name on the consent page. Defaults to the client ID.")
        members.optional("scopes", at: \.scopes).summary("The delegated permissions.")
        members.optional("appRoles", at: \.roles).summary("The app roles.")
        members.optional("accessTokenAcceptedVersion", at: \.acceptedTokenVersion, as: .number(1...2))
            .graph("api.requestedAccessTokenVersion").label("Version of access tokens")
            .summary("The version of its access tokens, whichever endpoint is called.")
        members.optional("optionalClaims", at: \.optionalClaims).graph("optionalClaims.accessToken").label(
            "Optional claims"
        )
        .summary("Optional claims of its access tokens.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor).label("Second factor required")
            .summary("Whether its tokens require a second factor (AADSTS50076).")
        members.optional("toDoListPath", at: \.toDoListPath)
            .summary("The path below /api at which the emulator serves a to-do list.")
    }
}

extension EmulatorDirectory.API.Scope: FileEntry {
    static let form = EntryForm(
        "scope",
        summary: "A delegated permission.",
        blank: EmulatorDirectory.API.Scope(name: "", summary: "")
    ) { members in
        members.short("name", at: \.name).summary("The name, such as Tasks.Read.")
        members.derived("summary", at: \.summary, from: \.name)
            .summary("The description on the consent page. Defaults to the name.")
        members.optional("isAdministratorOnly", at: \.isAdministratorOnly)
            .summary("Whether only an administrator can consent (AADSTS90094).")
    }
}

extension EmulatorDirectory.API.Role: FileEntry {
    static let form = EntryForm(
        "app role",
        summary: "An application permission, or a role of users.",
        blank: EmulatorDirectory.API.Role(value: "")
    ) { members in
        members.short("value", at: \.value).summary("The value in the claim roles, such as Tasks.Read.All.")
        members.derived("summary", at: \.summary, from: \.value)
            .summary("The description. Defaults to the value.")
        members.optional("members", at: \.members).summary("The users and groups that have the role.")
    }
}
