// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

/// The steps of a case of `app-cache.json`: one application, one clock, and the responses of each step.
final class AppCacheReplay: Sendable {
    private let application: MSALConfidentialClientApplication
    /// A transport instead of production's sockets.
    private let transport = ScriptedTransport()
    private let time: ManualTime
    private let start: Int64
    private let observed: Observed
    private let pending = Mutex<[Task<Outcome, Never>]>([])

    private typealias Outcome = Result<MSALTokenResult?, MSALTokenError>

    /// What the callbacks of the application received.
    private final class Observed: Sendable {
        let failures = Mutex<[MSALTokenError]>([])
        let proofs = Mutex(0)
    }

    /// A secret that counts its uses.
    private struct CountedSecret: ClientAuthentication {
        let kind = ObservedCredential.secret
        let observed: Observed

        func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
            observed.proofs.withLock { $0 += 1 }
            return .secret(Secret("s~ecret"))
        }
    }

    init(_ testCase: ServerCase) throws {
        // The pause before a retry ends by itself.
        let time = ManualTime(
            now: Date(timeIntervalSince1970: testCase.fixtures.object?["now"]?.double ?? 1.79e9),
            skipsSleeps: true
        )
        let observed = Observed()
        let credential = MSALClientCredential("counted") { _ throws(MSALTokenError) in
            CountedSecret(observed: observed)
        }
        var configuration = MSALConfidentialClientConfiguration(
            clientId: try #require(testCase["clientId"]?.string),
            authority: .tenant(try #require(testCase["tenant"]?.string)),
            credential: credential
        )
        configuration.onBackgroundFailure = { failure in observed.failures.withLock { $0.append(failure) } }
        configuration.allowsExtendedLifetime = testCase["extendedLifetime"] == .bool(true)
        if testCase.input.peek("steps")?.array?.contains(where: { $0.object?["sharedCache"] != nil }) == true {
            let shared = try MSALSharedCacheConfiguration(UnreachableStore(), keys: [.example()])
            configuration.cache = MSALTokenCache(shared: shared)
        }
        var environment = ServerEnvironment.double(time: time, transport: transport)
        let jitter = Duration.seconds(testCase["jitter"]?.double ?? 0)
        environment.jitter = { min($0, jitter) }
        application = try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
        self.time = time
        self.observed = observed
        start = time.wholeSeconds
    }

    /// Performs a step and compares its result.
    func take(_ step: CaseMembers, expecting outcome: CaseMembers) async throws {
        if let state = step["sharedCache"]?.string { #expect(state == "unreachable") }
        let elapsed = time.now.timeIntervalSince1970 - Double(start)
        time.advance(by: .seconds(max((step["at"]?.double ?? 0) - elapsed, 0)))
        let before = (requests: requests, proofs: observed.proofs.withLock { $0 })
        let (server, background) = (step["server"]?.array ?? [], step["background"]?.array ?? [])
        // No response is sent before all callers have joined.
        let mayAnswer = AtomicFlag()
        for answer in server + background {
            transport.append(try CaseAnswer(answer), heldUntil: mayAnswer)
        }

        let tasks = try await call(step)
        if outcome["pending"] == .bool(true) {
            try await until(requests == before.requests + server.count)
            pending.withLock { $0 += tasks }
            return
        }
        mayAnswer.set()
        var outcomes: [Outcome] = []
        for task in tasks { outcomes.append(await task.value) }
        let failures = background.count { $0.object?["status"]?.int != 200 }
        try await until(requests >= before.requests + server.count + background.count)
        try await until(observed.failures.withLock { $0.count } >= failures)
        if let token = background.last?.object?["json"]?.object?["access_token"]?.string {
            try await until(try kept(after: step)?.accessToken.exposed == token)
        }

        try compare(outcomes, with: outcome)
        try transport.verify()
        let expected = outcome["requests"]?.int ?? server.count + background.count
        #expect(requests - before.requests == expected)
        if let uses = outcome["credentialUses"]?.int {
            #expect(observed.proofs.withLock { $0 } - before.proofs == uses)
        }
        let seen = observed.failures.withLock { failures in
            defer { failures = [] }
            return failures.map(\.kind.rawValue)
        }
        if let kind = outcome["observed"]?.string {
            #expect(seen == [kind])
        } else {
            #expect(seen.count == failures)
        }
        if let grant = outcome["sentGrant"]?.string { #expect(transport.messages.last?.form["grant_type"] == grant) }
        if let sent = outcome["sentRefreshToken"]?.string {
            #expect(transport.messages.last?.form["refresh_token"] == sent)
        }
        if let stored = outcome["stored"]?.array { try compareMemory(with: stored.compactMap(\.string), after: step) }
    }

    /// Values that are stored next to the access token are not part of the memory of these flows, or are members of the
    /// token.
    private func compareMemory(with stored: [String], after step: CaseMembers) throws {
        let cache = application.configuration.cache
        switch try Flow(step) {
        case .application:
            #expect(stored == ["accessToken"])
            #expect(cache.appTokens.count == 1)
        case .onBehalfOf(let incoming):
            #expect(stored.first == "accessToken" && !stored.contains("refreshToken"))
            #expect(cache.onBehalfOfTokens.size.assertions == 1)
            #expect(token(of: step, for: incoming)?.user?.homeAccountID.isEmpty == false)
            #expect(cache.userTokens.size.users == 0 && cache.sessions.size.users == 0)
        case .start, .continue, .end:
            #expect(stored.contains("accessToken"))
            #expect(cache.sessions.size.users == 1)
        }
    }

    /// The token requests, which production may send more than once each.
    private var requests: Int { Set(transport.messages.map { $0.headers["client-request-id"] }).count }

    /// Ends the calls that are still waiting.
    func end() {
        for task in pending.withLock({ $0 }) { task.cancel() }
    }

    /// Starts the calls of a step, and returns when each of them waits for the service or has ended.
    private func call(_ step: CaseMembers) async throws -> [Task<Outcome, Never>] {
        let waiting = waitingCallers
        let scopes = [step["scope"]?.string].compactMap(\.self)
        var options = MSALTokenOptions()
        options.tenant = step["tenant"]?.string
        options.claims = step["claims"]?.string
        options.fmiPath = step["fmiPath"]?.string
        options.forceRefresh = step["forceRefresh"] == .bool(true)
        let flow = try Flow(step)
        let counter = Counter()
        var tasks: [Task<Outcome, Never>] = []
        for _ in 0..<(step["callers"]?.int ?? 1) {
            tasks.append(
                Task { [application, options] in
                    defer { counter.add() }
                    do throws(MSALTokenError) {
                        return .success(try await flow.run(application, scopes: scopes, options: options))
                    } catch {
                        return .failure(error)
                    }
                }
            )
            // The first is the leader, which may leave.
            try await until(!flow.isShared || waitingCallers - waiting + counter.value >= tasks.count)
        }
        if step["cancelFirst"] == .bool(true) {
            tasks.first?.cancel()
            _ = await tasks.first?.value
        }
        return tasks
    }

    private var waitingCallers: Int {
        application.tokens.cache.waitingCallers + application.configuration.cache.onBehalfOfTokens.flights.callers
    }

    private func compare(_ outcomes: [Outcome], with expected: CaseMembers) throws {
        let cancelled = outcomes.count { $0.failure?.kind == .cancelled }
        #expect(cancelled == expected["cancelled"]?.int ?? 0)
        for outcome in outcomes where outcome.failure?.kind != .cancelled {
            switch outcome {
            case .success(nil):
                #expect(expected["error"] == nil && expected["token"] == nil)
            case .success(let result?):
                #expect(expected["error"] == nil)
                #expect(result.accessToken == expected["token"]?.string)
                #expect(result.source.rawValue == expected["from"]?.string)
                if let reason = expected["reason"]?.string { #expect(result.reason?.rawValue == reason) }
            case .failure(let error):
                #expect(error.kind.rawValue == expected["error"]?.string)
            }
        }
    }

    /// The token in memory for a step.
    private func kept(after step: CaseMembers) throws -> CachedAccessToken? {
        switch try Flow(step) {
        case .onBehalfOf(let incoming): token(of: step, for: incoming)
        case .application, .start, .continue, .end: application.tokens.cache.token(for: key(of: step), at: start)
        }
    }

    private func token(of step: CaseMembers, for incoming: IncomingToken) -> CachedAccessToken? {
        let key = OnBehalfOfCache.Key(
            client: application.partition,
            assertion: incoming.digest,
            realm: step["tenant"]?.string ?? application.authority.realm ?? ""
        )
        let scopes = [step["scope"]?.string ?? ""]
        let cache = application.configuration.cache.onBehalfOfTokens
        guard case .hit(let token) = cache.lookup(key, scopes: scopes, options: MSALTokenOptions(), at: start) else {
            return nil
        }
        return token
    }

    private func key(of step: CaseMembers) -> AccessTokenKey {
        AccessTokenKey(
            partition: application.partition,
            realm: step["tenant"]?.string ?? application.authority.realm ?? "",
            target: step["scope"]?.string ?? "",
            components: CacheKeyComponents.hash(of: step["fmiPath"]?.string.map { ["fmi_path": $0] } ?? [:])
        )
    }
}

/// The call of a step.
private enum Flow: Sendable {
    case application
    case onBehalfOf(IncomingToken)
    case start(IncomingToken, MSALSessionKey?)
    case `continue`(MSALSessionKey)
    case end(MSALSessionKey)

    init(_ step: CaseMembers) throws {
        func incoming() throws -> IncomingToken {
            IncomingToken(Secret(try #require(step["userAssertion"]?.string)))
        }
        // The keys of cases are shorter than any that an application may have.
        let session = try step["sessionKey"]?.string.map { try MSALSessionKey("the session of the case: \($0)") }
        switch step["flow"]?.string {
        case nil, "client", "app", "clientCredentials": self = .application
        case "onBehalfOf": self = .onBehalfOf(try incoming())
        case "startLongRunning": self = .start(try incoming(), session)
        case "longRunning": self = .continue(try #require(session))
        case "endLongRunning": self = .end(try #require(session))
        case let word?:
            Issue.record("No test supports the flow \(word).")
            self = .application
        }
    }

    /// Whether equal calls share a request with callers that can be counted.
    var isShared: Bool {
        switch self {
        case .application, .onBehalfOf: true
        case .start, .continue, .end: false
        }
    }

    func run(
        _ application: MSALConfidentialClientApplication,
        scopes: [String],
        options: MSALTokenOptions
    ) async throws(MSALTokenError) -> MSALTokenResult? {
        switch self {
        case .application: return try await application.acquireTokenForClient(scopes: scopes, options: options)
        case .onBehalfOf(let incoming):
            return try await application.token(onBehalfOf: incoming, scopes: scopes, options: options)
        case .start(let incoming, let session):
            return try await application.longRunningStart(onBehalfOf: incoming, scopes: scopes, session: session).token
        case .continue(let session): return try await application.token(inLongRunning: session, of: nil, scopes: scopes)
        case .end(let session):
            try await application.endLongRunning(session)
            return nil
        }
    }
}

/// A counter for tasks.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}

extension Result where Success == MSALTokenResult?, Failure == MSALTokenError {
    fileprivate var failure: MSALTokenError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

extension JSONValue {
    /// A number without a fraction.
    var int: Int? { double.flatMap { Int(exactly: $0) } }
}
