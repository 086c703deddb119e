// Licensed under the MIT License. See LICENSE.

import Foundation

/// A validated `EmulatorDirectory.Application`: redirect URIs and certificates are parsed, APIs are identified by
/// audience.
struct AppRegistration: Sendable {
    /// The platform of a redirect URI. It determines how a code is redeemed.
    enum Platform: Sendable {
        /// A desktop, mobile, or command-line app: PKCE, no client authentication.
        case publicClient
        /// An app on a server: client authentication.
        case web
        /// A single-page app: PKCE, and cross-origin redemption.
        case singlePage
    }

    /// The parsed redirect URIs. Those of `kind` are separate from those of the two other platforms.
    struct RedirectURIs: Sendable {
        let kind: EmulatorDirectory.Application.Kind
        let ofKind: [RedirectAddress]
        let web: [RedirectAddress]
        /// The redirect URIs of single-page applications, whose refresh tokens live for 24 hours.
        let singlePage: [RedirectAddress]

        var all: [RedirectAddress] { ofKind + web + singlePage }
        var allSinglePage: [RedirectAddress] { singlePage + (kind == .singlePage ? ofKind : []) }

        /// The platform that a redirect URI is registered for; `nil` if it is not registered.
        func platform(of uri: RedirectAddress) -> Platform? {
            if singlePage.contains(where: { $0.matches(uri) }) { return .singlePage }
            if web.contains(where: { $0.matches(uri) }) { return .web }
            guard ofKind.contains(where: { $0.matches(uri) }) else { return nil }
            switch kind {
            case .publicClient: return .publicClient
            case .web, .api: return .web
            case .singlePage: return .singlePage
            }
        }
    }

    /// The credentials of the application.
    struct Credentials: Sendable {
        let secrets: [EmulatorDirectory.ClientSecret]
        let certificates: [RegisteredCertificate]
        let federated: [EmulatorDirectory.FederatedCredential]

        var isEmpty: Bool { secrets.isEmpty && certificates.isEmpty && federated.isEmpty }

        /// Whether a certificate of a TLS handshake is registered, or issued by a registered issuer.
        func contains(_ certificate: RegisteredCertificate, at now: Date) -> Bool {
            guard certificate.isValid(at: now) else { return false }
            return certificates.contains { registered in
                registered.subject == nil
                    ? registered.sha256Thumbprint == certificate.sha256Thumbprint
                    : registered.vouches(for: certificate, at: now)
            }
        }
    }

    var clientID: String
    var displayName: String
    let kind: EmulatorDirectory.Application.Kind
    let redirectURIs: RedirectURIs
    /// The address that a browser opens in a frame when a user of the application signs out.
    let frontChannelLogoutURI: RedirectAddress?
    let credentials: Credentials
    /// Whether the device code and password grants require no client authentication.
    let allowsPublicFlows: Bool
    /// The ID of its tenant.
    let tenantID: String
    let signInAudience: EmulatorDirectory.Application.SignInAudience
    /// The IDs of the tenants with its service principal; `nil` means all.
    let servicePrincipals: Set<String>?
    let issuesIDTokens: Bool
    let issuesAccessTokens: Bool
    let membershipClaims: EmulatorDirectory.Application.MembershipClaims?
    let optionalClaims: [EmulatorDirectory.OptionalClaim]
    /// Delegated permissions with admin consent for all users, by audience.
    let grantedScopes: [String: [String]]
    /// App roles of the application, by audience.
    let grantedRoles: [String: [String]]
    /// The names of users and groups, in lower case, that may use it; `nil` allows all users.
    let assignedTo: Set<String>?
    /// Whether it shares refresh tokens with the other applications of its family (`foci` 1).
    let isInFamily: Bool
    /// The settings of native authentication; `nil` if it is switched off.
    let native: NativePolicy?
    /// The APIs for which an administrator of an External ID tenant has consented for all users, by audience.
    let consentedAudiences: [String]
    /// Whether it is a blueprint of agents.
    let isAgentBlueprint: Bool
    /// The agent identity that the registration stands for; `nil` for an application.
    var agent: AgentIdentity?

    /// The tenants of a request that the application may use.
    ///
    /// - Throws: AADSTS50194, AADSTS700016, or AADSTS9002331 if it supports other accounts.
    func admitted(_ selector: TenantSelector, called segment: String) throws(EntraError) -> TenantSelector {
        switch (signInAudience, selector) {
        case (.everyone, _): selector
        case (.ownOrganization, .tenant(let tenant)) where tenant.id == tenantID: selector
        case (.ownOrganization, .common), (.ownOrganization, .organizations):
            throw .singleTenantClient(clientID, named: displayName, at: segment)
        case (.allOrganizations, .common): .organizations
        case (.allOrganizations, .organizations): selector
        case (.allOrganizations, .tenant(let tenant)) where tenant.kind != .personal: selector
        case (.personalAccounts, .common), (.personalAccounts, .consumers): .consumers
        case (.personalAccounts, .tenant(let tenant)) where tenant.kind == .personal: selector
        case (.personalAccounts, _): throw .personalClient(clientID)
        case (.ownOrganization, _), (.allOrganizations, _): throw .unknownClient(clientID)
        }
    }

    /// The remark in the journal about a response type that the registration does not enable.
    func lineToAdd(_ member: String) -> String {
        "add '\(member): true' to the application '\(clientID)' in the directory file to enable this response type"
    }

    /// Validates the redirect URI of a request.
    ///
    /// - Throws: AADSTS50011 if it is not registered, AADSTS500117 if it uses http with another host.
    func checked(redirectURI text: String) throws(EntraError) -> RedirectAddress {
        guard let uri = RedirectAddress(text) else { throw .redirectMismatch(text, clientID: clientID) }
        guard allows(uri) else {
            if uri.scheme == "http", !uri.isLoopback { throw .insecureRedirect }
            throw .redirectMismatch(text, clientID: clientID)
        }
        return uri
    }

    /// Whether the redirect URI of a request is registered.
    func allows(_ uri: RedirectAddress) -> Bool { redirectURIs.platform(of: uri) != nil }

    /// Whether the redirect URI belongs to a single-page application.
    func isSinglePage(_ uri: RedirectAddress) -> Bool { redirectURIs.platform(of: uri) == .singlePage }
}
