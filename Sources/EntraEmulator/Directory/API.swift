// Licensed under the MIT License. See LICENSE.

extension EmulatorDirectory {
    /// A protected API and the permissions it offers.
    public struct API: Sendable, Codable, Equatable {
        /// One delegated permission.
        public struct Scope: Sendable, Codable, Equatable {
            /// The name, such as `ToDoList.Read`.
            public var name: String
            /// The sentence about it on the consent page.
            public var summary: String
            /// Whether only an administrator can consent (AADSTS90094 for everyone else).
            public var isAdministratorOnly: Bool

            /// Describes a permission.
            public init(name: String, summary: String, isAdministratorOnly: Bool = false) {
                self.name = name
                self.summary = summary
                self.isAdministratorOnly = isAdministratorOnly
            }

            /// Reads a permission: an object with `name`, or the name alone.
            public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
        }

        /// One app role: a permission of applications, or a role of people.
        public struct Role: Sendable, Codable, Equatable {
            /// The value in the claim `roles`, such as `Tasks.Read.All`.
            public var value: String
            /// The sentence about it.
            public var summary: String
            /// The user principal names, user ids, group names and group ids of the people who have the role.
            public var members: [String]

            /// Describes a role.
            public init(value: String, summary: String? = nil, members: [String] = []) {
                self.value = value
                self.summary = summary ?? value
                self.members = members
            }

            /// Reads a role: an object with `value`, or the value alone.
            public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
        }

        /// The client id of the API's registration: `aud` of its tokens of version 2.0.
        public var audience: String
        /// The prefixes that name the API in a scope, without the slash, such as `api://…`; the audience is always one of
        /// them. In tokens of version 1.0, `aud` is the one that the app wrote.
        public var identifiers: [String]
        /// The name shown on the consent page.
        public var displayName: String
        /// The permissions.
        public var scopes: [Scope]
        /// The app roles.
        public var roles: [Role] = []
        /// The version of its access tokens, 1 or 2, whichever endpoint is called: `accessTokenAcceptedVersion` of the
        /// registration. Its default in a file is 1, as at the service.
        public var acceptedTokenVersion = 2
        /// The optional claims of its access tokens (`idtyp`, `groups`, `email` and so on).
        public var optionalClaims: [String] = []
        /// Whether its tokens need a second factor (AADSTS50076).
        public var requiresSecondFactor: Bool
        /// The path below `/api` at which the emulator serves a to-do list protected by this API's tokens; `nil` serves
        /// none. `GET` needs the scope `ToDoList.Read` or `ToDoList.ReadWrite`, `POST` the latter.
        public var toDoListPath: String?

        /// Describes an API.
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

        /// Reads an API; only the audience is required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

        /// Microsoft Graph with the permissions that apps usually ask for.
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

        /// Azure Resource Manager, which the Azure command line asks for.
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

    /// Whether a scope's prefix names the API; letter case and a slash at the end do not matter.
    func isNamed(_ prefix: String) -> Bool {
        names.contains(Self.plain(prefix))
    }

    /// The form in which names are compared.
    static func plain(_ name: String) -> String {
        (name.hasSuffix("/") ? String(name.dropLast()) : name).lowercased()
    }

    /// The form of a permission in the `scope` of a response.
    func qualified(_ scope: String) -> String {
        isGraph ? scope : "\(identifierURI)/\(scope)"
    }

    /// The name before its scopes: the first identifier that is a URI, else the audience.
    var identifierURI: String { identifiers.first { $0.contains("://") } ?? audience }

    /// The names by which apps mean it.
    var names: Set<String> { Set(([audience] + identifiers).map { $0.lowercased() }) }

    /// Whether a confidential client is this API, so that tokens for it may be exchanged by that client.
    func isRegistration(of clientID: String) -> Bool {
        isNamed(clientID) || isNamed("api://\(clientID)")
    }
}

extension EmulatorDirectory.API: FileEntry {
    /// Files leave the version out as the service does.
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
        members.required("clientId", at: \.audience)
            .summary("The client id of the API: aud of its tokens of version 2.")
        members.optional("identifierUris", at: \.identifiers)
            .summary("The prefixes of its scopes, such as api://tasks.")
        members.derived("displayName", at: \.displayName, from: \.audience)
            .summary("The name on the consent page. Without it, the client id.")
        members.optional("scopes", at: \.scopes).summary("The delegated permissions.")
        members.optional("appRoles", at: \.roles).summary("The app roles.")
        members.optional("accessTokenAcceptedVersion", at: \.acceptedTokenVersion, as: .number(1...2))
            .summary("The version of its access tokens, at every endpoint.")
        members.optional("optionalClaims", at: \.optionalClaims, as: .list(.choice(OptionalClaim.ofAccessTokens)))
            .summary("Optional claims of its access tokens.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor)
            .summary("Whether its tokens need a second factor (AADSTS50076).")
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
            .summary("The sentence on the consent page. Without it, the name.")
        members.optional("isAdministratorOnly", at: \.isAdministratorOnly)
            .summary("Whether only an administrator can consent (AADSTS90094).")
    }
}

extension EmulatorDirectory.API.Role: FileEntry {
    static let form = EntryForm(
        "app role",
        summary: "A permission of applications, or a role of people.",
        blank: EmulatorDirectory.API.Role(value: "")
    ) { members in
        members.short("value", at: \.value).summary("The value in the claim roles, such as Tasks.Read.All.")
        members.derived("summary", at: \.summary, from: \.value)
            .summary("The sentence about it. Without it, the value.")
        members.optional("members", at: \.members).summary("The users and groups that have the role.")
    }
}
