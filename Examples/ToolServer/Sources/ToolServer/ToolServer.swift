// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALHummingbird
import MSALServer

/// The server's single address (Model Context Protocol, "Streamable HTTP"). It responds with JSON, has no sessions, and never
/// sends messages by itself.
struct ToolServer {
    private let settings: Settings
    private let validator: MSALTokenValidator
    private let tools: Tools

    init(_ settings: Settings) throws {
        self.settings = settings
        validator = try MSALTokenValidator(settings.validator)
        tools = Tools(settings)
    }

    func router() -> Router<MSALAPIContext> {
        let router = Router(context: MSALAPIContext.self)
        // These lines protect the server: the metadata that lead clients to the authority or the adapter, and the checks of
        // origin and token. Challenges name the scope for reading; each tool checks its own.
        if let adapter = settings.adapter { router.serve(adapter) } else { router.serve(settings.resource) }
        let address = router.group("mcp").add(middleware: OriginCheck(settings.resource.resource))
        for method in [HTTPRequest.Method.get, .delete] {
            address.on("", method: method) { _, _ in Response(status: .methodNotAllowed, headers: [.allow: "POST"]) }
        }
        address.group()
            .add(middleware: MSALAuthenticator(validator, requiring: .any(.scope(settings.readScope), .anyPermission)))
            .post { request, context in try await respond(to: request, context: context) }
        return router
    }

    private func respond(to request: Request, context: MSALAPIContext) async throws -> Response {
        guard let caller = context.identity else { throw HTTPError(.unauthorized) }
        let call = try Call(try await request.body.collect(upTo: context.maxUploadSize))
        // A notification gets no response.
        guard let id = call.id else { return Response(status: .accepted) }
        func answer(_ result: some Encodable & Sendable) throws -> Response {
            try Answer(id: id, result: .init(result: result)).response(from: request, context: context)
        }
        let version = try ProtocolVersion(of: call, id: id, headers: request.headers)
        switch (version, call.method) {
        case (.session, "initialize"): return try answer(Greeting(call.params?.protocolVersion))
        case (.session, "ping"): return try answer(Nothing())
        case (.perRequest, "server/discover"): return try answer(Discovery())
        case (_, "tools/list"): return try answer(tools.list)
        case (_, "tools/call"):
            let (name, text) = (call.params?.name, call.params?.arguments?.text)
            return try answer(try await tools.call(name, text: text, id: id, by: caller))
        case (.perRequest, _), (.session, _):
            let status: HTTPResponse.Status = version == .perRequest ? .notFound : .ok
            throw Refusal(id: id, code: -32601, "Unknown method: \(call.method)", status: status)
        }
    }
}
