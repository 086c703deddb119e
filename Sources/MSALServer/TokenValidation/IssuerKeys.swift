// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import Synchronization

/// The metadata and the signing keys of one issuer. They are fetched when the first token comes, and kept fresh behind the
/// requests (docs/reference/TokenValidation.md#keys).
final class IssuerKeys: Sendable {
    /// A key with the number under which its signatures are remembered. Another key with the same id has another number.
    struct CachedKey: Sendable {
        let key: JSONWebKey
        let number: UInt64
        /// The time of the first fetch in which the issuer no longer published the key.
        var vanishedAt: Duration?
    }

    /// A document of the issuer that is fetched. Both have pauses of the same length, and each has its own.
    private enum Subject: Hashable { case metadata, keys }

    private struct Attempts {
        var ended: UInt64 = 0
        /// How many have failed since the last success.
        var failures = 0
        var lastBegan: Duration?
        var running: Task<Void, Never>?
    }

    private struct State {
        var metadata: OpenIDConfiguration?
        /// By id. An issuer may publish several keys with one id.
        var keys: [String: [CachedKey]] = [:]
        var fetchedAt: Duration?
        /// The time after which the keys are fetched again, with its jitter.
        var interval: Duration = .zero
        var lastNumber: UInt64 = 0
        var attempts: [Subject: Attempts] = [:]
        /// How far this machine's clock is ahead of the issuer's.
        var clockOffset: TimeInterval = 0
        var fault: String?
    }

    /// The result of a look-up of a key.
    private enum Finding {
        case found([CachedKey], isDue: Bool)
        case missing(Pause)
        case nothingKnown(Pause)
    }

    private struct Pause {
        /// Whether another attempt may begin.
        let isOver: Bool
        let endedAttempts: UInt64
        let isRunning: Bool
        let followsFailure: Bool
    }

    static let refreshInterval: Duration = .seconds(3600)
    private static let lifetime: Duration = .seconds(24 * 3600)
    private static let unknownKeyInterval: Duration = .seconds(300)
    private static let firstPause: Duration = .seconds(1)
    /// The pause after the first failure. Each further failure doubles it, up to that after a success.
    private static let failurePause: Duration = .seconds(5)
    private static let requestTimeout: Duration = .seconds(5)
    private static let maximumKeys = 200

    private let authority: Authority
    private let metadataURL: URL
    private let grace: Duration
    private let environment: ServerEnvironment
    private let state = Mutex(State())

    /// - Parameters:
    ///   - authority: Whose keys these are.
    ///   - metadataURL: The address of the metadata document.
    ///   - grace: How long a key still counts after the issuer has stopped publishing it.
    ///   - environment: The clock, and the way to the issuer.
    init(authority: Authority, metadataURL: URL, grace: Duration, environment: ServerEnvironment) {
        self.authority = authority
        self.metadataURL = metadataURL
        self.grace = grace
        self.environment = environment
    }

    /// The metadata in memory.
    var knownMetadata: OpenIDConfiguration? { state.withLock { $0.metadata } }

    /// The reason why the authority cannot be used, from the last response: it does not exist, or its metadata name an issuer
    /// that does not belong to it.
    var fault: String? { state.withLock { $0.fault } }

    /// How far this machine's clock is ahead of the issuer's, in seconds, as the last response told.
    var clockOffset: TimeInterval { state.withLock { $0.clockOffset } }

    /// The metadata. They are fetched if they are not known.
    ///
    /// - Throws: `.keysUnavailable`.
    func metadata() async throws(MSALTokenRejection) -> OpenIDConfiguration {
        if let known = knownMetadata { return known }
        await attempt(.metadata, after: state.withLock { pause(for: .metadata, of: Self.firstPause, in: $0) })
        guard let known = knownMetadata else { throw MSALTokenRejection(.keysUnavailable) }
        return known
    }

    /// The key with this number, if it still counts. A refresh that is due begins behind the call.
    func isCurrent(_ id: String, number: UInt64) -> Bool {
        guard case .found(let held, let isDue) = finding(id) else { return false }
        if isDue { beginRefresh() }
        return held.contains { $0.number == number }
    }

    /// The keys with this id. The keys are fetched if they are not known, and also if the id is unknown and the last fetch
    /// is old enough.
    ///
    /// - Throws: `.unknownKey`, `.keysUnavailable`.
    func keys(_ id: String) async throws(MSALTokenRejection) -> [CachedKey] {
        switch finding(id) {
        case .found(let held, let isDue):
            if isDue { beginRefresh() }
            return held
        case .missing(let pause), .nothingKnown(let pause):
            await attempt(.keys, after: pause)
        }
        switch finding(id) {
        case .found(let held, _): return held
        // A key that was never looked for may exist.
        case .missing(let pause): throw MSALTokenRejection(pause.followsFailure ? .keysUnavailable : .unknownKey)
        case .nothingKnown: throw MSALTokenRejection(.keysUnavailable)
        }
    }

    /// Fetches what is not known, for a service that wants to be ready before its first request.
    ///
    /// - Throws: `.keysUnavailable`.
    func prepare() async throws(MSALTokenRejection) {
        _ = try await metadata()
        let (isKnown, pause) = state.withLock { state in
            (isUsable(state), self.pause(for: .keys, of: Self.firstPause, in: state))
        }
        if !isKnown { await attempt(.keys, after: pause) }
        guard state.withLock({ isUsable($0) }) else { throw MSALTokenRejection(.keysUnavailable) }
    }

    /// Fetches the keys again if that is due, and returns the time until it is due again.
    func refreshIfDue() async -> Duration {
        // The log has the cause.
        if (try? await prepare()) == nil { return state.withLock { unknownKeyInterval(in: $0) } }
        if state.withLock({ isDue($0) }) { beginRefresh() }
        await untilRefreshed()
        return state.withLock { state in
            guard let fetchedAt = state.fetchedAt, !isDue(state) else { return unknownKeyInterval(in: state) }
            let remaining = fetchedAt + state.interval - environment.time.uptime
            return remaining > .zero ? max(.seconds(1), remaining) : unknownKeyInterval(in: state)
        }
    }

    /// Waits for a refresh that runs behind the requests.
    func untilRefreshed() async { await state.withLock { $0.attempts[.keys]?.running }?.value }
}

// MARK: - What is known

extension IssuerKeys {
    private func finding(_ id: String) -> Finding {
        let now = environment.time.uptime
        return state.withLock { state in
            guard isUsable(state) else { return .nothingKnown(pause(for: .keys, of: Self.firstPause, in: state)) }
            let held = state.keys[id, default: []].filter { $0.vanishedAt.map { now - $0 < grace } ?? true }
            guard !held.isEmpty else {
                return .missing(pause(for: .keys, of: unknownKeyInterval(in: state), in: state))
            }
            return .found(held, isDue: isDue(state))
        }
    }

    /// Whether there are keys that were confirmed within a day.
    private func isUsable(_ state: State) -> Bool {
        guard let fetchedAt = state.fetchedAt else { return false }
        return environment.time.uptime - fetchedAt <= Self.lifetime
    }

    private func isDue(_ state: State) -> Bool {
        guard let fetchedAt = state.fetchedAt, environment.time.uptime - fetchedAt >= state.interval else {
            return false
        }
        // A failed refresh is repeated after a pause, and not with each request.
        return pause(for: .keys, of: unknownKeyInterval(in: state), in: state).isOver
    }

    /// The time from one fetch to the next for an unknown id, and between the attempts of a refresh.
    private func unknownKeyInterval(in state: State) -> Duration {
        let failures = state.attempts.values.map(\.failures).max() ?? 0
        return failures == 0
            ? Self.unknownKeyInterval : min(Self.unknownKeyInterval, Self.failurePause * (1 << min(failures - 1, 6)))
    }

    private func pause(for subject: Subject, of length: Duration, in state: State) -> Pause {
        let attempts = state.attempts[subject] ?? Attempts()
        let isRunning = attempts.running != nil
        let isOver = attempts.lastBegan.map { environment.time.uptime - $0 >= length } ?? true
        return Pause(
            isOver: isOver && !isRunning,
            endedAttempts: attempts.ended,
            isRunning: isRunning,
            followsFailure: attempts.failures > 0
        )
    }
}

// MARK: - Fetches

extension IssuerKeys {
    /// Fetches once for all callers that need it, unless a fetch has just finished.
    private func attempt(_ subject: Subject, after pause: Pause) async {
        guard pause.isOver || pause.isRunning else { return }
        await task(subject, unlessEndedAfter: pause.endedAttempts)?.value
    }

    private func beginRefresh() {
        let ended = state.withLock { $0.attempts[.keys]?.ended ?? 0 }
        _ = task(.keys, unlessEndedAfter: ended)
    }

    /// The attempt that runs or begins; `nil` if one has ended since the caller looked.
    private func task(_ subject: Subject, unlessEndedAfter ended: UInt64) -> Task<Void, Never>? {
        let now = environment.time.uptime
        return state.withLock { state in
            var attempts = state.attempts[subject] ?? Attempts()
            guard attempts.ended == ended else { return nil }
            if let running = attempts.running { return running }
            // The state owns the task, which goes on if its callers leave: a client that disconnects must not stop it.
            let task = Task { @concurrent in
                let succeeded = await self.environment.logged(as: UUID()) {
                    switch subject {
                    case .metadata: await self.fetchMetadata()
                    case .keys: await self.fetchKeys()
                    }
                }
                self.state.withLock { state in
                    state.attempts[subject]?.ended += 1
                    if succeeded {
                        state.attempts[subject]?.failures = 0
                    } else {
                        state.attempts[subject]?.failures += 1
                    }
                    state.attempts[subject]?.running = nil
                }
            }
            attempts.running = task
            attempts.lastBegan = now
            state.attempts[subject] = attempts
            return task
        }
    }

    private func fetchMetadata() async -> Bool {
        do throws(AuthorityError) {
            let document = try OpenIDConfiguration(parsing: try await body(of: metadataURL, at: .discovery))
            guard document.mayIssueTokens(for: authority) else {
                throw AuthorityError(
                    .validationFailed,
                    message:
                        "The metadata of \(authority) name the issuer \(document.issuer) or a key set that does not "
                        + "belong to it. Use the authority of that issuer."
                )
            }
            state.withLock { ($0.metadata, $0.fault) = (document, nil) }
            return true
        } catch {
            var isFault: Bool { if case .validationFailed = error.kind { true } else { false } }
            state.withLock { $0.fault = isFault ? "\(authority) cannot be used. \(error.message)" : nil }
            Log.warning(
                "The metadata of \(authority) cannot be read, so its tokens cannot be checked. \(error.message)"
            )
            return false
        }
    }

    private func fetchKeys() async -> Bool {
        guard let url = knownMetadata?.jwksURI else { return false }
        let cause = refreshCause
        do throws(AuthorityError) {
            let published = try await environment.instruments.span(.validate) { span throws(AuthorityError) in
                span.set(host: url.host())
                span.set(correlationID: Log.correlationID)
                return try usable(JSONWebKey.set(parsing: try await body(of: url, at: .keys)))
            }
            let jitter = environment.jitter(Self.refreshInterval / 20)
            state.withLock { replaceKeys(by: published, nextAfter: Self.refreshInterval - jitter, in: &$0) }
            environment.instruments.countKeyRefresh(.success, cause: cause)
            return true
        } catch {
            // The keys may have moved. The next token then asks for their address.
            state.withLock { state in if state.fetchedAt != nil, !isUsable(state) { state.metadata = nil } }
            environment.instruments.countKeyRefresh(.failure, cause: cause)
            Log.warning(
                "The signing keys of \(authority) cannot be read. Known ones stay in use for a day. \(error.message)"
            )
            return false
        }
    }

    /// The cause of the fetch of the keys that begins now.
    private var refreshCause: KeyRefreshCause {
        let now = environment.time.uptime
        return state.withLock { state in
            guard let fetchedAt = state.fetchedAt else { return .first }
            return now - fetchedAt >= state.interval ? .schedule : .unknownKey
        }
    }

    /// The keys that verify tokens, by id. One invalid key does not invalidate the set.
    private func usable(_ keys: [JSONWebKey]) throws(AuthorityError) -> [String: [JSONWebKey]] {
        guard keys.count <= Self.maximumKeys else {
            throw AuthorityError(.invalidResponse, message: "The key set has \(keys.count) keys.")
        }
        let named = keys.filter(\.isRSA).compactMap { key in key.kid.map { ($0, [key]) } }
        let byID = Dictionary(named) { $0 + $1 }
        guard !byID.isEmpty else { throw AuthorityError(.invalidResponse, message: "The set has no key for tokens.") }
        return byID
    }

    private func replaceKeys(by published: [String: [JSONWebKey]], nextAfter interval: Duration, in state: inout State)
    {
        let now = environment.time.uptime
        var keys: [String: [CachedKey]] = [:]
        for (id, published) in published {
            for key in published {
                if var known = state.keys[id]?.first(where: { $0.key.isSame(as: key) }) {
                    known.vanishedAt = nil
                    keys[id, default: []].append(known)
                } else {
                    state.lastNumber += 1
                    keys[id, default: []].append(CachedKey(key: key, number: state.lastNumber))
                }
            }
        }
        for (id, held) in state.keys where published[id] == nil {
            for var held in held {
                let vanishedAt = held.vanishedAt ?? now
                held.vanishedAt = vanishedAt
                if now - vanishedAt < grace { keys[id, default: []].append(held) }
            }
        }
        state.keys = keys
        state.fetchedAt = now
        state.interval = interval
    }

    private func body(of url: URL, at endpoint: ObservedEndpoint) async throws(AuthorityError) -> Data {
        let address: HTTPAddress
        let response: HTTPResponse
        do throws(TransportError) {
            address = try HTTPAddress(url)
            var message = HTTPMessage(
                method: "GET",
                to: address,
                headers: ClientHeaders().client.merging(["Accept": "application/json"]) { _, own in own }
            )
            message.timeout = Self.requestTimeout
            message.repetition = .never
            let transport = ObservedTransport(environment.transport, time: environment.time, endpoint: endpoint)
            response = try await transport.send(message)
        } catch {
            throw AuthorityError(error)
        }
        guard response.status == 200 else {
            let isAbsent = [400, 404].contains(response.status)
            let message =
                ServiceErrorDetails(body: response.body)?.text ?? response.refusal(from: url.host() ?? "The issuer")
            throw AuthorityError(isAbsent ? .validationFailed : .invalidResponse, message: message)
        }
        if let date = response[header: "Date"].flatMap(RetryAfter.httpDate) {
            let offset = environment.time.now.timeIntervalSince(date)
            state.withLock { $0.clockOffset = offset }
        }
        return response.body
    }
}
