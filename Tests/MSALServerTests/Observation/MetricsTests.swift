// Licensed under the MIT License. See LICENSE.

#if Metrics
    import CoreMetrics
    import Foundation
    import MSALBase
    import MSALCore
    import MetricsTestKit
    import Synchronization
    import TestSupport
    import Testing

    @testable import MSALServer

    /// The metrics of a service about its tokens.
    struct MetricsTests {
        private static let scopes = ["https://graph.microsoft.com/.default"]
        private let time = ManualTime()
        private let transport = ScriptedTransport()
        private let metrics = TestMetrics()

        private func application(
            metrics factory: (any MetricsFactory)? = nil,
            credential: MSALClientCredential = .secret("s~ecret"),
            cache: MSALTokenCache = MSALTokenCache()
        ) throws -> MSALConfidentialClientApplication {
            var configuration = MSALConfidentialClientConfiguration(
                clientId: SignInService.clientID,
                authority: .tenant(SignInService.tenant),
                credential: credential
            )
            configuration.metrics = factory ?? metrics
            configuration.cache = cache
            let environment = ServerEnvironment.double(time: time, transport: transport)
            return try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
        }

        private func answer(_ token: String, _ more: String = #""expires_in":3600"#) {
            transport.append(.json(#"{"access_token":"\#(token)","token_type":"Bearer",\#(more)}"#))
        }

        private func requests(
            _ flow: String,
            source: String,
            reason: String,
            error: String = "none",
            in metrics: TestMetrics
        ) throws -> Int64 {
            let labels = [("flow", flow), ("source", source), ("reason", reason), ("error", error)]
            return try metrics.expectCounter("msal_token_requests_total", labels).totalValue
        }

        @Test func `a token from the service is counted and measured, with its cause`() async throws {
            let application = try application()
            answer("at-1")

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)

            #expect(
                try requests("client_credentials", source: "service", reason: "no_token", in: metrics) == 1
            )
            let labels = [("flow", "client_credentials"), ("source", "service")]
            #expect(try metrics.expectTimer("msal_token_duration_seconds", labels).values.count == 1)
            let http = [("endpoint", "token"), ("status_class", "2xx")]
            #expect(try metrics.expectTimer("msal_http_duration_seconds", http).values.count == 1)
            let proof = [("kind", "secret")]
            #expect(try metrics.expectTimer("msal_client_credential_duration_seconds", proof).values.count == 1)
            let remaining = try metrics.expectRecorder("msal_token_remaining_seconds", [labels[0]])
            #expect(remaining.values == [3600])
        }

        @Test func `a token from memory increments one counter, and creates no handler`() async throws {
            let factory = CountingFactory(metrics)
            let application = try application(metrics: factory)
            answer("at-1")
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            let made = factory.made
            let timers = metrics.timers.map(\.values.count).reduce(0, +)

            for _ in 0..<3 { _ = try await application.acquireTokenForClient(scopes: Self.scopes) }

            #expect(try requests("client_credentials", source: "cache", reason: "none", in: metrics) == 3)
            #expect(factory.made == made)
            #expect(metrics.timers.map(\.values.count).reduce(0, +) == timers)
        }

        @Test func `a token that is due for refresh is counted, and so is the refresh`() async throws {
            let application = try application()
            answer("at-1", #""expires_in":7200,"refresh_in":3600"#)
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            time.advance(by: .seconds(3601))
            answer("at-2")

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            let isDone = await application.shutDown(within: .seconds(10))

            #expect(isDone)
            #expect(try requests("client_credentials", source: "cache", reason: "refresh_ahead", in: metrics) == 1)
            let outcome = [("outcome", "success")]
            #expect(try metrics.expectCounter("msal_background_refresh_total", outcome).totalValue == 1)
        }

        @Test func `a failure is counted by its kind`() async throws {
            let application = try application()
            transport.append(.json(#"{"error":"invalid_client","error_codes":[7000215]}"#, status: 401))

            await #expect(throws: MSALTokenError.self) {
                try await application.acquireTokenForClient(scopes: Self.scopes)
            }

            let count = try requests(
                "client_credentials",
                source: "error",
                reason: "none",
                error: "invalidClient",
                in: metrics
            )
            #expect(count == 1)
            let http = [("endpoint", "token"), ("status_class", "4xx")]
            #expect(try metrics.expectTimer("msal_http_duration_seconds", http).values.count == 1)
        }

        @Test func `each failure has a counter from the start, with value zero`() async throws {
            _ = try application()
            func failures(_ flow: String) -> [TestCounter] {
                metrics.counters.filter { counter in
                    let labels = Dictionary(counter.dimensions) { $1 }
                    return counter.label == "msal_token_requests_total" && labels["flow"] == flow
                        && labels["source"] == "error"
                }
            }

            for flow in TokenFlow.allCases.filter({ $0 != .managedIdentity }).map(\.label) {
                #expect(failures(flow).count == MSALTokenError.Kind.labeled.count + 1)
                #expect(failures(flow).allSatisfy { $0.totalValue == 0 })
            }
            #expect(failures("managed_identity").isEmpty)
            let refresh = try metrics.expectCounter("msal_background_refresh_total", [("outcome", "failure")])
            #expect(refresh.totalValue == 0)
            #expect(!metrics.counters.contains { $0.label == "msal_l2_operations_total" })
        }

        @Test func `each failure of a shared store has a counter from the start`() throws {
            _ = try ServiceInstances(application: { $0.metrics = metrics })

            for operation in StoreOperation.allCases {
                for outcome in ["unreadable", "timeout", "error", "open"] {
                    let labels = [("operation", operation.rawValue), ("outcome", outcome)]
                    #expect(try metrics.expectCounter("msal_l2_operations_total", labels).totalValue == 0)
                }
            }
        }

        @Test func `each rejection of a token has a counter from the start`() throws {
            _ = try APIServer { $0.metrics = metrics }

            for code in MSALTokenRejection.Code.allCases {
                let labels = [("outcome", code.rawValue), ("cached", "false")]
                #expect(try metrics.expectCounter("msal_validation_total", labels).totalValue == 0)
            }
            let fetch = [("outcome", "failure"), ("cause", "first")]
            #expect(try metrics.expectCounter("msal_key_refresh_total", fetch).totalValue == 0)
        }

        @Test(arguments: [
            ("msal_l2_duration_seconds", Duration.microseconds(400), Duration.milliseconds(4)),
            ("msal_client_credential_duration_seconds", .microseconds(100), .microseconds(1500)),
            ("msal_http_duration_seconds", .milliseconds(3), .seconds(20)),
            ("msal_token_duration_seconds", .milliseconds(2), .seconds(45)),
        ])
        func `the buckets of a histogram distinguish the measured values`(
            _ name: String,
            _ short: Duration,
            _ long: Duration
        ) throws {
            let bounds = try #require(MSALHistogramBounds.durations[name])

            #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
            let places = [short, long].map { time in bounds.firstIndex { time <= $0 } ?? bounds.count }
            #expect(places[0] > 0 && places[0] < places[1] && places[1] < bounds.count)
        }

        @Test func `the buckets distinguish a token for an hour from one for a day`() throws {
            let bounds = try #require(MSALHistogramBounds.values["msal_token_remaining_seconds"])

            #expect(bounds == bounds.sorted())
            #expect(
                Set([3599, 5399, 28_800, 86_399, 100_000].map { life in bounds.firstIndex { life <= $0 } }).count == 5
            )
        }

        @Test func `a kind that a program defined is not a label`() async throws {
            let application = try application(
                credential: .assertion { _ in
                    throw MSALTokenError(MSALTokenError.Kind(rawValue: "tenant-of-a-customer"), message: "No.")
                }
            )

            await #expect(throws: MSALTokenError.self) {
                try await application.acquireTokenForClient(scopes: Self.scopes)
            }

            let labels = metrics.counters.flatMap(\.dimensions).map(\.1)
            #expect(!labels.contains("tenant-of-a-customer"))
            #expect(labels.contains("other") || labels.contains("credentialUnavailable"))
        }

        @Test func `the memory reports its size after a call that it could not serve`() async throws {
            let application = try application()
            answer("at-1")
            answer("at-2")

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            _ = try await application.acquireTokenForClient(scopes: ["https://vault.azure.net/.default"])

            let cache = application.configuration.cache.appTokens
            let level = [("level", "application")]
            #expect(try metrics.expectMeter("msal_cache_entries", level).values == [1, 2])
            #expect(try metrics.expectMeter("msal_cache_bytes", level).lastValue == Double(cache.bytes))
            #expect(cache.bytes > 0)
            for level in ["users", "on_behalf_of", "long_running"] {
                #expect(try metrics.expectMeter("msal_cache_entries", [("level", level)]).lastValue == 0)
            }
        }

        private func evictions(_ cause: String) -> Int64 {
            let counter = try? metrics.expectCounter("msal_cache_evictions_total", [("cause", cause)])
            return counter?.totalValue ?? 0
        }

        @Test func `expired tokens are counted once when they leave the memory`() async throws {
            let application = try application()
            for number in 1...2 { answer("at-\(number)") }
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            time.advance(by: .seconds(90_000))

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)

            #expect(evictions("expired") == 1)
            #expect(evictions("size") == 0 && evictions("removed") == 0)
        }

        @Test func `evicted tokens are counted when they leave the memory`() async throws {
            let cache = MSALTokenCache(maximumBytes: 2500)
            let application = try application(cache: cache)
            for number in 1...4 {
                answer("at-\(number)")
                _ = try await application.acquireTokenForClient(scopes: ["https://api-\(number).example/.default"])
            }

            #expect(evictions("size") == Int64(4 - cache.appTokens.count))
            #expect(evictions("size") > 0)
        }

        @Test func `users who signed out are counted when they leave the memory`() async throws {
            let instances = try ServiceInstances(application: { $0.metrics = metrics })
            let story = instances.stories[0]
            try await story.signIn()

            try await story.application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
            try await story.signIn()

            #expect(evictions("removed") == 1)
            #expect(try metrics.expectMeter("msal_cache_entries", [("level", "users")]).lastValue == 1)
        }

        @Test func `calls to the store are counted by operation and outcome`() async throws {
            let instances = try ServiceInstances(application: { $0.metrics = metrics })
            try await instances.stories[0].signIn()

            _ = try await instances.stories[1].silent()

            func count(_ operation: String, _ outcome: String) throws -> Int64 {
                let labels = [("operation", operation), ("outcome", outcome)]
                return try metrics.expectCounter("msal_l2_operations_total", labels).totalValue
            }
            #expect(try count("read", "miss") >= 1 && count("read", "hit") >= 1 && count("write", "hit") >= 1)
            let labels = [("operation", "write"), ("outcome", "hit")]
            #expect(try metrics.expectTimer("msal_l2_duration_seconds", labels).values.count >= 1)
            #expect(try requests("silent", source: "l2", reason: "none", in: metrics) == 1)
            #expect(try requests("authorization_code", source: "service", reason: "no_token", in: metrics) == 1)
        }

        @Test(arguments: [false, true])
        func `a shared token is counted as a write, in the background too`(_ isBehind: Bool) async throws {
            let instances = try ServiceInstances(
                configure: { shared in
                    shared.shares = [.application]
                    shared.writesThrough = !isBehind
                },
                application: { $0.metrics = metrics }
            )
            let application = instances.stories[0].application
            instances.service.append(.json(#"{"access_token":"at-1","token_type":"Bearer","expires_in":3600}"#))

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            let isDone = await application.shutDown(within: .seconds(10))

            let labels = [("operation", "write"), ("outcome", "hit")]
            #expect(isDone)
            #expect(try metrics.expectCounter("msal_l2_operations_total", labels).totalValue == 1)
        }

        @Test func `a session is counted when it begins, and when it is read from the store or memory`() async throws {
            let instances = try ServiceInstances(authority: .organizations, application: { $0.metrics = metrics })
            let scope = "https://graph.microsoft.com/User.Read"
            instances.service.append(SignInService.tokens(scope: scope))
            let (first, second) = (instances.stories[0].application, instances.stories[1].application)

            let session = try await first.longRunningStart(onBehalfOf: .example(), scopes: [scope]).session
            for _ in 0..<3 { _ = try await second.token(inLongRunning: session, of: nil, scopes: [scope]) }

            #expect(try requests("long_running", source: "service", reason: "no_token", in: metrics) == 1)
            #expect(try requests("long_running", source: "l2", reason: "none", in: metrics) == 1)
            #expect(try requests("long_running", source: "cache", reason: "none", in: metrics) == 2)
        }

        @Test func `an unknown session is counted as a failure`() async throws {
            let application = try application()
            let session = try MSALSessionKey("a key that nobody can guess")

            await #expect(throws: MSALTokenError.self) {
                try await application.token(inLongRunning: session, of: nil, scopes: Self.scopes)
            }

            let count = try requests(
                "long_running",
                source: "error",
                reason: "none",
                error: "sessionNotFound",
                in: metrics
            )
            #expect(count == 1)
        }

        @Test func `a store that is unavailable is counted as such`() async throws {
            let instances = try ServiceInstances(
                wrap: { _ in UnreachableStore() },
                application: { $0.metrics = metrics }
            )

            _ = try await tokenFailure { _ = try await instances.stories[0].silent() }

            let labels = [("operation", "read"), ("outcome", "error")]
            #expect(try metrics.expectCounter("msal_l2_operations_total", labels).totalValue >= 1)
            let count = try requests(
                "silent",
                source: "error",
                reason: "none",
                error: "cacheUnavailable",
                in: metrics
            )
            #expect(count == 1)
        }

        @Test func `all labels together make at most 600 series`() throws {
            var options = MSALCredentialOptions()
            options.metrics = metrics
            let instruments = ServerEnvironment.double().applying(options).instruments
            for flow in TokenFlow.allCases {
                for isDue in [false, true] { instruments.countHit(flow, isRefreshDue: isDue) }
                // The memory or the store is used beyond the end of a token's lifetime: then there is one reason.
                for (origin, reasons) in [
                    (TokenSourceLabel.l2, [RequestReason.none]), (.extended, [.expired]),
                    (.service, [.noToken, .expired, .forced, .claims]),
                ] {
                    let request = ObservedRequest(flow: flow, origin: origin, duration: .seconds(1))
                    for reason in reasons { instruments.count(request, because: reason, remaining: .seconds(1)) }
                }
                for kind in MSALTokenError.Kind.labeled.union([MSALTokenError.Kind(rawValue: "an own one")]) {
                    let request = ObservedRequest(flow: flow, origin: .error, duration: .seconds(1))
                    instruments.count(request, failing: MSALTokenError(kind, message: ""))
                }
            }
            let full = instruments.reporting(FullMemory())
            full.count(
                ObservedRequest(flow: .silent, origin: .l2, duration: .seconds(1)),
                because: .none,
                remaining: .seconds(1)
            )
            for endpoint in ObservedEndpoint.allCases {
                for status in [nil, 100, 200, 302, 404, 503, 999] {
                    instruments.note(endpoint, status: status, after: .seconds(1))
                }
            }
            for credential in ObservedCredential.allCases { instruments.note(credential, after: .seconds(1)) }
            for operation in StoreOperation.allCases {
                for outcome in StoreOutcome.allCases {
                    instruments.note(operation, outcome: outcome, after: .seconds(1))
                }
            }
            for outcome in WorkOutcome.allCases {
                instruments.countBackgroundRefresh(outcome)
                for cause in KeyRefreshCause.allCases { instruments.countKeyRefresh(outcome, cause: cause) }
            }
            for isRemembered in [false, true] {
                instruments.countValidation(nil, isRemembered: isRemembered)
                for code in MSALTokenRejection.Code.allCases {
                    instruments.countValidation(code, isRemembered: isRemembered)
                }
            }

            let names = Set(
                metrics.counters.map(\.label) + metrics.timers.map(\.label) + metrics.recorders.map(\.label)
                    + metrics.meters.map(\.label)
            )
            let series =
                metrics.counters.count + metrics.timers.count + metrics.recorders.count + metrics.meters.count
            #expect(names.count == 13 && names.allSatisfy { $0.hasPrefix("msal_") })
            #expect(series <= 600, "\(series)")
            let page = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../docs/services/Observation.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(Set(text.matches(of: /\n\| `(msal_\w+)`/).map { String($0.1) }) == names)
            #expect(Set(MSALHistogramBounds.durations.keys) == Set(metrics.timers.map(\.label)))
            #expect(Set(MSALHistogramBounds.values.keys) == Set(metrics.recorders.map(\.label)))
        }
    }

    /// A memory from which something was removed for each reason.
    private struct FullMemory: ObservedMemory {
        func takeUse() -> [(level: MemoryLevel, use: MemoryUse)] {
            MemoryLevel.allCases.map { level in
                let evictions = Dictionary(uniqueKeysWithValues: EvictionCause.allCases.map { ($0, 1) })
                return (level, MemoryUse(entries: 1, bytes: 1, evictions: evictions))
            }
        }
    }

    /// Counts the requested handlers.
    private final class CountingFactory: MetricsFactory {
        private let base: TestMetrics
        private let count = Mutex(0)

        init(_ base: TestMetrics) { self.base = base }

        var made: Int { count.withLock { $0 } }

        private func counted<Handler>(_ handler: Handler) -> Handler {
            count.withLock { $0 += 1 }
            return handler
        }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            counted(base.makeCounter(label: label, dimensions: dimensions))
        }

        func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
            counted(base.makeMeter(label: label, dimensions: dimensions))
        }

        func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
            counted(base.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate))
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            counted(base.makeTimer(label: label, dimensions: dimensions))
        }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyMeter(_ handler: any MeterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }
#endif
