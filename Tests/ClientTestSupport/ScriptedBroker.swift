// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSAL
import MSALBase
import Synchronization

/// The identity broker of a simulated device. It follows its script, and records its calls.
package final class ScriptedBroker: IdentityBroker {
    /// One call, with the parts that tests check.
    package enum Call: Sendable, Hashable {
        case availability
        case information
        case accounts(clientID: String)
        case silent(user: String?)
        case interactive(user: String?, prompt: BrokerPrompt?)
        case remove(user: String, clientID: String)
        case cookies
    }

    /// The state of the device, and its next responses.
    package struct Device: Sendable {
        package var availability = BrokerAvailability.present
        package var accounts: [BrokerAccount] = []
        package var information = BrokerInformation(version: "3.0.1", dialect: .current)
        /// Failures of the calls; `nil` for a call that succeeds.
        package var accountsFailure: BrokerFailure?
        package var silentFailure: BrokerFailure?
        package var interactiveFailure: BrokerFailure?
        /// Whether an interactive call has to name an account, as Himmelblau's.
        package var needsAccount = false
        package var removeFailure: BrokerFailure?
        package var informationFailure: BrokerFailure?
        /// The token of a request.
        package var token: @Sendable (BrokerTokenRequest) -> BrokerToken
    }

    private let device: Mutex<Device>
    private let noted = Mutex<[Call]>([])
    private let requested = Mutex<[BrokerTokenRequest]>([])
    /// Called before a silent call responds.
    private let pause: @Sendable () async -> Void
    /// Called before an interactive call responds.
    private let window: @Sendable () async -> Void

    /// - Parameters:
    ///   - token: The response to each request for a token.
    ///   - pause: Called before a silent call responds; nothing by default.
    ///   - window: Called before an interactive call responds; nothing by default.
    package init(
        token: @escaping @Sendable (BrokerTokenRequest) -> BrokerToken,
        pause: @escaping @Sendable () async -> Void = {},
        window: @escaping @Sendable () async -> Void = {}
    ) {
        device = Mutex(Device(token: token))
        self.pause = pause
        self.window = window
    }

    /// Changes the device.
    package func change(_ body: (inout Device) -> Void) { device.withLock { body(&$0) } }

    /// The calls so far except for checks whether there is a broker, in order.
    package var calls: [Call] { noted.withLock { $0.filter { $0 != .availability } } }

    /// Whether a check for a broker was made.
    package var wasLookedFor: Bool { noted.withLock { $0.contains(.availability) } }

    /// The requests for tokens so far, in order.
    package var requests: [BrokerTokenRequest] { requested.withLock { $0 } }

    private func note(_ call: Call) { noted.withLock { $0.append(call) } }

    package func availability() async -> BrokerAvailability { quickAvailability() }

    package func quickAvailability() -> BrokerAvailability {
        note(.availability)
        return device.withLock { $0.availability }
    }

    package func information(correlationID: UUID) async throws(BrokerFailure) -> BrokerInformation {
        note(.information)
        let device = device.withLock { $0 }
        if let failure = device.informationFailure { throw failure }
        return device.information
    }

    package func accounts(_ request: BrokerAccountsRequest) async throws(BrokerFailure) -> [BrokerAccount] {
        note(.accounts(clientID: request.clientID))
        let device = device.withLock { $0 }
        if let failure = device.accountsFailure { throw failure }
        return device.accounts
    }

    package func tokenSilently(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken {
        note(.silent(user: request.account?.username ?? request.loginHint))
        requested.withLock { $0.append(request) }
        await pause()
        let device = device.withLock { $0 }
        if let failure = device.silentFailure { throw failure }
        return device.token(request)
    }

    package func tokenInteractively(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken {
        note(.interactive(user: request.account?.username ?? request.loginHint, prompt: request.prompt))
        requested.withLock { $0.append(request) }
        await window()
        let device = device.withLock { $0 }
        if device.needsAccount, request.account == nil {
            throw BrokerFailure(.accountNeeded, message: "Missing account username in request")
        }
        if let failure = device.interactiveFailure { throw failure }
        return device.token(request)
    }

    package func remove(
        _ account: BrokerAccount,
        clientID: String,
        correlationID: UUID
    ) async throws(BrokerFailure) {
        note(.remove(user: account.username, clientID: clientID))
        try device.withLock { device throws(BrokerFailure) in
            if let failure = device.removeFailure { throw failure }
            // On a shared device the user is signed out for all apps.
            guard device.information.device?.isShared == true else { return }
            device.accounts.removeAll { $0.homeAccountID == account.homeAccountID }
        }
    }

    package func singleSignOnCookies(_ request: BrokerCookieRequest) async throws(BrokerFailure) -> [BrokerCookie] {
        note(.cookies)
        return [BrokerCookie(name: "x-ms-RefreshTokenCredential", content: Secret("cookie"))]
    }
}
