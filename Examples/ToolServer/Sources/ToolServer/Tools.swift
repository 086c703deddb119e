// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALServer

/// The tools, with the scopes that each one needs.
struct Tools: Sendable {
    struct Tool: Encodable, Sendable {
        struct Schema: Encodable, Sendable {
            struct Property: Encodable, Sendable { var type = "string" }

            var type = "object"
            var properties: [String: Property] = [:]
            var required: [String] = []
        }

        let name: String
        let description: String
        var inputSchema = Schema()
    }

    /// The tools in a fixed order, so that clients can cache the list.
    struct List: Encodable, Sendable {
        let tools: [Tool]
        var ttlMs = 300_000
        var cacheScope = "public"
    }

    /// The data of the user that Microsoft Graph has.
    private struct Profile: Decodable { let displayName: String? }

    let settings: Settings
    private let notes = Notes()

    init(_ settings: Settings) {
        self.settings = settings
    }

    var list: List {
        let tools = [
            Tool(name: "read_notes", description: "Reads your notes."),
            Tool(
                name: "add_note",
                description: "Adds a note.",
                inputSchema: Tool.Schema(properties: ["text": Tool.Schema.Property()], required: ["text"])
            ),
            Tool(name: "take_notes", description: "Reads your notes, and deletes them."),
        ]
        let graph = Tool(name: "my_name", description: "Reads your name from Microsoft Graph.")
        return List(tools: settings.application == nil ? tools : tools + [graph])
    }

    /// Runs a tool. If a scope is missing, the whole request is rejected with all scopes of the tool, so that the client
    /// requests them at once.
    func call(_ name: String?, text: String?, id: CallID, by caller: MSALPrincipal) async throws -> ToolResult {
        let (read, write) = (MSALRequirement.scope(settings.readScope), MSALRequirement.scope(settings.writeScope))
        switch name {
        case "read_notes":
            try caller.require(read)
            return ToolResult(await notes.of(try Owner(caller)).joined(separator: "\n"))
        case "add_note":
            try caller.require(write)
            guard let text else { return ToolResult("The text of the note is missing.", isError: true) }
            await notes.add(text, for: try Owner(caller))
            return ToolResult("Added.")
        case "take_notes":
            try caller.require(.all(read, write))
            return ToolResult(await notes.take(from: try Owner(caller)).joined(separator: "\n"))
        case "my_name" where settings.application != nil:
            try caller.require(read)
            return try await displayName(of: caller)
        default:
            throw Refusal(id: id, code: -32602, "Unknown tool: \(name ?? "")", status: .ok)
        }
    }

    /// Calls Microsoft Graph on behalf of the user.
    private func displayName(of caller: MSALPrincipal) async throws -> ToolResult {
        guard let application = settings.application else { return ToolResult("", isError: true) }
        let graph = try MSALDownstreamAPI(
            baseURL: settings.graph,
            scopes: ["https://graph.microsoft.com/User.Read"],
            as: .user(application, caller)
        )
        return ToolResult(try await graph.json(Profile.self, from: "me").displayName ?? "You have no name.")
    }
}

/// The notes of this process. A real server has a database, with the tenant and the object ID of the owner as its key.
actor Notes {
    private var byOwner: [Owner: [String]] = [:]

    func of(_ owner: Owner) -> [String] { byOwner[owner] ?? [] }

    func add(_ text: String, for owner: Owner) { byOwner[owner, default: []].append(text) }

    func take(from owner: Owner) -> [String] { byOwner.removeValue(forKey: owner) ?? [] }
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
