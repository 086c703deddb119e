// Licensed under the MIT License. See LICENSE.

#if ServiceLifecycle
    import MSALBase
    public import ServiceLifecycle
    private import Synchronization

    /// Runs application objects as a service of swift-service-lifecycle. The service is ready when the metadata of all
    /// authorities have been fetched, and finishes when the applications' background work is done. Requires the package
    /// trait `ServiceLifecycle`.
    ///
    /// List it before the servers that use the applications. A service group shuts its services down in reverse order,
    /// so no more requests come in when this one shuts down.
    public struct MSALServerService: Service {
        private final class State: Sendable {
            let isReady = Mutex(false)
        }

        private let applications: [MSALConfidentialClientApplication]
        private let state = State()

        /// The time limit for refreshes and writes at a graceful shutdown. Work that has not finished by then is lost.
        public var gracePeriod: Duration = .seconds(10)

        /// Creates a service for these applications.
        public init(_ applications: MSALConfidentialClientApplication...) {
            self.applications = applications
        }

        /// Whether the metadata of all authorities have been fetched, for a readiness probe. The applications can
        /// return tokens before that, too.
        public var isReady: Bool { state.isReady.withLock { $0 } }

        /// Fetches the metadata, retrying until it succeeds, and waits for a graceful shutdown. Then it finishes the
        /// applications' background work.
        ///
        /// - Throws: `CancellationError` if the task is canceled; it then does not wait for the background work.
        public func run() async throws {
            await cancelWhenGracefulShutdown { await prepare() }
            try await gracefulShutdown()
            await withTaskGroup { group in
                for application in applications {
                    group.addTask { _ = await application.shutDown(within: gracePeriod) }
                }
            }
        }

        private func prepare() async {
            for application in applications {
                while !Task.isCancelled {
                    do throws(MSALTokenError) {
                        _ = try await application.resolved(application.authority, correlationID: .random())
                        break
                    } catch {
                        await application.environment.logged(as: error.correlationID) {
                            Log.warning("The metadata of the authority cannot be fetched yet: \(error.message)")
                        }
                        // A canceled sleep ends the loop.
                        try? await application.environment.time.sleep(for: Self.pause)
                    }
                }
            }
            if !Task.isCancelled { state.isReady.withLock { $0 = true } }
        }

        private static let pause = Duration.seconds(5)
    }
#endif
