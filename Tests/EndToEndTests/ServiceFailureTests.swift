// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import SealedStore
import Synchronization
import Testing

@testable import MSAL
@testable import MSALCore

/// The platform or the network fails while a user is signed in: with real TLS, and real time limits.
@Suite(.timeLimit(.minutes(2)))
struct ServiceFailureTests {
    @Test(arguments: ServiceFailure.all)
    func `a refresh fails as documented, and the stored token remains usable`(
        _ failure: ServiceFailure
    ) async throws {
        try await Self.failRefresh(failure)
    }

    private static func failRefresh(_ failure: ServiceFailure) async throws {
        try await run { bench in
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: bench.result.account)
            parameters.forceRefresh = true
            bench.scenario.emulator.enqueueFault(failure.fault)
            if failure.neverResponds { bench.patience.lose() }

            let error = try await bench.failure { try await $0.application.acquireTokenSilent(with: parameters) }

            expect(error, of: failure)
            parameters.forceRefresh = false
            let held = try await bench.scenario.application.acquireTokenSilent(with: parameters)
            #expect(held.accessToken == bench.result.accessToken)
        }
    }

    @Test(arguments: ServiceFailure.all + [.withoutOwner])
    func `a sign-in fails as documented, and the signed-in account stays signed in`(
        _ failure: ServiceFailure
    ) async throws {
        try await Self.failSignIn(failure)
    }

    private static func failSignIn(_ failure: ServiceFailure) async throws {
        try await run { bench in
            bench.scenario.emulator.enqueueFault(failure.fault)

            let patience = bench.patience
            let error = try await bench.failure { scenario in
                try await scenario.signIn(whenOpened: { if failure.neverResponds { patience.lose() } })
            }

            expect(error, of: failure)
        }
    }

    @Test func `no failure logs a secret`() async {
        await #expect(processExitsWith: .success) {
            LogBook.open()
            for failure in ServiceFailure.all {
                try await Self.failRefresh(failure)
                try await Self.failSignIn(failure)
            }
            #expect(LogBook.text.contains("POST"))
        }
    }

    private static let certificates: [(fault: CertificateFault, code: Int, words: [String])] = [
        (.expired, -1201, ["ended on", "clock of this machine", "renewed"]),
        (.otherName, -1202, ["made out to another name", "Check the address"]),
        (.selfSigned, -1202, ["unknown authority", "SSL_CERT_FILE"]),
    ]

    @Test(arguments: certificates.indices)
    func `an invalid certificate ends the call before any request, and a valid one works`(_ index: Int) async throws {
        let (fault, code, words) = Self.certificates[index]
        try await Self.run { bench in
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: bench.result.account)
            parameters.forceRefresh = true
            let emulator = bench.scenario.emulator
            emulator.clearJournal()
            try emulator.showCertificate(fault)

            let renewal = try await bench.failure {
                try await $0.restarted().application.acquireTokenSilent(with: parameters)
            }
            let signIn = try await bench.failure { try await $0.restarted().signIn() }

            #expect(emulator.journal.isEmpty)
            for error in [renewal, signIn] {
                #expect(error.domain == NSURLErrorDomain)
                #expect(error.code == code)
                for words in words { #expect(error.words.contains(words)) }
            }
            try emulator.showCertificate(nil)
            let renewed = try await bench.scenario.restarted().application.acquireTokenSilent(with: parameters)
            #expect(renewed.accessToken != bench.result.accessToken)
        }
    }

    @Test(arguments: [(MSALRetryPolicy.none, 1), (MSALRetryPolicy(maximumRetries: 3, initialDelay: .zero), 4)])
    func `an application retries as its policy says`(_ policy: MSALRetryPolicy, _ attempts: Int) async throws {
        try await EndToEndScenario.run { scenario in
            let account = try await scenario.signIn().account
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
            parameters.forceRefresh = true
            let scenario = try scenario.restarted { $0.retryPolicy = policy }
            scenario.emulator.clearJournal()
            scenario.emulator.enqueueFault(Fault(pathSuffix: "/token", status: 503, count: attempts))

            let error = try await scenario.failure {
                try await scenario.application.acquireTokenSilent(with: parameters)
            }

            #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42007)
            #expect(scenario.emulator.journal.count { $0.path.hasSuffix("/token") } == attempts)
        }
    }

    @Test func `a code whose response is lost is not sent again, whatever the policy`() async throws {
        try await EndToEndScenario.run { scenario in
            let scenario = try scenario.restarted {
                $0.retryPolicy = MSALRetryPolicy(maximumRetries: 5, initialDelay: .zero)
            }
            let tokenRequests = { scenario.emulator.journal.count { $0.path.hasSuffix("/token") } }
            scenario.emulator.enqueueFault(Fault(pathSuffix: "/token", dropsConnection: true))

            let error = try await scenario.failure { try await scenario.signIn() }
            #expect(error.domain == NSURLErrorDomain)
            #expect(tokenRequests() == 1)

            // A refresh token may be sent again, because the service accepts it more than once.
            let account = try await scenario.signIn().account
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
            parameters.forceRefresh = true
            scenario.emulator.clearJournal()
            scenario.emulator.enqueueFault(Fault(pathSuffix: "/token", dropsConnection: true, count: 2))
            _ = try await scenario.application.acquireTokenSilent(with: parameters)
            #expect(tokenRequests() == 3)
        }
    }

    @Test func `a port that accepts a connection and sends nothing ends at the app's time limit`() async throws {
        try await Self.run { bench in
            let port = try RawPort()
            bench.patience.lose()

            let error = try await bench.failure { try await $0.restarted(at: port.authority).signIn() }

            #expect(error.domain == NSURLErrorDomain)
            #expect(error.code == -1001)
            #expect(error.words.contains("Try again"))
        }
    }

    @Test func `plain HTTP behind an https address is named`() async throws {
        try await Self.run { bench in
            let port = try RawPort(answering: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

            let error = try await bench.failure { try await $0.restarted(at: port.authority).signIn() }

            #expect(error.domain == NSURLErrorDomain)
            #expect(error.code == -1200)
            #expect(error.words.contains("does not speak TLS on port \(port.number)"))
            #expect(error.words.contains("Check the address"))
        }
    }

    @Test func `a port without a listener is named`() async throws {
        try await Self.run { bench in
            let port = try RawPort()
            port.shut()

            let error = try await bench.failure { try await $0.restarted(at: port.authority).signIn() }

            #expect(error.domain == NSURLErrorDomain)
            #expect(error.code == -1004)
            #expect(error.words.contains("127.0.0.1:\(port.number) (connection refused)"))
        }
    }

    @Test(arguments: [(3, "nbf", "180 minutes behind"), (-3, "exp", "180 minutes ahead of")])
    func `a clock hours off fails a sign-in, and the text says by how much`(
        _ hours: Int,
        _ check: String,
        _ words: String
    ) async throws {
        try await Self.run { bench in
            await bench.scenario.emulator.advanceClock(by: .seconds(hours * 3600))

            let error = try await bench.failure { try await $0.signIn() }

            #expect(error.domain == MSALErrorDomain)
            #expect(error.code == -50000)
            #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
            #expect(error.words.contains("check of \(check)"))
            #expect(error.words.contains("clock is \(words) the service's"))
            #expect(error.words.contains("Set the clock"))
        }
    }

    @Test func `a clock hours ahead fails a renewal, and the text says by how much`() async throws {
        try await Self.run { bench in
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: bench.result.account)
            parameters.forceRefresh = true
            await bench.scenario.emulator.advanceClock(by: .seconds(-3 * 3600))

            let error = try await bench.failure { try await $0.application.acquireTokenSilent(with: parameters) }

            #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42600)
            #expect(error.words.contains("180 minutes ahead of the service's"))
        }
    }

    @Test func `a clock hours behind can renew, because a token's lifetime starts at its arrival`() async throws {
        try await Self.run { bench in
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: bench.result.account)
            parameters.forceRefresh = true
            await bench.scenario.emulator.advanceClock(by: .seconds(3 * 3600))

            let renewed = try await bench.scenario.application.acquireTokenSilent(with: parameters)

            let expiry = try #require(renewed.expiresOn)
            #expect(renewed.accessToken != bench.result.accessToken)
            #expect(expiry < Date(timeIntervalSinceNow: 2 * 3600))
        }
    }

    private static func expect(_ error: NSError, of expected: ServiceFailure) {
        #expect(error.domain == expected.domain)
        #expect(error.code == expected.code)
        #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == expected.detail)
        for words in expected.words { #expect(error.words.contains(words)) }
    }

    /// Signs in a user and continues from there.
    private static func run(_ story: (SignedInApp) async throws -> Void) async throws {
        let patience = Patience()
        try await EndToEndScenario.run(machine: patience.platform) { scenario in
            try await story(SignedInApp(scenario: scenario, patience: patience, result: try await scenario.signIn()))
        }
    }
}

/// An app with a signed-in user and the time limit that a test sets.
struct SignedInApp {
    let scenario: EndToEndScenario
    let patience: Patience
    let result: MSALResult

    /// Runs a call that has to fail and checks what applies to every failure: one line of text with a correlation ID,
    /// no secret in any of its texts or in the log, if a test collects it, and unchanged stored records.
    func failure<Value>(_ call: (EndToEndScenario) async throws -> Value) async throws -> NSError {
        let before = try records()
        let error = try await scenario.failure { try await call(scenario) }
        let after = try records()

        #expect(after == before)
        #expect(error.words.split(separator: " ").count > 4)
        // The service writes its ids on separate lines.
        #expect(!error.words.contains("\n") || error.words.hasPrefix("AADSTS"))
        #expect((error.userInfo[MSALCorrelationIDKey] as? String).flatMap(UUID.init) != nil)
        let texts = [shown(error), LogBook.text]
        for secret in secrets { #expect(!texts.contains { $0.contains(secret) }) }
        return error
    }

    private func records() throws -> Set<CacheRecord> {
        try scenario.store.read { transaction throws(StoreError) in
            var all: Set<CacheRecord> = []
            for kind in RecordKind.allCases { all.formUnion(try transaction.records(RecordFilter(kind))) }
            return all
        }
    }

    /// Everything a program could print of an error and its underlying errors.
    private func shown(_ error: NSError) -> String {
        var dumped = ""
        dump(error, to: &dumped)
        let own = ["\(error)", error.localizedDescription, String(reflecting: error), "\(error.userInfo)", dumped]
        return (own + ((error.userInfo[NSUnderlyingErrorKey] as? NSError).map { [shown($0)] } ?? [])).joined()
    }

    private var secrets: [String] {
        let names = ["code", "code_verifier", "refresh_token", "nonce", "state"]
        let sent = scenario.emulator.journal.flatMap { entry in names.compactMap(entry.revealedParameter) }
        return [ServiceFailure.secret, scenario.emulator.seed.password, result.accessToken]
            + [result.idToken].compactMap(\.self) + sent
    }
}

/// The time for which an app waits for responses. It retries a failed request at once.
final class Patience: Sendable {
    private let settings: Mutex<RetrySettings>

    init() {
        var settings = RetrySettings()
        settings.interval = .zero
        self.settings = Mutex(settings)
    }

    /// From now on the limit is two seconds: short for a test, but long enough for responses on a busy machine.
    func lose() { settings.withLock { $0.timeout = .seconds(2) } }

    func platform(caFile: URL?) -> Platform {
        var platform = SystemMachine.platform(caFile: caFile, [:])
        platform.transport = RetryingTransport(
            base: AsyncHTTPClientTransport(HTTPSettings(caFile: caFile, environment: [:])),
            settings: { self.settings.withLock { $0 } },
            time: platform.time
        )
        return platform
    }
}
