// Licensed under the MIT License. See LICENSE.

#if Metrics
    /// Upper bounds for the histograms of this library's metrics. The usual defaults of exporters begin at 5 ms and end
    /// at 10 seconds or 10,000, which resolves neither the latency of a store nor the lifetime of a token.
    ///
    /// Configure the exporter with them before you bootstrap the metrics system: in swift-prometheus and swift-otel, as
    /// `durationHistogramBuckets` and `valueHistogramBuckets`. Requires the package trait `Metrics`.
    public enum MSALHistogramBounds {
        /// The bounds of each timer, by the timer's name.
        public static let durations: [String: [Duration]] = [
            Meters.tokenDuration: requests,
            Meters.requestDuration: requests,
            // A secret takes microseconds, a signature a millisecond, and a callback may call a vault.
            Meters.credentialDuration: [.microseconds(50), .microseconds(200), .microseconds(500)] + requests,
            Meters.storeDuration: [.microseconds(100), .microseconds(250), .microseconds(500)] + requests,
        ]

        /// The bounds of each recorder, by the recorder's name: the lifetime of a new token in seconds, which is up to
        /// 28 hours.
        public static let values: [String: [Double]] = [
            Meters.remainingLife: [60, 300, 900, 1800, 3000, 3600, 4500, 5400, 7200, 14_400, 43_200, 86_400, 100_800]
        ]

        /// From the latency of a store on the same machine to the time limit of a request.
        private static let requests: [Duration] = [
            .milliseconds(1), .microseconds(2500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
            .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
            .milliseconds(2500), .seconds(5), .seconds(10), .seconds(30), .seconds(60),
        ]
    }
#endif
