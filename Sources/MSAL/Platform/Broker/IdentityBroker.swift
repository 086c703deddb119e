// Licensed under the MIT License. See LICENSE.

/// The identity broker of this machine: a separate program that keeps the device's sign-in and issues tokens for it
/// (docs/reference/Broker.md).
///
/// Its texts are untrusted, and its accounts are unverified: callers must check both.
package protocol IdentityBroker: Sendable {
    /// Whether a broker can be reached, without starting or contacting it. A negative result is cached for a minute,
    /// unless the bus reports a new broker. A broker that did not respond a moment ago counts as missing.
    func availability() async -> BrokerAvailability

    /// The same on the caller's thread, within a quarter of a second. If the bus is slower, the result is "no broker"
    /// for now.
    func quickAvailability() -> BrokerAvailability

    /// The same broker for a sign-in and for a check of the machine: it is called even if it did not respond a moment
    /// ago (docs/reference/Broker.md#hang).
    var ignoringHangs: any IdentityBroker { get }

    /// What the broker reports about itself and this device.
    func information(correlationID: UUID) async throws(BrokerFailure) -> BrokerInformation

    /// The accounts that the broker shows to a client.
    func accounts(_ request: BrokerAccountsRequest) async throws(BrokerFailure) -> [BrokerAccount]

    /// A token without user interaction.
    func tokenSilently(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken

    /// A token, for which the broker may open its window. There is no time limit. If the calling task is canceled, the
    /// broker is asked to close its window, and the failure is `.canceled`.
    func tokenInteractively(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken

    /// Makes the broker forget an account for a client.
    func remove(_ account: BrokerAccount, clientID: String, correlationID: UUID) async throws(BrokerFailure)

    /// The cookies that sign a browser in at `url` as the account, or as the user who is signed in to the device.
    func singleSignOnCookies(_ request: BrokerCookieRequest) async throws(BrokerFailure) -> [BrokerCookie]

    /// Makes every call that shows nothing to the user and changes nothing, and returns how each call ended. For a
    /// report; callers must inform the user first.
    func observations(_ report: BrokerReportRequest) async -> [BrokerObservation]
}

extension IdentityBroker {
    /// This broker itself: it does not cache missing responses, so there is nothing to ignore.
    package var ignoringHangs: any IdentityBroker { self }
}

/// Whether a broker can be reached, and the reason if not.
package enum BrokerAvailability: Sendable, Hashable {
    case present
    /// The reason, as a text without a period.
    case absent(_ reason: String)

    package var isPresent: Bool { self == .present }
}

/// A machine without a broker. Used by tests, and if a platform has no broker.
package struct NoBroker: IdentityBroker {
    init() {}

    private static let reason = "this machine has no identity broker"

    private var absent: BrokerFailure { BrokerFailure(.absent, message: "This machine has no identity broker.") }

    package func availability() async -> BrokerAvailability { .absent(Self.reason) }
    package func quickAvailability() -> BrokerAvailability { .absent(Self.reason) }
    package func information(correlationID: UUID) async throws(BrokerFailure) -> BrokerInformation { throw absent }
    package func accounts(_ request: BrokerAccountsRequest) async throws(BrokerFailure) -> [BrokerAccount] {
        throw absent
    }
    package func tokenSilently(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken {
        throw absent
    }
    package func tokenInteractively(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken {
        throw absent
    }
    package func remove(_ account: BrokerAccount, clientID: String, correlationID: UUID) async throws(BrokerFailure) {
        throw absent
    }
    package func singleSignOnCookies(_ request: BrokerCookieRequest) async throws(BrokerFailure) -> [BrokerCookie] {
        throw absent
    }
}
