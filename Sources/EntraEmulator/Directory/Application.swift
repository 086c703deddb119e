// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// An application registration.
    ///
    /// An application that has secrets, certificates or federated credentials is a confidential client wherever it uses
    /// one of its web redirect URIs or acts in its own name. Its printed form hides the secrets.
    public struct Application: Sendable, Codable, Equatable {
        /// The type of an application: the platform that its ``redirectURIs`` belong to.
        public enum Kind: String, Sendable, Codable, CaseIterable, FileValue {
            /// A desktop, mobile or command-line app. It has no secret and sends PKCE.
            case publicClient = "public"
            /// An app on a server. It authenticates at the token endpoint, and need not send PKCE.
            case web
            /// A page with scripts. It redeems from its own origin, and its refresh tokens live for 24 hours.
            case singlePage
            /// A service without people in front of it.
            case api
        }

        /// The client id, a GUID or any other text without spaces.
        public var clientID: String
        /// The name shown on the pages.
        public var displayName: String
        /// The type.
        public var kind: Kind = .publicClient
        /// The redirect URIs of its type; the port of `http://localhost` and `http://127.0.0.1` does not matter.
        public var redirectURIs: [String]
        /// Redirect URIs of web applications, for an app that is several things.
        public var webRedirectURIs: [String] = []
        /// The redirect URIs of single-page applications, whose refresh tokens live for 24 hours.
        public var singlePageRedirectURIs: [String] = []
        /// The address that a browser opens in a hidden frame, with `iss` and `sid`, when a person signs out who has used the
        /// application; `nil` for none. It is https, or http of this machine.
        public var frontChannelLogoutURI: String?
        /// The secrets that it may authenticate with.
        public var secrets: [ClientSecret] = []
        /// The certificates that it may sign assertions with.
        public var certificates: [ClientCertificate] = []
        /// The foreign identities that may act as the application.
        public var federatedCredentials: [FederatedCredential] = []
        /// Whether device code and password sign-ins need no authentication of the application; `nil` allows it to public
        /// clients only.
        public var allowsPublicFlows: Bool?
        /// The optional claims of the tokens that it gets about its users (`groups`, `upn`, `email` and so on).
        public var optionalClaims: [String] = []
        /// The delegated permissions that an administrator has given for everybody, by any name of the API. `["*"]` stands
        /// for all of the API's.
        public var grantedScopes: [String: [String]] = [:]
        /// The app roles that an administrator has given the application itself, by any name of the API.
        public var grantedRoles: [String: [String]] = [:]
        /// Whether only assigned users may use the application (AADSTS50105). Those are the users of ``assignedTo``,
        /// and the users who have a role of the API with the same client id.
        public var assignmentRequired = false
        /// The user principal names, user ids, group names and group ids that are assigned to it.
        public var assignedTo: [String] = []
        /// Whether it shares refresh tokens with the other applications of its family (`foci` 1).
        public var isInFamily = false
        /// What native authentication asks of customers; `nil` switches it off for the application.
        public var nativeAuthentication: NativePolicy?
        /// The APIs, by any of their names, for which an administrator of an External ID tenant has consented for
        /// everybody.
        public var consentedAudiences: [String] = []

        /// Describes an application without native authentication.
        public init(clientID: String, displayName: String, kind: Kind = .publicClient, redirectURIs: [String]) {
            self.clientID = clientID
            self.displayName = displayName
            self.kind = kind
            self.redirectURIs = redirectURIs
        }

        /// Reads an application; only the client id is required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.Application: FileEntry {
    static let form = EntryForm(
        "application",
        summary: "An app registration.",
        blank: EmulatorDirectory.Application(clientID: "", displayName: "", redirectURIs: [])
    ) { members in
        members.required("clientId", at: \.clientID).summary("The client id, a GUID or any other text without spaces.")
        members.derived("displayName", at: \.displayName, from: \.clientID)
            .summary("The name shown on the pages. Without it, the client id.")
        members.optional("type", at: \.kind)
            .summary("A desktop, mobile or command-line app; an app on a server; a page with scripts; or a service.")
        members.optional("redirectUris", at: \.redirectURIs, as: .list(.text(.uri)))
            .summary("The redirect URIs of its type.")
        members.optional("webRedirectUris", at: \.webRedirectURIs, as: .list(.text(.uri)))
            .summary("Redirect URIs of a web app, for an app of another type.")
        members.optional("singlePageRedirectUris", at: \.singlePageRedirectURIs, as: .list(.text(.uri)))
            .summary("Redirect URIs of a page, for an app of another type.")
        members.optional("frontChannelLogoutUri", at: \.frontChannelLogoutURI, as: .text(.uri))
            .summary("The address that hears in a hidden frame that a person has signed out.")
        members.optional("secrets", at: \.secrets).summary("The secrets of a confidential client.")
        members.optional("certificates", at: \.certificates).summary("The certificates with which it signs assertions.")
        members.optional("federatedCredentials", at: \.federatedCredentials)
            .summary("The foreign identities that may act as the application.")
        members.optional("allowsPublicFlows", at: \.allowsPublicFlows)
            .summary("Whether device code and password sign-ins need no secret. Without it, only of public apps.")
        members.optional("optionalClaims", at: \.optionalClaims, as: .list(.choice(OptionalClaim.ofIDTokens)))
            .summary("Optional claims of its id tokens: groups, upn, email and so on.")
        members.optional("grantedScopes", at: \.grantedScopes)
            .summary("The scopes to which an administrator has consented, by a name of the API; '*' means all.")
        members.optional("grantedRoles", at: \.grantedRoles)
            .summary("The app roles that it was given, by a name of the API.")
        members.optional("assignmentRequired", at: \.assignmentRequired)
            .summary("Whether only assigned users may use it (AADSTS50105).")
        members.optional("assignedTo", at: \.assignedTo)
            .summary("The users and groups that are assigned to it.")
        members.optional("isInFamily", at: \.isInFamily)
            .summary("Whether it shares refresh tokens with its family (foci 1).")
        members.optional("nativeAuthentication", at: \.nativeAuthentication)
            .summary("Native authentication of customers. Without it, switched off.")
        members.optional("consentedAudiences", at: \.consentedAudiences)
            .summary("The APIs that customers of an External ID tenant are not asked about.")
    }
}
