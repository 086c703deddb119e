// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALHummingbird
import MSALServer

/// The server's single address, and the requirements of its tools (Model Context Protocol, "Transports", streamable HTTP). It
/// responds with JSON, and never sends messages by itself.
struct ToolServer {
    let validator: MSALTokenValidator
    let resource: MSALProtectedResource
    private let notes = Notes()

    init(_ validator: MSALTokenValidator, resource: MSALProtectedResource) {
        self.validator = validator
        self.resource = resource
    }

    func router() -> Router<MSALAPIContext> {
        let router = Router(context: MSALAPIContext.self)
        // These lines protect the server: the metadata that lead clients to the authority, and the checks of origin and token.
        router.serve(resource)
        let server = router.group("mcp")
            .add(middleware: OriginCheck(resource.resource))
            .add(middleware: MSALAuthenticator(validator, requiring: .scope("Notes.Read")))

        server.post { request, context in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            let call = try await request.decode(as: Call.self, context: context)
            // A notification gets no response.
            guard let id = call.id else { return Response(status: .accepted) }
            return switch call.method {
            case "initialize":
                try Answer(id: id, result: Greeting(call.params?.protocolVersion)).response(from: request, context: context)
            case "ping": try Answer(id: id, result: Nothing()).response(from: request, context: context)
            case "tools/list": try Answer(id: id, result: ToolList()).response(from: request, context: context)
            case "tools/call":
                try Answer(id: id, result: try await result(of: call, by: caller)).response(from: request, context: context)
            default: try Refusal(id: id, method: call.method).response(from: request, context: context)
            }
        }
        return router
    }

    /// Runs a tool. If its scope is missing, the whole request is rejected, so that the client requests the scope.
    private func result(of call: Call, by caller: MSALPrincipal) async throws -> ToolResult {
        switch call.params?.name {
        case "read_notes":
            return ToolResult(await notes.of(try Owner(caller)).joined(separator: "\n"))
        case "add_note":
            try caller.require(.scope("Notes.Write"))
            guard let text = call.params?.arguments?.text else { return ToolResult("The text of the note is missing.", isError: true) }
            await notes.add(text, for: try Owner(caller))
            return ToolResult("Added.")
        default:
            return ToolResult("There is no such tool.", isError: true)
        }
    }
}

/// The notes of this process. A real server has a database, with the tenant and the object ID of the owner as its key.
actor Notes {
    private var byOwner: [Owner: [String]] = [:]

    func of(_ owner: Owner) -> [String] { byOwner[owner] ?? [] }

    func add(_ text: String, for owner: Owner) { byOwner[owner, default: []].append(text) }
}

/// The owner of notes. Object IDs are unique within their tenant.
struct Owner: Hashable {
    let tenant: String
    let objectId: String

    /// A caller whose token has no object ID owns nothing, because all such callers would share it.
    init(_ caller: MSALPrincipal) throws {
        guard let objectId = caller.objectId, !objectId.isEmpty, !caller.tenant.isEmpty else {
            throw HTTPError(.forbidden, message: "The token names no user: it has no object ID (oid) or no tenant.")
        }
        tenant = caller.tenant
        self.objectId = objectId
    }
}
