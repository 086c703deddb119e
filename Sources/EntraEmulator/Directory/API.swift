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
        }

        /// The value of `aud` in its access tokens.
        public var audience: String
        /// The prefixes that name the API in a scope, without the slash; the audience is always one of them.
        public var identifiers: [String]
        /// The name shown on the consent page.
        public var displayName: String
        /// The permissions.
        public var scopes: [Scope]
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

        /// Microsoft Graph with the permissions that apps usually ask for.
        public static let microsoftGraph = API(
            audience: "00000003-0000-0000-c000-000000000000",
            identifiers: [
                "https://graph.microsoft.com", "https://graph.microsoft.us", "https://microsoftgraph.chinacloudapi.cn",
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
                Scope(name: "Directory.Read.All", summary: "Read the directory's data", isAdministratorOnly: true),
                Scope(name: "Group.Read.All", summary: "Read all groups", isAdministratorOnly: true),
                Scope(name: "User.Read.All", summary: "Read all users' profiles", isAdministratorOnly: true),
            ]
        )
    }
}

/// The name of the type inside the emulator.
typealias API = EmulatorDirectory.API

extension API {
    /// Whether this is Microsoft Graph: its tokens are of version 1.0, and its scopes may be written without a prefix.
    var isGraph: Bool { audience == Self.microsoftGraph.audience }

    /// Whether a scope's prefix names the API; letter case does not matter.
    func isNamed(_ prefix: String) -> Bool {
        let prefix = prefix.lowercased()
        return audience.lowercased() == prefix || identifiers.contains { $0.lowercased() == prefix }
    }

    /// The permission of that name; letter case does not matter.
    func scope(named name: String) -> Scope? {
        scopes.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The form of a permission in the `scope` of a response.
    func qualified(_ scope: String) -> String {
        isGraph ? scope : "\(audience)/\(scope)"
    }
}
