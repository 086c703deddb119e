// Licensed under the MIT License. See LICENSE.

/// The identity broker of this machine: a program beside the app that keeps the device's sign-in and gives tokens for it
/// (docs/reference/Broker.md).
///
/// Its texts are foreign texts, and its accounts are what it says of them: callers check both.
package protocol IdentityBroker: Sendable {
    /// Whether a broker can be reached. Nothing is started and nothing is said to it. A "no" is remembered for a minute,
    /// unless the bus reports that one has come. A broker that did not respond a moment ago counts as none.
    func availability() async -> BrokerAvailability

    /// The same on the caller's thread, within a quarter of a second. If the bus is slower, the answer is "no broker"
    /// for now.
    func availabilityAtOnce() -> BrokerAvailability

    /// The same broker for a sign-in and for a check of the machine: it is asked although it did not respond a moment ago
    /// (docs/reference/Broker.md#hang).
    var insistent: any IdentityBroker { get }

    /// The facts that the broker reports about itself and this device.
    func information(correlationID: UUID) async throws(BrokerFailure) -> BrokerInformation

    /// The accounts that the broker shows to a client.
    func accounts(_ request: BrokerAccountsRequest) async throws(BrokerFailure) -> [BrokerAccount]

    /// A token without the user.
    func tokenSilently(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken

    /// A token, for which the broker may open a window of its own. There is no time limit. If the calling task is
    /// cancelled, the broker is asked to close its window, and the failure is `.canceled`.
    func tokenInteractively(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken

    /// Lets the broker forget an account for a client.
    func remove(_ account: BrokerAccount, clientID: String, correlationID: UUID) async throws(BrokerFailure)

    /// The cookies that sign a browser in at `url`, as the account, or as whoever the device is signed in as.
    func singleSignOnCookies(_ request: BrokerCookieRequest) async throws(BrokerFailure) -> [BrokerCookie]

    /// Makes every call that shows nothing to the user and changes nothing, and returns how each call ended. A report
    /// needs this. Callers tell the user before.
    func observations(_ report: BrokerReportRequest) async -> [BrokerObservation]
}

extension IdentityBroker {
    /// This broker itself: it remembers no missing response, so there is nothing to ignore.
    package var insistent: any IdentityBroker { self }
}

/// Whether a broker can be reached, and why not.
package enum BrokerAvailability: Sendable, Hashable {
    case present
    /// A reason in words, without a full stop.
    case absent(_ reason: String)

    package var isPresent: Bool { self == .present }
}

/// A machine without a broker. Tests use it, and so does a platform that was given no broker.
package struct NoBroker: IdentityBroker {
    init() {}

    private static let reason = "no identity broker is on this machine"

    private var absent: BrokerFailure {
        BrokerFailure(.absent, message: "There is no identity broker on this machine.")
    }

    package func availability() async -> BrokerAvailability { .absent(Self.reason) }
    package func availabilityAtOnce() -> BrokerAvailability { .absent(Self.reason) }
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
    package func remove(
        _ account: BrokerAccount,
        clientID: String,
        correlationID: UUID
    ) async throws(BrokerFailure) {
        throw absent
    }
    package func singleSignOnCookies(_ request: BrokerCookieRequest) async throws(BrokerFailure) -> [BrokerCookie] {
        throw absent
    }
}
