// Licensed under the MIT License. See LICENSE.

#if ServiceLifecycle
    import MSALBase
    public import ServiceLifecycle
    private import Synchronization

    /// Application objects as a service of swift-service-lifecycle. It is ready when their authorities' metadata are
    /// known, and ends when the background work of their calls is done. It needs the trait `ServiceLifecycle` of the
    /// package.
    ///
    /// List it before the servers that use the applications. A service group ends its services in the reverse order, so that
    /// no request comes in any more when this one ends.
    public struct MSALServerService: Service {
        private final class State: Sendable {
            let isReady = Mutex(false)
        }

        private let applications: [MSALConfidentialClientApplication]
        private let state = State()

        /// The time that refreshes and writes may take at a graceful shutdown. What has not ended by then is lost.
        public var gracePeriod: Duration = .seconds(10)

        /// A service for these applications.
        public init(_ applications: MSALConfidentialClientApplication...) {
            self.applications = applications
        }

        /// Whether the metadata of all authorities are known, for a readiness probe. The applications give tokens
        /// before that, too.
        public var isReady: Bool { state.isReady.withLock { $0 } }

        /// Fetches the metadata, with repetitions until they are there, and waits for a graceful shutdown. Then it
        /// finishes the background work of the calls.
        ///
        /// - Throws: `CancellationError` if the task is cancelled. Then it waits for nothing.
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
                        // A sleep that is cancelled ends the loop.
                        try? await application.environment.time.sleep(for: Self.pause)
                    }
                }
            }
            if !Task.isCancelled { state.isReady.withLock { $0 = true } }
        }

        private static let pause = Duration.seconds(5)
    }
#endif
