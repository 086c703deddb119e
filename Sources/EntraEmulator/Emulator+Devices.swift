// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// The facts and calls that a double of an identity broker needs beside those of every client.
extension Emulator {
    /// The person of a sign-in to a device, as a broker describes accounts.
    package struct DevicePerson: Sendable, Hashable {
        package let userID: String
        package let homeTenantID: String
        package let userPrincipalName: String
        package let displayName: String
        package let givenName: String
        package let surname: String
    }

    /// Signs a user in to a device, as the login of the machine does; `nil` for a name that nobody has.
    package func signInToDevice(as userName: String, hasSecondFactor: Bool) async throws -> DeviceSignIn? {
        guard let user = try await parts.store.user(named: userName) else { return nil }
        let signIn = DeviceSignIn(userID: user.id, authenticatedAt: now, hasSecondFactor: hasSecondFactor)
        parts.devices.add(signIn)
        return signIn
    }

    /// Signs the person of a window in to the device.
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
    package func signOutOfDevice(_ id: UUID) {
        parts.devices.end(id)
    }

    /// The person of a sign-in; `nil` where the account was removed.
    package func person(of signIn: DeviceSignIn) async throws -> DevicePerson? {
        try await parts.store.user(id: signIn.userID).map {
            DevicePerson(
                userID: $0.id,
                homeTenantID: $0.homeTenantID,
                userPrincipalName: $0.userPrincipalName,
                displayName: $0.displayName,
                givenName: $0.givenName,
                surname: $0.surname
            )
        }
    }

    /// The content of the cookie that signs a browser in. It is a secret.
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

    /// The refusal that the pages would show for a client and its redirect URI; `nil` where they would go on.
    package func refusal(ofClient clientID: String, redirectURI: String) -> ServiceError? {
        guard let client = parts.directory.application(clientID) else { return ServiceError(.unknownClient(clientID)) }
        do throws(EntraError) {
            _ = try client.checked(redirectURI: redirectURI)
            return nil
        } catch {
            return ServiceError(error)
        }
    }

    /// Lets a user agree to everything that a client asks for, as on the page.
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

    /// Whether clients may name the emulator by this host.
    package func isNamed(_ host: String) -> Bool { parts.identity.covers(host) }

    /// The first organization of the directory, which devices are registered in; `nil` where there is none.
    package var organizationID: String? { parts.directory.tenants.first { $0.kind == .workforce }?.id }
}

/// Finds another client or user, for a double of the broker that a test tells to give wrong tokens.
extension Emulator {
    /// The client id of another public application with the redirect URI.
    package func otherClient(than clientID: String, at redirectURI: String) -> String? {
        parts.directory.applications.first { application in
            guard let uri = RedirectAddress(redirectURI), application.kind == .publicClient else { return false }
            return application.clientID.lowercased() != clientID.lowercased() && application.allows(uri)
        }?.clientID
    }

    /// The name of another user of the same tenant.
    package func otherUser(than person: DevicePerson) async throws -> String? {
        try await parts.store.users().first {
            $0.homeTenantID == person.homeTenantID && $0.id != person.userID && $0.isEnabled
        }?.userPrincipalName
    }
}
