// Licensed under the MIT License. See LICENSE.

#if Metrics
    import MSALBase
    import MSALServer
    import MetricsTestKit
    import Testing

    /// What an API sees in its metrics of the tokens that it gets.
    struct ValidationMetricsTests {
        private let metrics = TestMetrics()

        private func count(_ outcome: String, isRemembered: Bool) throws -> Int64 {
            let labels = [("outcome", outcome), ("cached", isRemembered ? "true" : "false")]
            return try metrics.expectCounter("msal_validation_total", labels).totalValue
        }

        @Test func `tokens are counted by the outcome, and by whether their signature was known`() async throws {
            let api = try APIServer { $0.metrics = metrics }
            let good = "Bearer \(try api.token())"
            let lines: [[String]] = [
                [good], [good], [good], [], ["Bearer"], ["Bearer a.b.c"],
                ["Bearer \(try api.token(["aud": .string("x")]))"],
            ]

            for lines in lines {
                // The refusals are what is counted.
                _ = try? await api.validator.validate(authorization: lines, request: MSALRequestFacts())
            }
            _ = try? await api.validator.validate(
                authorization: [good],
                request: MSALRequestFacts(),
                requiring: .scope("Orders.Write")
            )

            #expect(try count("accept", isRemembered: false) == 1)
            #expect(try count("accept", isRemembered: true) == 2)
            #expect(try count("insufficientScope", isRemembered: true) == 1)
            for reason in ["absent", "malformedRequest", "malformedToken", "invalidAudience"] {
                #expect(try count(reason, isRemembered: false) == 1)
            }
        }
    }
#endif
