// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

extension Emulator {
    /// The reason why a customer could not be added or changed.
    public enum CustomerFailure: Error, Sendable {
        /// A user with this name already exists. Choose another name.
        case exists
        /// No user has this name. Correct it.
        case unknown
        /// The directory has no External ID tenant. Add one.
        case noTenant
    }

    /// All one-time codes so far, oldest first.
    public var outbox: [OutboxMessage] { parts.outbox.elements }

    /// The latest code for an email address or a phone number. Do not print it.
    public func newestCode(for recipient: String) -> String? {
        parts.outbox.elements.last { $0.recipient.lowercased() == recipient.lowercased() }?.code
    }

    /// Adds a customer to the first External ID tenant.
    ///
    /// `password`: `nil` for a customer who signs in without one.
    ///
    /// - Throws: `CustomerFailure.exists`, or `.noTenant` if the directory has no External ID tenant.
    public func addCustomer(
        _ address: String,
        password: String?,
        profile: CustomerProfile = CustomerProfile()
    ) async throws {
        guard try await parts.store.user(named: address) == nil else { throw CustomerFailure.exists }
        guard let tenant = parts.directory.tenants.first(where: { $0.kind == .external }) else {
            throw CustomerFailure.noTenant
        }
        var user = User(
            id: UUID().uuidString.lowercased(),
            homeTenantID: tenant.id,
            userPrincipalName: address.lowercased(),
            givenName: String(address.prefix { $0 != "@" }),
            surname: "",
            password: password.map { Secret($0) } ?? .random()
        )
        user.customer = profile
        try await parts.store.save(user)
    }

    /// Changes the profile of a customer, even in the middle of a sign-in.
    ///
    /// - Throws: `CustomerFailure.unknown`.
    public func changeCustomer(_ address: String, by change: (inout CustomerProfile) -> Void) async throws {
        guard var user = try await parts.store.user(named: address) else { throw CustomerFailure.unknown }
        var profile = user.customer ?? CustomerProfile()
        change(&profile)
        user.customer = profile
        try await parts.store.save(user)
    }

    /// Deletes a user's account. Its tokens are no longer accepted.
    ///
    /// - Throws: `CustomerFailure.unknown`.
    public func removeUser(_ name: String) async throws {
        guard let user = try await parts.store.user(named: name) else { throw CustomerFailure.unknown }
        try parts.store.save([], removing: [user.id])
    }

    /// The current settings of native authentication.
    public var nativeAuth: NativeAuthSettings { parts.directory.native }

    /// Changes the settings of native authentication, even in the middle of a sign-in. `reset()` restores the initial
    /// ones.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for invalid settings; then nothing changes. The message says what to
    ///   correct.
    public func changeNativeAuth(by change: (inout NativeAuthSettings) -> Void) async throws {
        try parts.editor.change { directory in
            // Read the settings inside the change, so that two concurrent changes are both kept.
            var native = parts.directory.native
            change(&native)
            directory.native = native
        }
    }

    /// Responds to the next requests of an endpoint with these responses, one per request.
    ///
    /// `pathSuffix`: The end of the path, such as `/oauth2/v2.0/initiate`.
    /// `correlationID`: Only for requests with this ID; `nil` matches every request.
    public func enqueueResponses(_ responses: [NamedResponse], pathSuffix: String, correlationID: UUID? = nil) {
        parts.namedResponses.enqueue(responses, pathSuffix: pathSuffix, correlationID: correlationID)
    }
}
