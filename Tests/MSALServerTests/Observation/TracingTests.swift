// Licensed under the MIT License. See LICENSE.

#if Tracing
    import Foundation
    import InMemoryTracing
    import MSALBase
    import MSALCore
    import MSALServer
    import TestSupport
    import Testing
    import Tracing

    /// The traces of a service about its tokens.
    struct TracingTests {
        private static let scopes = ["https://graph.microsoft.com/.default"]
        private let time = ManualTime()
        private let transport = ScriptedTransport()
        private let tracer = InMemoryTracer()

        private func application() throws -> MSALConfidentialClientApplication {
            var configuration = MSALConfidentialClientConfiguration(
                clientId: SignInService.clientID,
                authority: .tenant(SignInService.tenant),
                credential: .secret("s~ecret")
            )
            configuration.tracer = tracer
            let environment = ServerEnvironment.double(time: time, transport: transport)
            return try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
        }

        private func answer(_ token: String, _ more: String = #""expires_in":3600"#) {
            transport.append(.json(#"{"access_token":"\#(token)","token_type":"Bearer",\#(more)}"#))
        }

        private func span(_ name: String) throws -> FinishedInMemorySpan {
            try #require(tracer.finishedSpans.first { $0.operationName == name })
        }

        private func text(_ span: FinishedInMemorySpan, _ name: String) -> String? {
            guard case .string(let text) = span.attributes.get(name) else { return nil }
            return text
        }

        @Test func `a call for a token is a span, with child spans for its proof and its request`() async throws {
            let application = try application()
            answer("at-1")
            var options = MSALTokenOptions()
            options.correlationID = UUID()

            _ = try await application.acquireTokenForClient(scopes: Self.scopes, options: options)

            let (call, sign, http) = (
                try span("msal.acquire_token"), try span("msal.sign"), try span("msal.http")
            )
            #expect(tracer.finishedSpans.count == 3)
            #expect(sign.parentSpanID == call.spanID && http.parentSpanID == call.spanID)
            #expect(text(call, "msal.flow") == "client_credentials" && text(call, "msal.source") == "service")
            #expect(text(http, "server.address") == "login.microsoftonline.com")
            #expect(http.attributes.get("http.response.status_code") == .int64(200))
            for span in [call, http] {
                #expect(text(span, "correlation-id") == options.correlationID?.uuidString)
            }
        }

        @Test func `a call without an id has the id that is sent to the service`() async throws {
            let application = try application()
            answer("at-1")

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)

            let id = try #require(transport.messages.last?.headers["client-request-id"])
            for name in ["msal.acquire_token", "msal.http"] {
                #expect(text(try span(name), "correlation-id") == id)
            }
        }

        @Test func `a token from memory has no span`() async throws {
            let application = try application()
            answer("at-1")
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            tracer.clearFinishedSpans()

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)

            #expect(tracer.finishedSpans.isEmpty && tracer.activeSpans.isEmpty)
        }

        @Test func `a span contains the kind of a failure`() async throws {
            let application = try application()
            transport.append(.json(#"{"error":"invalid_client","error_codes":[7000215]}"#, status: 401))

            await #expect(throws: MSALTokenError.self) {
                try await application.acquireTokenForClient(scopes: Self.scopes)
            }

            let call = try span("msal.acquire_token")
            #expect(text(call, "msal.source") == "error" && text(call, "msal.error") == "invalidClient")
            #expect(call.status?.code == .error)
        }

        @Test func `a background refresh is a separate span, linked to the call`() async throws {
            let application = try application()
            answer("at-1", #""expires_in":7200,"refresh_in":3600"#)
            _ = try await application.acquireTokenForClient(scopes: Self.scopes)
            tracer.clearFinishedSpans()
            time.advance(by: .seconds(3601))
            answer("at-2")

            let request = tracer.startSpan("a request of the service")
            _ = try await ServiceContext.withValue(request.context) {
                try await application.acquireTokenForClient(scopes: Self.scopes)
            }
            request.end()
            let isDone = await application.shutDown(within: .seconds(10))

            let work = try span("msal.background")
            #expect(isDone)
            #expect(work.parentSpanID == nil && work.links.count == 1)
            #expect(work.links.first?.context.inMemorySpanContext?.spanID == request.spanID)
            #expect(try span("msal.http").parentSpanID == work.spanID)
        }

        @Test func `a call to the store is a span`() async throws {
            let instances = try ServiceInstances(application: { $0.tracer = tracer })
            try await instances.stories[0].signIn()
            tracer.clearFinishedSpans()

            _ = try await instances.stories[1].silent()

            let (call, store) = (try span("msal.acquire_token"), try span("msal.l2"))
            #expect(store.parentSpanID == call.spanID && text(call, "msal.source") == "l2")
            #expect(text(store, "msal.l2.operation") == "read" && text(store, "msal.l2.outcome") == "hit")
        }

        @Test func `a fetch of keys is a span, and validation with cached keys has none`() async throws {
            let api = try APIServer { $0.tracer = tracer }
            let lines = ["Bearer \(try api.token())"]

            _ = try await api.validator.validate(authorization: lines, request: MSALRequestFacts())
            let first = tracer.finishedSpans.filter { $0.operationName == "msal.validate" }
            _ = try await api.validator.validate(
                authorization: ["Bearer \(try api.token(["jti": .string("another token")]))"],
                request: MSALRequestFacts()
            )

            let fetch = try #require(first.first)
            #expect(first.count == 1 && fetch.status == nil)
            #expect(text(fetch, "server.address") == TestIssuer.host)
            #expect(text(fetch, "correlation-id") != nil)
            let http = tracer.finishedSpans.filter { $0.operationName == "msal.http" }
            #expect(http.filter { $0.parentSpanID == fetch.spanID }.count == 1)
            #expect(tracer.finishedSpans.filter { $0.operationName == "msal.validate" }.count == 1)
        }

        @Test func `a failed fetch of keys is a span with an error`() async throws {
            let api = try APIServer { $0.tracer = tracer }
            api.issuer.serve(keys: .failure(.timedOut))

            await #expect(throws: MSALTokenRejection.self) {
                try await api.validator.validate(
                    authorization: ["Bearer \(try api.token())"],
                    request: MSALRequestFacts()
                )
            }

            #expect(try span("msal.validate").status?.code == .error)
        }

        @Test func `no trace header is sent to the service`() async throws {
            let application = try application()
            answer("at-1")

            _ = try await application.acquireTokenForClient(scopes: Self.scopes)

            #expect(tracer.performedContextInjections.isEmpty)
        }
    }
#endif
