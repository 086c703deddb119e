// Licensed under the MIT License. See LICENSE.

import Hummingbird

/// The number or the text with which a client identifies the response to its call (JSON-RPC 2.0 §4).
enum CallID: Codable, Sendable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self = if let number = try? value.decode(Int.self) { .number(number) } else { .text(try value.decode(String.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        }
    }
}

/// A call of a client, or a notification, which has no ID.
struct Call: Decodable, Sendable {
    struct Parameters: Decodable, Sendable {
        struct Arguments: Decodable, Sendable {
            let text: String?
        }

        let protocolVersion: String?
        let name: String?
        let arguments: Arguments?
    }

    let id: CallID?
    let method: String
    let params: Parameters?
}

/// The response to a call.
struct Answer<Result: Encodable & Sendable>: ResponseEncodable, Sendable {
    var jsonrpc = "2.0"
    let id: CallID
    let result: Result
}

/// The response to a call that the server does not support.
struct Refusal: ResponseEncodable, Sendable {
    struct Reason: Encodable, Sendable {
        let code: Int
        let message: String
    }

    var jsonrpc = "2.0"
    let id: CallID
    let error: Reason

    init(id: CallID, method: String) {
        self.id = id
        error = Reason(code: -32601, message: "There is no method \(method).")
    }
}

struct Nothing: Encodable, Sendable {}

/// The server's description of itself.
struct Greeting: Encodable, Sendable {
    struct Capabilities: Encodable, Sendable { var tools = Nothing() }
    struct Server: Encodable, Sendable { var name = "Notes", version = "1.0" }

    private static let versions = ["2025-11-25", "2025-06-18", "2025-03-26"]

    let protocolVersion: String
    var capabilities = Capabilities()
    var serverInfo = Server()

    init(_ asked: String?) {
        protocolVersion = Self.versions.first { $0 == asked } ?? Self.versions[0]
    }
}

struct ToolList: Encodable, Sendable {
    struct Tool: Encodable, Sendable {
        let name: String
        let description: String
        let inputSchema: Schema
    }

    struct Schema: Encodable, Sendable {
        struct Property: Encodable, Sendable { var type = "string" }

        var type = "object"
        var properties: [String: Property] = [:]
        var required: [String] = []
    }

    var tools = [
        Tool(name: "read_notes", description: "Reads your notes.", inputSchema: Schema()),
        Tool(
            name: "add_note",
            description: "Adds a note.",
            inputSchema: Schema(properties: ["text": Schema.Property()], required: ["text"])
        ),
    ]
}

struct ToolResult: Encodable, Sendable {
    struct Content: Encodable, Sendable {
        var type = "text"
        let text: String
    }

    let content: [Content]
    let isError: Bool

    init(_ text: String, isError: Bool = false) {
        content = [Content(text: text)]
        self.isError = isError
    }
}
