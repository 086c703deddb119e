// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

extension Emulator {
    /// The reason why a customer could not be added or changed.
    public enum CustomerFailure: Error, Sendable {
        /// There is somebody with that name already.
        case exists
        /// There is nobody with that name.
        case unknown
        /// The directory has no External ID tenant.
        case noTenant
    }

    /// All one-time codes that were made so far, the oldest first.
    public var outbox: [OutboxMessage] { parts.outbox.elements }

    /// The newest code for an address or a telephone number. Do not print it.
    public func newestCode(for recipient: String) -> String? {
        parts.outbox.elements.last { $0.recipient.lowercased() == recipient.lowercased() }?.code
    }

    /// Adds a customer to the first External ID tenant.
    ///
    /// `password`: `nil` for people who sign in without one.
    ///
    /// - Throws: `CustomerFailure.exists`, or `.noTenant` where the directory has no External ID tenant.
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

    /// Changes the profile of a customer, for instance in the middle of a sign-in.
    ///
    /// - Throws: `CustomerFailure.unknown`.
    public func changeCustomer(_ address: String, by change: (inout CustomerProfile) -> Void) async throws {
        guard var user = try await parts.store.user(named: address) else { throw CustomerFailure.unknown }
        var profile = user.customer ?? CustomerProfile()
        change(&profile)
        user.customer = profile
        try await parts.store.save(user)
    }

    /// Deletes a user's account. Its tokens still exist, and are refused.
    ///
    /// - Throws: `CustomerFailure.unknown`.
    public func removeUser(_ name: String) async throws {
        guard let user = try await parts.store.user(named: name) else { throw CustomerFailure.unknown }
        try parts.store.save([], removing: [user.id])
    }

    /// The settings of native authentication that hold now.
    public var nativeAuth: NativeAuthSettings { parts.directory.native }

    /// Changes the settings of native authentication, for instance in the middle of a sign-in. `reset()` returns to those of
    /// the start.
    ///
    /// - Throws: `EmulatorDirectory.InvalidEntry` for settings that cannot be used; then nothing changes.
    public func changeNativeAuth(by change: (inout NativeAuthSettings) -> Void) async throws {
        try parts.editor.change { directory in
            // Reads the settings inside the change, so that two changes at once are both kept.
            var native = parts.directory.native
            change(&native)
            directory.native = native
        }
    }

    /// Responds to the next requests of an endpoint with these responses, one each.
    ///
    /// `pathSuffix`: The end of the path, such as `/oauth2/v2.0/initiate`.
    /// `correlationID`: Only for requests with this id; `nil` fits every request.
    public func enqueueResponses(_ responses: [NamedResponse], pathSuffix: String, correlationID: UUID? = nil) {
        parts.namedResponses.enqueue(responses, pathSuffix: pathSuffix, correlationID: correlationID)
    }
}
