// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// An app registration.
    ///
    /// An application with secrets, certificates, or federated credentials is a confidential client when it uses one of
    /// its web redirect URIs or acts as itself. Its printed form hides the secrets.
    public struct Application: Sendable, Codable, Equatable {
        /// The type of an application: the platform that its ``redirectURIs`` belong to.
        public enum Kind: String, Sendable, Codable, CaseIterable, FileValue {
            /// A desktop, mobile, or command-line app. It has no secret and uses PKCE.
            case publicClient = "public"
            /// An app on a server. It authenticates at the token endpoint; PKCE is optional.
            case web
            /// A single-page app. It redeems codes from its own origin, and its refresh tokens are valid for 24 hours.
            case singlePage
            /// A service that users do not interact with.
            case api
        }

        /// The accounts that may sign in to an application: `signInAudience` of the registration.
        public enum SignInAudience: String, Sendable, Codable, CaseIterable, FileValue {
            /// Only the users of the application's tenant, including its guests (AADSTS50194 at `/common`).
            case ownOrganization = "AzureADMyOrg"
            /// The users of every organization.
            case allOrganizations = "AzureADMultipleOrgs"
            /// The users of every organization, and personal accounts.
            case everyone = "AzureADandPersonalMicrosoftAccount"
            /// Only personal accounts (AADSTS9002331 at all other endpoints).
            case personalAccounts = "PersonalMicrosoftAccount"
        }

        /// The groups and roles in the tokens of a user: `groupMembershipClaims` of the registration.
        public enum MembershipClaims: String, Sendable, Codable, CaseIterable, FileValue {
            /// Neither groups nor roles, even if an optional claim requests them.
            case disabled = "None"
            /// The claim `groups`.
            case securityGroups = "SecurityGroup"
            /// The claim `groups`, with only the groups that are assigned to the application.
            case assignedGroups = "ApplicationGroup"
            /// The claim `wids`, with the directory roles.
            case directoryRoles = "DirectoryRole"
            /// The claims `groups` and `wids`.
            case all = "All"
        }

        /// The client ID, a GUID or any other text without spaces.
        public var clientID: String
        /// The name shown on the pages.
        public var displayName: String
        /// The type.
        public var kind: Kind = .publicClient
        /// The redirect URIs of its type; the port of `http://localhost` and `http://127.0.0.1` is ignored.
        public var redirectURIs: [String]
        /// The redirect URIs of the web platform, for an app of another type.
        public var webRedirectURIs: [String] = []
        /// The redirect URIs of the single-page platform, for an app of another type. Their refresh tokens are valid
        /// for 24 hours.
        public var singlePageRedirectURIs: [String] = []
        /// The address that a browser opens in a hidden frame, with `iss` and `sid`, when a user of the application
        /// signs out; `nil` for none. The scheme is https, or http on this machine.
        public var frontChannelLogoutURI: String?
        /// The secrets that it may authenticate with.
        public var secrets: [ClientSecret] = []
        /// The certificates that it may sign assertions with.
        public var certificates: [ClientCertificate] = []
        /// The external identities that may act as the application.
        public var federatedCredentials: [FederatedCredential] = []
        /// Whether the device code and password grants require no client authentication; `nil` allows this only for
        /// public clients.
        public var allowsPublicFlows: Bool?
        /// The tenant of the registration, by ID, domain, or alias; `nil` uses the first tenant.
        public var tenant: String?
        /// The accounts that may sign in.
        public var signInAudience = SignInAudience.everyone
        /// The tenants in which it has a service principal, without which it gets no tokens as itself (AADSTS7000229);
        /// `nil` means all tenants.
        public var servicePrincipals: [String]?
        /// Whether the authorization endpoint issues ID tokens (AADSTS700054 otherwise), as hybrid sign-ins require;
        /// `nil` means no.
        public var issuesIDTokens: Bool?
        /// Whether the authorization endpoint issues access tokens (AADSTS700051 otherwise).
        public var issuesAccessTokens = false
        /// The groups and roles in its ID tokens, and in the access tokens of the API with the same client ID. `nil`
        /// includes the groups only if an optional claim requests them.
        public var membershipClaims: MembershipClaims?
        /// The optional claims of its ID tokens, such as `groups`, `upn`, and `email`.
        public var optionalClaims: [OptionalClaim] = []
        /// The names of the directory extensions that it defines for users, without `extension_` and the client ID.
        public var extensionProperties: [String] = []
        /// Delegated permissions with admin consent for all users, by any name of the API. `["*"]` means all
        /// permissions of the API.
        public var grantedScopes: [String: [String]] = [:]
        /// The app roles that an administrator has assigned to the application itself, by any name of the API.
        public var grantedRoles: [String: [String]] = [:]
        /// Whether only assigned users may use the application (AADSTS50105). Those are the users of ``assignedTo``,
        /// and the users who have a role of the API with the same client ID.
        public var assignmentRequired = false
        /// The user principal names, user IDs, group names, and group IDs that are assigned to it.
        public var assignedTo: [String] = []
        /// Whether it shares refresh tokens with the other applications of its family (`foci` 1).
        public var isInFamily = false
        /// The settings of native authentication; `nil` switches it off for the application.
        public var nativeAuthentication: NativePolicy?
        /// The APIs, by any of their names, for which an administrator of an External ID tenant has consented for all
        /// users.
        public var consentedAudiences: [String] = []
        /// Whether it is a blueprint, which gets tokens for its agent identities.
        public var isAgentBlueprint = false
        /// The APIs, by any of their names, whose permissions the agents of a blueprint inherit from it.
        public var inheritablePermissions: [String] = []

        /// Creates an application without native authentication.
        public init(clientID: String, displayName: String, kind: Kind = .publicClient, redirectURIs: [String]) {
            self.clientID = clientID
            self.displayName = displayName
            self.kind = kind
            self.redirectURIs = redirectURIs
        }

        /// Decodes an application; only the client ID is required.
        public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
    }
}

extension EmulatorDirectory.Application: FileEntry {
    static let form = EntryForm(
        "application",
        summary: "An app registration.",
        blank: EmulatorDirectory.Application(clientID: "", displayName: "", redirectURIs: [])
    ) { members in
        members.required("clientId", at: \.clientID).label("Client ID").summary(
            "The client ID, a GUID or any other text without spaces."
        )
        members.derived("displayName", at: \.displayName, from: \.clientID).graph("displayName").label("Name")
            .summary("The name shown on the pages. Defaults to the client ID.")
        members.optional("type", at: \.kind).label("Type")
            .summary("A desktop, mobile, or command-line app; an app on a server; a single-page app; or a service.")
        members.optional("redirectUris", at: \.redirectURIs, as: .list(.text(.uri))).label("Redirect URIs")
            .summary("The redirect URIs of its type.")
        members.optional("webRedirectUris", at: \.webRedirectURIs, as: .list(.text(.uri))).label("Web redirect URIs")
            .summary("Redirect URIs of the web platform, for an app of another type.")
        members.optional("singlePageRedirectUris", at: \.singlePageRedirectURIs, as: .list(.text(.uri)))
            .label("Single-page redirect URIs")
            .summary("Redirect URIs of the single-page platform, for an app of another type.")
        members.optional("frontChannelLogoutUri", at: \.frontChannelLogoutURI, as: .text(.uri)).graph("web.logoutUrl")
            .label("Front-channel logout URL")
            .summary("The address that a browser opens in a hidden frame when a user signs out.")
        members.optional("secrets", at: \.secrets).label("Secrets")
            .summary("The secrets of a confidential client: values, or objects with name, value, and expiresAt.")
        members.optional("certificates", at: \.certificates).summary(
            "The certificates that it may sign assertions with."
        )
        members.optional("federatedCredentials", at: \.federatedCredentials)
            .summary("The external identities that may act as the application.")
        members.optional("tenant", at: \.tenant).label("Tenant")
            .summary("The tenant of the registration by ID, domain, or alias. Defaults to the first tenant.")
        members.optional("signInAudience", at: \.signInAudience).graph("signInAudience").label("Supported accounts")
            .summary("The accounts that may sign in (AADSTS50194 at /common for those of one tenant).")
        members.optional("servicePrincipals", at: \.servicePrincipals).label("Tenants with a service principal")
            .summary("The tenants in which it gets tokens as itself (AADSTS7000229). Defaults to all tenants.")
        members.optional("enableIdTokenIssuance", at: \.issuesIDTokens)
            .graph("web.implicitGrantSettings.enableIdTokenIssuance", unset: false)
            .label("ID tokens (implicit and hybrid flows)")
            .summary("Whether the authorization endpoint issues ID tokens (AADSTS700054), as hybrid sign-ins require.")
        members.optional("enableAccessTokenIssuance", at: \.issuesAccessTokens)
            .graph("web.implicitGrantSettings.enableAccessTokenIssuance").label("Access tokens (implicit flow)")
            .summary("Whether the authorization endpoint issues access tokens (AADSTS700051).")
        members.optional("groupMembershipClaims", at: \.membershipClaims).graph("groupMembershipClaims")
            .label("Groups and roles in tokens")
            .summary(
                "The groups and directory roles in tokens. By default, groups only if an optional claim requests them."
            )
        members.optional("allowsPublicFlows", at: \.allowsPublicFlows).graph("isFallbackPublicClient")
            .label("Public client flows")
            .summary(
                "Whether the device code and password grants need no secret. Defaults to true only for public apps."
            )
        members.optional("optionalClaims", at: \.optionalClaims).graph("optionalClaims.idToken").label(
            "Optional claims"
        )
        .summary("Optional claims of its ID tokens, such as groups, upn, and email.")
        members.optional("extensionProperties", at: \.extensionProperties).label("Directory extensions")
            .summary("The names of the directory extensions that it defines for users, such as skypeId.")
        members.optional("grantedScopes", at: \.grantedScopes).label("Delegated permissions with admin consent")
            .summary("The scopes to which an administrator has consented, by a name of the API; '*' means all.")
        members.optional("grantedRoles", at: \.grantedRoles).label("Application permissions")
            .summary("The app roles assigned to it, by a name of the API.")
        members.optional("assignmentRequired", at: \.assignmentRequired).label("Assignment required")
            .summary("Whether only assigned users may use it (AADSTS50105).")
        members.optional("assignedTo", at: \.assignedTo).label("Assigned users and groups")
            .summary("The users and groups that are assigned to it.")
        members.optional("isInFamily", at: \.isInFamily)
            .summary("Whether it shares refresh tokens with its family (foci 1).")
        members.optional("nativeAuthentication", at: \.nativeAuthentication)
            .summary("The settings of native authentication. Off by default.")
        members.optional("consentedAudiences", at: \.consentedAudiences)
            .summary("The APIs that customers of an External ID tenant do not have to consent to.")
        members.optional("isAgentBlueprint", at: \.isAgentBlueprint)
            .summary("Whether it is a blueprint, which gets tokens for its agent identities.")
        members.optional("inheritablePermissions", at: \.inheritablePermissions)
            .summary("The APIs whose permissions the agents of a blueprint inherit from it.")
    }
}
