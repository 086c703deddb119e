// Licensed under the MIT License. See LICENSE.

import Foundation
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

        /// The version and the capabilities of the client, since 2026-07-28.
        struct Meta: Decodable, Sendable {
            let protocolVersion: String?
            let hasCapabilities: Bool

            private enum CodingKeys: String, CodingKey {
                case protocolVersion = "io.modelcontextprotocol/protocolVersion"
                case capabilities = "io.modelcontextprotocol/clientCapabilities"
            }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                protocolVersion = try values.decodeIfPresent(String.self, forKey: .protocolVersion)
                hasCapabilities = (try? values.nestedContainer(keyedBy: CodingKeys.self, forKey: .capabilities)) != nil
            }
        }

        let protocolVersion: String?
        let name: String?
        let arguments: Arguments?
        let meta: Meta?

        private enum CodingKeys: String, CodingKey {
            case protocolVersion, name, arguments
            case meta = "_meta"
        }
    }

    let id: CallID?
    let method: String
    let params: Parameters?

    private enum CodingKeys: CodingKey { case jsonrpc, id, method, params }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        // A notification has no ID. `null` is not an ID (Model Context Protocol, "Requests").
        id = try values.contains(.id) ? values.decodeAs(CallID.self, .id, orElse: .invalidRequest("The ID is not valid.")) : nil
        method = try values.decodeAs(String.self, .method, orElse: .invalidRequest("The method is missing.", id: id))
        guard try values.decodeAs(String.self, .jsonrpc, orElse: .invalidRequest("The version is missing.", id: id)) == "2.0"
        else { throw Refusal.invalidRequest("The version of JSON-RPC is not 2.0.", id: id) }
        params =
            try values.contains(.params)
            ? values.decodeAs(Parameters.self, .params, orElse: .invalidParameters("A parameter is not valid.", id: id)) : nil
    }

    /// Reads the body of a request.
    init(_ body: ByteBuffer) throws {
        do {
            self = try JSONDecoder().decode(Call.self, from: Data(body.readableBytesView))
        } catch DecodingError.dataCorrupted {
            throw Refusal(id: nil, code: -32700, "The body is not JSON.", status: .badRequest)
        } catch is DecodingError {
            throw Refusal.invalidRequest("The body is not a single request.")
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeAs<Value: Decodable>(_ type: Value.Type, _ key: Key, orElse refusal: Refusal) throws -> Value {
        do {
            return try decode(type, forKey: key)
        } catch {
            throw refusal
        }
    }
}

/// The response to a call. Every result says that it is complete, and who the server is.
struct Answer<Result: Encodable & Sendable>: ResponseEncodable, Sendable {
    struct Whole: Encodable, Sendable {
        let result: Result

        private enum CodingKeys: String, CodingKey { case resultType, meta = "_meta" }

        func encode(to encoder: any Encoder) throws {
            try result.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode("complete", forKey: .resultType)
            try members.encode(["io.modelcontextprotocol/serverInfo": Server()], forKey: .meta)
        }
    }

    var jsonrpc = "2.0"
    let id: CallID
    let result: Whole
}

/// The response to a call that failed, or that the server does not support.
struct Refusal: HTTPResponseError, Encodable, Sendable {
    struct Reason: Encodable, Sendable {
        struct Versions: Encodable, Sendable {
            let supported: [String]
            let requested: String
        }

        let code: Int
        let message: String
        var data: Versions?
    }

    var jsonrpc = "2.0"
    let id: CallID?
    let error: Reason
    let status: HTTPResponse.Status

    private enum CodingKeys: CodingKey { case jsonrpc, id, error }

    init(id: CallID?, code: Int, _ message: String, versions: Reason.Versions? = nil, status: HTTPResponse.Status) {
        self.id = id
        error = Reason(code: code, message: message, data: versions)
        self.status = status
    }

    static func invalidRequest(_ message: String, id: CallID? = nil) -> Refusal {
        Refusal(id: id, code: -32600, message, status: .badRequest)
    }

    static func invalidParameters(_ message: String, id: CallID?) -> Refusal {
        Refusal(id: id, code: -32602, message, status: .badRequest)
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: try JSONEncoder().encode(self)))
        )
    }
}

struct Nothing: Encodable, Sendable {}

/// The server's name for people and logs.
struct Server: Encodable, Sendable { var name = "Notes", version = "1.0" }

struct Capabilities: Encodable, Sendable { var tools = Nothing() }

/// The server's description of itself, for a client that begins with `initialize`.
struct Greeting: Encodable, Sendable {
    let protocolVersion: String
    var capabilities = Capabilities()
    var serverInfo = Server()

    init(_ requested: String?) {
        protocolVersion = ProtocolVersion.sessions.first { $0 == requested } ?? ProtocolVersion.sessions[0]
    }
}

/// The same for a client that begins with any request.
struct Discovery: Encodable, Sendable {
    var supportedVersions = ProtocolVersion.all
    var capabilities = Capabilities()
    var ttlMs = 3_600_000
    var cacheScope = "public"
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
