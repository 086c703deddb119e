// Licensed under the MIT License. See LICENSE.

import MSALBase

#if Metrics
    package import Metrics
#endif
#if Tracing
    package import Tracing
#endif

/// The place to which an object's metrics and spans go. Without the traits `Metrics` and `Tracing` it does nothing, and
/// costs nothing.
///
/// It makes all handlers that count tokens from the memory at once, so that a call makes none. Such a call has no span.
package struct Instruments: Sendable {
    /// The instruments of the object for which this task works. Every slow path runs with them:
    /// ``ServerEnvironment/logged(as:_:)``.
    @TaskLocal package static var current = Instruments.none

    #if Metrics
        /// `nil` where nothing is counted.
        private(set) var meters: Meters?
        /// The memory whose use is told after each call that it could not serve.
        private var memory: (any ObservedMemory)?
    #endif
    #if Tracing
        /// `nil` where no span is made.
        private var tracer: (@Sendable () -> any Tracer)?
    #endif

    /// These instruments, which also report the use of a memory.
    package func reporting(_ memory: any ObservedMemory) -> Instruments {
        #if Metrics
            var copy = self
            copy.memory = memory
            return copy
        #else
            return self
        #endif
    }

    /// Neither metrics nor spans.
    package static let none = Instruments()

    private init() {}

    #if Metrics
        /// These instruments, which also count: in the metrics system that is named, or else in that of the process.
        package func counting(in metrics: (any MetricsFactory)?) -> Instruments {
            var copy = self
            copy.meters = Meters(to: metrics)
            return copy
        }
    #endif

    #if Tracing
        /// These instruments, which also make spans: with the tracer that is named, or else with that of the process.
        package func tracing(with tracer: (any Tracer)?) -> Instruments {
            var copy = self
            copy.tracer = { tracer ?? InstrumentationSystem.tracer }
            return copy
        }
    #endif
}

// MARK: - Metrics

extension Instruments {
    /// Makes the counters of failures in these flows, so that each begins with 0: a metrics system sees no increase in the
    /// first value of a series. `hasStore` says whether the object has a store that instances share.
    package func announceFailures(in flows: [TokenFlow], hasStore: Bool = false) {
        #if Metrics
            guard let meters else { return }
            for flow in flows {
                for failure in MSALTokenError.Kind.labels {
                    meters.count(Meters.requests, labels: Self.labels(ofFailure: failure, in: flow), by: 0)
                }
            }
            for outcome in WorkOutcome.allCases { meters.count(Meters.refreshes, labels: [outcome.label], by: 0) }
            for operation in hasStore ? StoreOperation.allCases : [] {
                for outcome in [StoreOutcome.unreadable, .timeout, .error, .open] {
                    meters.count(Meters.storeCalls, labels: Self.labels(of: operation, outcome: outcome), by: 0)
                }
            }
        #endif
    }

    /// Makes the counters of refused tokens and of fetches of keys, so that each begins with 0.
    ///
    /// `rejections`: the codes of `MSALTokenRejection`.
    package func announceValidations(rejections: [String]) {
        #if Metrics
            guard let meters else { return }
            for isRemembered in [false, true] {
                for code in rejections {
                    let labels = Meters.labels(ofValidation: code, isRemembered: isRemembered)
                    meters.count(Meters.validations, labels: labels, by: 0)
                }
            }
            for outcome in WorkOutcome.allCases {
                for cause in KeyRefreshCause.allCases {
                    meters.count(Meters.keyFetches, labels: [outcome.label, ("cause", cause.rawValue)], by: 0)
                }
            }
        #endif
    }

    /// Counts a token from the memory.
    package func countHit(_ flow: TokenFlow, isRefreshDue: Bool) {
        #if Metrics
            meters?.hits[flow, isRefreshDue: isRefreshDue].increment()
        #endif
    }

    /// Counts a call that brought a token which the memory did not have.
    package func count(_ request: ObservedRequest, because reason: RequestReason, remaining: Duration) {
        #if Metrics
            let labels = [("flow", request.flow.label)]
            let result = [("source", request.origin.rawValue), ("reason", reason.rawValue), ("error", "none")]
            count(request, as: labels + result)
            meters?.record(Meters.remainingLife, labels: labels, value: remaining.components.seconds)
        #endif
    }

    /// Counts a call that failed.
    package func count(_ request: ObservedRequest, failing error: MSALTokenError) {
        #if Metrics
            count(request, as: Self.labels(ofFailure: error.kind.label, in: request.flow))
        #endif
    }

    #if Metrics
        private func count(_ request: ObservedRequest, as labels: [(String, String)]) {
            meters?.count(Meters.requests, labels: labels)
            let origin = [("flow", request.flow.label), ("source", request.origin.rawValue)]
            meters?.time(Meters.tokenDuration, labels: origin, duration: request.duration)
            noteMemory()
        }

        private static func labels(ofFailure failure: String, in flow: TokenFlow) -> [(String, String)] {
            [
                ("flow", flow.label), ("source", TokenSourceLabel.error.rawValue),
                ("reason", RequestReason.none.rawValue),
                ("error", failure),
            ]
        }

        private static func labels(of operation: StoreOperation, outcome: StoreOutcome) -> [(String, String)] {
            [("operation", operation.rawValue), ("outcome", outcome.rawValue)]
        }

        private func noteMemory() {
            guard let meters, let memory else { return }
            for (level, use) in memory.takeUse() {
                let labels = [("level", level.rawValue)]
                meters.set("msal_cache_entries", labels: labels, value: use.entries)
                meters.set("msal_cache_bytes", labels: labels, value: use.bytes)
                for (cause, count) in use.evictions {
                    meters.count("msal_cache_evictions_total", labels: [("cause", cause.rawValue)], by: count)
                }
            }
        }
    #endif

    /// Notes a request over HTTP. `status` is `nil` if no response came.
    package func note(_ endpoint: ObservedEndpoint, status: Int?, after duration: Duration) {
        #if Metrics
            let labels = [("endpoint", endpoint.rawValue), ("status_class", StatusClass(status).rawValue)]
            meters?.time(Meters.requestDuration, labels: labels, duration: duration)
        #endif
    }

    /// Notes how long the proof of the client took.
    package func note(_ credential: ObservedCredential, after duration: Duration) {
        #if Metrics
            let labels = [("kind", credential.rawValue)]
            meters?.time(Meters.credentialDuration, labels: labels, duration: duration)
        #endif
    }

    /// Records a result of the shared store. `duration` is `nil` if the store was not called.
    package func note(_ operation: StoreOperation, outcome: StoreOutcome, after duration: Duration? = nil) {
        #if Metrics
            let labels = Self.labels(of: operation, outcome: outcome)
            meters?.count(Meters.storeCalls, labels: labels)
            if let duration { meters?.time(Meters.storeDuration, labels: labels, duration: duration) }
        #endif
    }

    /// Counts a refresh ahead of time.
    package func countBackgroundRefresh(_ outcome: WorkOutcome) {
        #if Metrics
            meters?.count(Meters.refreshes, labels: [outcome.label])
        #endif
    }

    /// Counts a fetch of an issuer's keys.
    package func countKeyRefresh(_ outcome: WorkOutcome, cause: KeyRefreshCause) {
        #if Metrics
            meters?.count(Meters.keyFetches, labels: [outcome.label, ("cause", cause.rawValue)])
        #endif
    }
}

// MARK: - Spans

extension Instruments {
    /// Runs an operation in a span of its own, which ends with the operation.
    package func span<Value: Sendable, Failure: Error>(
        _ name: ObservedSpan.Name,
        during operation: @Sendable (ObservedSpan) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        #if Tracing
            if let tracer {
                let span = tracer().startAnySpan(name.rawValue, context: .current ?? .topLevel, ofKind: name.kind)
                return try await run(operation, in: span)
            }
        #endif
        return try await operation(ObservedSpan())
    }

    /// Background work of a call, in a span of its own. The span is linked to the call, and may end after it.
    package func linked(_ work: @escaping @Sendable () async -> Void) -> @Sendable () async -> Void {
        #if Tracing
            if let tracer {
                let cause = ServiceContext.current
                return {
                    let span = tracer().startAnySpan(ObservedSpan.Name.background.rawValue, context: .topLevel)
                    if let cause { span.addLink(SpanLink(context: cause, attributes: [:])) }
                    await run({ _ in await work() }, in: span)
                }
            }
        #endif
        return work
    }

    #if Tracing
        private func run<Value: Sendable, Failure: Error>(
            _ operation: @Sendable (ObservedSpan) async throws(Failure) -> Value,
            in span: any Span
        ) async throws(Failure) -> Value {
            // `withValue` cannot throw typed errors.
            let outcome: Result<Value, Failure> = await ServiceContext.withValue(span.context) {
                await Result { () async throws(Failure) in try await operation(ObservedSpan(span)) }
            }
            if case .failure = outcome { span.setStatus(SpanStatus(code: .error)) }
            span.end()
            return try outcome.get()
        }
    #endif
}

/// A call that the memory could not serve.
package struct ObservedRequest: Sendable {
    package let flow: TokenFlow
    package let origin: TokenSourceLabel
    package let duration: Duration
}
