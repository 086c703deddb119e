// Licensed under the MIT License. See LICENSE.

#if Metrics
    import Metrics

    /// The handlers of an object's metrics. Those of the fast paths are made once. The others are asked for when they
    /// are needed, because a metrics system gives the same handler for the same labels.
    final class Meters: Sendable {
        /// Counts the tokens from the memory for each flow. Those whose refresh is due have a counter of their own.
        struct Hits: Sendable {
            fileprivate let counters: [Counter]

            subscript(flow: TokenFlow, isRefreshDue isRefreshDue: Bool) -> Counter {
                counters[2 * flow.rawValue + (isRefreshDue ? 1 : 0)]
            }
        }

        private let factory: any MetricsFactory
        let hits: Hits
        /// Counters of the tokens that an API accepted: tokens whose signature it verified now, and tokens that it had
        /// verified earlier.
        private let accepted: (verified: Counter, remembered: Counter)

        static let requests = "msal_token_requests_total"
        static let validations = "msal_validation_total"
        static let refreshes = "msal_background_refresh_total"
        static let keyFetches = "msal_key_refresh_total"
        static let storeCalls = "msal_l2_operations_total"
        static let tokenDuration = "msal_token_duration_seconds"
        static let requestDuration = "msal_http_duration_seconds"
        static let credentialDuration = "msal_client_credential_duration_seconds"
        static let storeDuration = "msal_l2_duration_seconds"
        static let remainingLife = "msal_token_remaining_seconds"

        /// The handlers of a metrics system, or else of the process's. It is `nil` where the process has set none up: each
        /// token from the memory would count the references of a handler that counts nothing, for all threads.
        convenience init?(to named: (any MetricsFactory)?) {
            let factory = named ?? MetricsSystem.factory
            if factory is NOOPMetricsHandler { return nil }
            self.init(factory: factory)
        }

        private init(factory: any MetricsFactory) {
            self.factory = factory
            hits = Hits(
                counters: TokenFlow.allCases.flatMap { flow in
                    [RequestReason.none, .refreshAhead].map { reason in
                        Counter(
                            label: Self.requests,
                            dimensions: [
                                ("flow", flow.label), ("source", TokenSourceLabel.cache.rawValue),
                                ("reason", reason.rawValue), ("error", "none"),
                            ],
                            factory: factory
                        )
                    }
                }
            )
            func accepted(isRemembered: Bool) -> Counter {
                Counter(
                    label: Self.validations,
                    dimensions: Self.labels(ofValidation: "accept", isRemembered: isRemembered),
                    factory: factory
                )
            }
            self.accepted = (accepted(isRemembered: false), accepted(isRemembered: true))
        }

        func countAccepted(isRemembered: Bool) {
            (isRemembered ? accepted.remembered : accepted.verified).increment()
        }

        static func labels(ofValidation outcome: String, isRemembered: Bool) -> [(String, String)] {
            [("outcome", outcome), ("cached", isRemembered ? "true" : "false")]
        }

        func count(_ name: String, labels: [(String, String)], by amount: Int = 1) {
            Counter(label: name, dimensions: labels, factory: factory).increment(by: amount)
        }

        func time(_ name: String, labels: [(String, String)], duration: Duration) {
            Timer(label: name, dimensions: labels, factory: factory).record(duration: duration)
        }

        func set(_ name: String, labels: [(String, String)], value: Int) {
            Meter(label: name, dimensions: labels, factory: factory).set(Double(value))
        }

        func record(_ name: String, labels: [(String, String)], value: Int64) {
            Recorder(label: name, dimensions: labels, aggregate: true, factory: factory).record(value)
        }
    }
#endif
