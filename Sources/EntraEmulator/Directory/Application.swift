// Licensed under the MIT License. See LICENSE.

import Foundation

extension EmulatorDirectory {
    /// An application registration.
    ///
    /// An application that has secrets, certificates or federated credentials is a confidential client wherever it uses
    /// one of its web redirect URIs or acts in its own name. Its printed form hides the secrets.
    public struct Application: Sendable, Codable, Equatable {
        /// The type of an application: the platform that its ``redirectURIs`` belong to.
        public enum Kind: String, Sendable, Codable, CaseIterable {
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
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            clientID = try members.decode(String.self, forKey: .clientID)
            displayName = try members.value(.displayName, default: clientID)
            kind = try members.value(.kind, default: .publicClient)
            redirectURIs = try members.value(.redirectURIs, default: [])
            webRedirectURIs = try members.value(.webRedirectURIs, default: [])
            singlePageRedirectURIs = try members.value(.singlePageRedirectURIs, default: [])
            secrets = try members.value(.secrets, default: [])
            certificates = try members.value(.certificates, default: [])
            federatedCredentials = try members.value(.federatedCredentials, default: [])
            allowsPublicFlows = try members.value(.allowsPublicFlows)
            optionalClaims = try members.value(.optionalClaims, default: [])
            grantedScopes = try members.value(.grantedScopes, default: [:])
            grantedRoles = try members.value(.grantedRoles, default: [:])
            isInFamily = try members.value(.isInFamily, default: false)
            nativeAuthentication = try members.value(.nativeAuthentication)
            consentedAudiences = try members.value(.consentedAudiences, default: [])
        }

        enum CodingKeys: String, CodingKey, CaseIterable {
            case clientID = "clientId"
            case displayName
            case kind = "type"
            case redirectURIs = "redirectUris"
            case webRedirectURIs = "webRedirectUris"
            case singlePageRedirectURIs = "singlePageRedirectUris"
            case secrets, certificates, federatedCredentials, allowsPublicFlows, optionalClaims, grantedScopes
            case grantedRoles, isInFamily, nativeAuthentication, consentedAudiences
        }
    }
}
