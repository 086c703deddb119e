// Licensed under the MIT License. See LICENSE.

#if Metrics
    import MSALBase
    import MSALServer
    import MetricsTestKit
    import Testing

    /// The metrics of an API about the tokens that it receives.
    struct ValidationMetricsTests {
        private let metrics = TestMetrics()

        private func count(_ outcome: String, isRemembered: Bool) throws -> Int64 {
            let labels = [("outcome", outcome), ("cached", isRemembered ? "true" : "false")]
            return try metrics.expectCounter("msal_validation_total", labels).totalValue
        }

        @Test func `tokens are counted by the outcome, and by whether their signature was remembered`() async throws {
            let api = try APIServer { $0.metrics = metrics }
            let good = "Bearer \(try api.token())"
            let lines: [[String]] = [
                [good], [good], [good], [], ["Bearer"], ["Bearer a.b.c"], ["DPoP a.b.c"],
                ["Bearer \(try api.token(["aud": .string("x")]))"],
            ]

            for lines in lines {
                // The rejections are counted.
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
            for reason in ["absent", "unsupportedDPoP", "malformedRequest", "malformedToken", "invalidAudience"] {
                #expect(try count(reason, isRemembered: false) == 1)
            }
        }

        @Test func `no part of a token, no name and no address is in a metric's name or label`() async throws {
            let api = try APIServer {
                $0.metrics = metrics
                $0.clients = ["app"]
            }
            let tokens = [
                try api.token(), try api.token(["azp": .string("unknown-client")]), "a.b.c",
                try api.token(["aud": .string("unknown-audience")]),
                try api.token(["preferred_username": .string("ana@contoso.example"), "exp": .integer(1)]),
            ]
            // The rejections are counted, too.
            for token in tokens {
                _ = try? await api.validator.validate(
                    authorization: ["Bearer \(token)"],
                    request: MSALRequestFacts(),
                    requiring: .scope("Orders.Write")
                )
            }

            let labeled: [(String, [(String, String)])] =
                metrics.counters.map { ($0.label, $0.dimensions) } + metrics.timers.map { ($0.label, $0.dimensions) }
                + metrics.recorders.map { ($0.label, $0.dimensions) } + metrics.meters.map { ($0.label, $0.dimensions) }
            let texts = labeled.flatMap { [$0.0] + $0.1.flatMap { [$0.0, $0.1] } }
            let parts = tokens.flatMap { $0.split(separator: ".") }.map(String.init).filter { $0.utf8.count > 8 }
            let claims = [
                TestIssuer.tenant, TestIssuer.client, TestIssuer.host, "person", "pairwise", "contoso",
                "unknown-client", "unknown-audience", "Orders",
            ]
            #expect(texts.contains("clientNotAllowed") && texts.contains("invalidAudience"))
            // The number of the secret, because its text must not be printed either.
            let found = (parts + claims).enumerated().filter { part in texts.contains { $0.contains(part.element) } }
            #expect(found.map(\.offset) == [])
        }
    }
#endif
