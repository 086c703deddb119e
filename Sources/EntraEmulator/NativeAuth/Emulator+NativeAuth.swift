// Licensed under the MIT License. See LICENSE.

public import Foundation

extension Emulator {
    /// Why a customer could not be added or changed.
    public enum CustomerFailure: Error, Sendable {
        /// There is somebody with that name already.
        case exists
        /// There is nobody with that name.
        case unknown
    }

    /// Every one-time code that was made so far, oldest first.
    public var outbox: [OutboxMessage] { platform.native.outbox.messages }

    /// The newest code for an address or a telephone number. Do not print it.
    public func newestCode(for recipient: String) -> String? {
        platform.native.outbox.messages.last { $0.recipient.lowercased() == recipient.lowercased() }?.code
    }

    /// Adds a customer to the External ID tenant.
    ///
    /// `password`: `nil` for people who sign in without one.
    ///
    /// - Throws: `CustomerFailure.exists`.
    public func addCustomer(
        _ address: String,
        password: String?,
        profile: CustomerProfile = CustomerProfile()
    ) async throws {
        guard try await platform.store.user(named: address) == nil else { throw CustomerFailure.exists }
        var user = User(
            id: UUID().uuidString.lowercased(),
            homeTenantID: seed.externalTenantID,
            userPrincipalName: address.lowercased(),
            givenName: String(address.prefix { $0 != "@" }),
            surname: "",
            password: password.map { Secret($0) } ?? .random()
        )
        user.customer = profile
        try await platform.store.save(user)
    }

    /// Changes what the tenant knows about a customer, for instance in the middle of a sign-in.
    ///
    /// - Throws: `CustomerFailure.unknown`.
    public func changeCustomer(_ address: String, _ change: (inout CustomerProfile) -> Void) async throws {
        guard var user = try await platform.store.user(named: address) else { throw CustomerFailure.unknown }
        var profile = user.customer ?? CustomerProfile()
        change(&profile)
        user.customer = profile
        try await platform.store.save(user)
    }

    /// Deletes somebody's account; tokens stay, and are refused.
    ///
    /// - Throws: `CustomerFailure.unknown`.
    public func removeUser(_ name: String) async throws {
        guard let user = try await platform.store.user(named: name) else { throw CustomerFailure.unknown }
        try await platform.store.removeUser(id: user.id)
    }

    /// Answers the next requests of an endpoint with these answers, one each.
    ///
    /// `pathSuffix`: The end of the path, such as `/oauth2/v2.0/initiate`.
    /// `correlationID`: Only for requests with this id; `nil` fits every request.
    public func enqueueAnswers(_ answers: [NamedAnswer], pathSuffix: String, correlationID: UUID? = nil) {
        platform.native.queue.enqueue(answers, pathSuffix: pathSuffix, correlationID: correlationID)
    }
}
