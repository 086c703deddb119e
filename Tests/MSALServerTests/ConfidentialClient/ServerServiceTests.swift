// Licensed under the MIT License. See LICENSE.

#if ServiceLifecycle
    import MSALBase
    import MSALCore
    import MSALServer
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import Synchronization
    import TestSupport
    import Testing

    /// Applications as a service of swift-service-lifecycle.
    struct ServerServiceTests {
        @Test func `the service is ready once the metadata are loaded, and ends after background work`() async throws {
            // The time limit for the end of the work does not expire.
            let story = try WebAppStory(time: ManualTime())
            try await story.signIn(changes: ["expires_in": .integer(7200), "refresh_in": .integer(3600)])
            story.time.advance(by: .seconds(3601))
            story.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2", scope: "User.Read"))
            let service = MSALServerService(story.application)
            #expect(!service.isReady)

            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await service.run() }
                    while !service.isReady { await Task.yield() }
                    let held = try await story.silent()
                    #expect(held.accessToken == "at-1")
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }

            let renewed = try await story.silent()
            #expect(renewed.accessToken == "at-2" && renewed.source == .cache)
        }

        @Test func `metadata that are not available yet are requested again`() async throws {
            let service = SignInService()
            let gate = FailingOnce(service)
            let application = try MSALConfidentialClientApplication(
                configuration: MSALConfidentialClientConfiguration(
                    clientId: SignInService.clientID,
                    authority: .tenant(SignInService.tenant),
                    credential: .secret("s~ecret")
                ),
                environment: .double(transport: gate)
            )
            let runner = MSALServerService(application)

            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await runner.run() }
                    while !runner.isReady { await Task.yield() }
                    trigger.triggerGracefulShutdown()
                    try await group.waitForAll()
                }
            }

            #expect(service.documentsServed == 1)
        }
    }

    /// A service that fails the first requests.
    private final class FailingOnce: HTTPTransport {
        private let base: SignInService
        private let failures = Mutex(3)

        init(_ base: SignInService) { self.base = base }

        func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
            let isFailing = failures.withLock { left in
                defer { left = max(left - 1, 0) }
                return left > 0
            }
            return isFailing ? HTTPResponse(status: 503) : try await base.send(message)
        }
    }
#endif
