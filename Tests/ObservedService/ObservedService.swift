// Licensed under the MIT License. See LICENSE.

import Hummingbird
import InMemoryTracing
import MSALServer
import SocketStore
import Tracing

/// An API that performs token operations on request. It has two instances of its application over one store, each with a
/// separate memory cache, and a third one whose secret the service rejects.
struct ObservedService {
    private let applications: [String: MSALConfidentialClientApplication]
    private let validator: MSALTokenValidator
    private let store: SocketStore
    private let metrics: TextMetrics
    private let tracer: InMemoryTracer

    init(_ settings: Settings, metrics: TextMetrics, tracer: InMemoryTracer) throws {
        store = SocketStore(socket: settings.store)
        let shared = try settings.sharedCache(in: store)
        applications = [
            "first": try settings.application(MSALTokenCache(shared: shared)),
            "second": try settings.application(MSALTokenCache(shared: shared)),
            "refused": try settings.application(MSALTokenCache(), hasSecret: false),
        ]
        validator = try MSALTokenValidator(settings.validator)
        self.metrics = metrics
        self.tracer = tracer
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("health") { _, _ in HTTPResponse.Status.ok }
        router.get("metrics") { [metrics] _, _ in metrics.text }
        // The spans that have ended since the last call.
        router.get("spans") { [tracer] _, _ in tracer.popFinishedSpans().map(SpanAnswer.init) }
        router.post("store/:behavior") { [store] _, context in
            try await store.behave(try context.parameters.require("behavior", as: StoreBehavior.self))
            return HTTPResponse.Status.noContent
        }

        // Each call is in a span, as a service's framework would create it.
        let calls = router.group().add(middleware: RequestSpans())
        calls.post("check") { [validator] request, _ in
            do throws(MSALTokenRejection) {
                let lines = request.headers[values: .authorization]
                _ = try await validator.validate(authorization: lines, request: MSALRequestFacts())
                return Answer()
            } catch {
                return Answer(error: error.code.rawValue)
            }
        }
        calls.post(":instance/token") { request, context in
            let application = try application(context)
            var options = MSALTokenOptions()
            options.forceRefresh = request.uri.queryParameters["force"] != nil
            return await Answer { () throws(MSALTokenError) in
                try await application.acquireTokenForClient(scopes: request.scopes, options: options)
            }
        }
        calls.post(":instance/behalf") { request, context in
            let application = try application(context)
            let token = try MSALValidatedToken(checkedElsewhere: request.bearer)
            return await Answer { () throws(MSALTokenError) in
                try await application.acquireTokenOnBehalfOf(token, scopes: request.scopes)
            }
        }
        calls.post(":instance/sessions") { request, context in
            let token = try MSALValidatedToken(checkedElsewhere: request.bearer)
            let start = try await application(context).startLongRunning(token, scopes: request.scopes)
            return Answer(start.token, session: start.session)
        }
        calls.post(":instance/sessions/:key") { request, context in
            let (application, session) = (try application(context), try session(context))
            return await Answer { () throws(MSALTokenError) in
                try await application.acquireToken(inLongRunning: session, scopes: request.scopes)
            }
        }
        calls.delete(":instance/sessions/:key") { _, context in
            try await application(context).endLongRunning(try session(context))
            return HTTPResponse.Status.noContent
        }
        return router
    }

    private func application(_ context: some RequestContext) throws -> MSALConfidentialClientApplication {
        guard let application = applications[try context.parameters.require("instance")] else {
            throw HTTPError(.notFound)
        }
        return application
    }

    private func session(_ context: some RequestContext) throws -> MSALSessionKey {
        try MSALSessionKey(try context.parameters.require("key"))
    }
}

extension Request {
    fileprivate var scopes: [String] { uri.queryParameters["scope"].map { [String($0)] } ?? [] }

    fileprivate var bearer: String { String((headers[.authorization] ?? "").dropFirst("Bearer ".count)) }
}

/// A span around each call.
private struct RequestSpans<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await withSpan("request", ofKind: .server) { _ in try await next(request, context) }
    }
}
