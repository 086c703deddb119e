// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// Functions for a simulated identity broker, in addition to those for all clients.
extension Emulator {
    /// The user of a sign-in to a device, as a broker describes accounts.
    package struct DeviceUser: Sendable, Hashable {
        package let userID: String
        package let homeTenantID: String
        package let userPrincipalName: String
        package let displayName: String
        package let givenName: String
        package let surname: String
    }

    /// Signs a user in to a device, like the login on a machine; `nil` if the user does not exist.
    package func signInToDevice(as userName: String, hasSecondFactor: Bool) async throws -> DeviceSignIn? {
        guard let user = try await parts.store.user(named: userName) else { return nil }
        let signIn = DeviceSignIn(userID: user.id, authenticatedAt: now, hasSecondFactor: hasSecondFactor)
        parts.devices.add(signIn)
        return signIn
    }

    /// Signs the user of a sign-in window in to the device.
    package func signInToDevice(
        userID: String,
        authenticatedAt: Date,
        hasSecondFactor: Bool,
        authenticationContexts: [String]
    ) -> DeviceSignIn {
        var signIn = DeviceSignIn(userID: userID, authenticatedAt: authenticatedAt, hasSecondFactor: hasSecondFactor)
        signIn.authenticationContexts = authenticationContexts
        parts.devices.add(signIn)
        return signIn
    }

    /// Ends a sign-in to a device.
    package func signOutOfDevice(_ id: UUID) { parts.devices.end(id) }

    /// The user of a sign-in; `nil` if the account was removed.
    package func person(of signIn: DeviceSignIn) async throws -> DeviceUser? {
        try await parts.store.user(id: signIn.userID).map {
            DeviceUser(
                userID: $0.id,
                homeTenantID: $0.homeTenantID,
                userPrincipalName: $0.userPrincipalName,
                displayName: $0.displayName,
                givenName: $0.givenName,
                surname: $0.surname
            )
        }
    }

    /// The value of the cookie that signs the user in to a browser. It is a secret.
    package func deviceCookie(of id: UUID, nonce: String?) throws -> String? {
        try parts.devices.credential(of: id, nonce: nonce, at: now)?.exposed
    }

    /// The parameter `request` of a token request for an app. It is a secret.
    package func deviceCredential(of id: UUID, for clientID: String) throws -> String? {
        try parts.devices.credential(of: id, clientID: clientID, at: now)?.exposed
    }

    /// The result of a sign-in on the pages whose request has this `state`.
    package func brokerWindow(state: String) -> AsyncStream<BrokerWindowResult> {
        parts.windows.results(state: state)
    }

    /// The error that the pages would show for a client and its redirect URI; `nil` if they would accept them.
    package func refusal(ofClient clientID: String, redirectURI: String) -> ServiceError? {
        guard let client = parts.directory.application(clientID) else { return ServiceError(.unknownClient(clientID)) }
        do throws(EntraError) {
            _ = try client.checked(redirectURI: redirectURI)
            return nil
        } catch {
            return ServiceError(error)
        }
    }

    /// Consents to everything that a client requests, as a user would on the page.
    package func consent(of signIn: DeviceSignIn, to clientID: String, scope: String) async throws(ServiceError) {
        do {
            let scopes = try RequestedScopes.parse(scope, in: parts.directory)
            try await parts.store.recordConsent(userID: signIn.userID, clientID: clientID, scopes: scopes)
        } catch let error as EntraError {
            throw ServiceError(error)
        } catch {
            throw ServiceError(.serverFault)
        }
    }

    /// Whether the emulator accepts this host name.
    package func isNamed(_ host: String) -> Bool { parts.identity.covers(host) }

    /// The first organization in the directory, in which devices are registered; `nil` if there is none.
    package var organizationID: String? { parts.directory.tenants.first { $0.kind == .workforce }?.id }
}

/// Finds another client or user, for a simulated broker that returns wrong tokens in a test.
extension Emulator {
    /// The client ID of another public application with the redirect URI.
    package func otherClient(than clientID: String, at redirectURI: String) -> String? {
        parts.directory.applications.first { application in
            guard let uri = RedirectAddress(redirectURI), application.kind == .publicClient else { return false }
            return application.clientID.lowercased() != clientID.lowercased() && application.allows(uri)
        }?.clientID
    }

    /// The name of another user in the same tenant.
    package func otherUser(than person: DeviceUser) async throws -> String? {
        try await parts.store.users().first {
            $0.homeTenantID == person.homeTenantID && $0.id != person.userID && $0.isEnabled
        }?.userPrincipalName
    }
}
