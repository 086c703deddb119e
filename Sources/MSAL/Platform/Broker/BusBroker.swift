// Licensed under the MIT License. See LICENSE.

import DBus
import MSALBase

/// The identity broker on the session bus (docs/reference/Broker.md).
///
/// Creating one costs nothing: it connects on first use. Each call has its own thread and connection.
package struct BusBroker: IdentityBroker {
    private let environment: [String: String]
    private let time: any TimeSource
    private let limits: BrokerLimits
    private let presence: BrokerPresence
    private let onWait: @Sendable () -> Void
    private var ignoresHangs = false

    /// `onWait`: Called when a call without user interaction takes longer than two seconds.
    init(
        environment: [String: String],
        time: any TimeSource,
        limits: BrokerLimits = BrokerLimits(),
        onWait: @escaping @Sendable () -> Void = {}
    ) {
        self.environment = environment
        self.time = time
        self.limits = limits
        self.onWait = onWait
        presence = BrokerPresence(environment: environment, time: time, memory: limits.absence)
    }

    package var ignoringHangs: any IdentityBroker {
        var copy = self
        copy.ignoresHangs = true
        return copy
    }

    package func availability() async -> BrokerAvailability {
        // A caller without a bus gets the response without a thread.
        guard !BusAddress.session(environment).isEmpty else { return quickAvailability() }
        return await BusThread.run { [presence, limits, ignoresHangs] flag in
            presence.checkPresence(until: flag.deadline(limits.presence), isQuick: false, ignoresHangs: ignoresHangs)
        }
    }

    package func quickAvailability() -> BrokerAvailability {
        presence.checkPresence(until: Deadline(after: limits.quickPresence), isQuick: true, ignoresHangs: ignoresHangs)
    }

    package func information(correlationID: UUID) async throws(BrokerFailure) -> BrokerInformation {
        let response = try await ask(.version, request: BrokerRequests.version(), correlationID: correlationID)
        var information = response.information()
        if await isHimmelblau() { information.dialect = .himmelblau }
        return information
    }

    package func accounts(_ request: BrokerAccountsRequest) async throws(BrokerFailure) -> [BrokerAccount] {
        do throws(BrokerFailure) {
            return try await ask(
                .accounts,
                request: BrokerRequests.accounts(request),
                correlationID: request.correlationID
            ).accounts()
        } catch {
            // Himmelblau returns this error if no user is signed in to the device.
            guard error.kind == .unknownAccount else { throw error }
            return []
        }
    }

    package func tokenSilently(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken {
        try await ask(
            .tokenSilently,
            request: BrokerRequests.tokenSilently(request),
            correlationID: request.correlationID,
            secrets: [request.accessTokenToRenew].compactMap(\.self)
        ).token(for: request)
    }

    package func tokenInteractively(_ request: BrokerTokenRequest) async throws(BrokerFailure) -> BrokerToken {
        try await ask(
            .tokenInteractively,
            request: BrokerRequests.tokenInteractively(request),
            correlationID: request.correlationID,
            secrets: [request.accessTokenToRenew].compactMap(\.self)
        ).token(for: request)
    }

    package func remove(_ account: BrokerAccount, clientID: String, correlationID: UUID) async throws(BrokerFailure) {
        let request = BrokerRequests.removal(of: account, clientID: clientID)
        _ = try await ask(.removal, request: request, correlationID: correlationID)
    }

    package func singleSignOnCookies(_ request: BrokerCookieRequest) async throws(BrokerFailure) -> [BrokerCookie] {
        var request = request
        if request.account == nil {
            // Himmelblau returns no cookie without an account.
            let question = BrokerAccountsRequest(clientID: request.clientID, correlationID: request.correlationID)
            request.account = try await accounts(question).first
        }
        return try await ask(.cookie, request: BrokerRequests.cookie(request), correlationID: request.correlationID)
            .cookies()
    }

    private func ask(
        _ method: IdentityBrokerMethod,
        request: JSONValue,
        correlationID: UUID,
        secrets: [Secret] = []
    ) async throws(BrokerFailure) -> BrokerResponse {
        let text: String
        do throws(IdentityBrokerCallError) {
            text = try await exchange(method, request: request, correlationID: correlationID)
        } catch {
            throw error.failure(of: method, secrets: secrets)
        }
        return try BrokerResponse(text, to: method, secrets: secrets)
    }
}

extension BusBroker {
    /// Sends a request and returns the broker's text unchanged.
    ///
    /// Waits for a broker that has just started. Repeats a repeatable call once if the broker or the bus exited in the
    /// meantime. If the task is canceled, the error is of the kind `.canceled`, and the broker closes its window.
    func exchange(
        _ method: IdentityBrokerMethod,
        request: JSONValue,
        correlationID: UUID
    ) async throws(IdentityBrokerCallError) -> String {
        let call = IdentityBrokerCall(
            method: method,
            request: request.text,
            // Lowercase, as all known clients write it.
            correlationID: correlationID.uuidString.lowercased(),
            environment: environment,
            limits: limits,
            ignoresHangs: ignoresHangs || !method.needsNoUser
        )
        var pauses = limits.pauses[...]
        var mayRepeat = method.isRepeatable
        let end = limits.limit(of: method).map { ContinuousClock.now + $0 }
        while true {
            let left = end.map { ContinuousClock.now.duration(to: $0) }
            let outcome = await noticingWait(for: method) {
                await BusThread.run { [presence] flag in
                    call.perform(within: left, presence: presence, flag: flag)
                }
            }
            do throws(IdentityBrokerCallError) {
                return try outcome.get()
            } catch {
                if error.isTooEarly, let pause = pauses.popFirst() {
                    do throws(CancellationError) {
                        try await time.sleep(for: pause)
                    } catch {
                        throw .canceled
                    }
                } else if error.isLoss, mayRepeat {
                    mayRepeat = false
                } else {
                    throw error
                }
            }
        }
    }

    private func noticingWait<Value: Sendable>(
        for method: IdentityBrokerMethod,
        _ call: @Sendable () async -> Value
    ) async -> Value {
        guard method.needsNoUser else { return await call() }
        return await time.noticing(after: limits.noticeDelay) { [onWait] in
            Log.warning("The identity broker has not responded to \(method.rawValue) yet; still waiting.")
            onWait()
        } during: {
            await call()
        }
    }

    /// Whether the broker's process identifies as Himmelblau. The version number is not sufficient.
    private func isHimmelblau() async -> Bool {
        await BusThread.run { [environment, limits] flag in
            let deadline = flag.deadline(limits.presence)
            do throws(IdentityBrokerCallError) {
                let bus = try BrokerConnection.bus(environment, until: deadline)
                let name = try BrokerConnection(on: bus, until: deadline).logName(until: deadline)
                return name?.lowercased().contains("himmelblau") == true
            } catch {
                return false  // Other brokers do not have the object.
            }
        }
    }
}

/// The time limits for the broker and the bus (docs/reference/Broker.md#time-limits).
struct BrokerLimits: Sendable {
    /// The time for finding out whether there is a broker.
    var presence = Duration.seconds(3)
    /// The time for finding that out on the caller's thread.
    var quickPresence = Duration.milliseconds(250)
    /// How long a missing broker is not searched for again, and a broker that hung is not called.
    var absence = Duration.seconds(60)
    /// The time for a call without user interaction.
    var silent = Duration.seconds(10)
    /// The time after which the caller is told that such a call is waiting.
    var noticeDelay = Duration.seconds(2)
    /// The time for finding or starting the broker, before it opens its window.
    var start = Duration.seconds(30)
    /// The time for the broker to close its window.
    var cancellation = Duration.seconds(1)
    /// The pauses while a broker that has just started has not exported its object on the bus yet.
    var pauses: [Duration] = [
        .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400), .seconds(1),
    ]

    /// The limit for a whole call; `nil` for one that waits for the user.
    func limit(of method: IdentityBrokerMethod) -> Duration? {
        switch method {
        case .version, .accounts, .tokenSilently, .cookie, .signedRequest, .removal: silent
        case .tokenInteractively: nil
        case .cancellation: cancellation
        }
    }
}
