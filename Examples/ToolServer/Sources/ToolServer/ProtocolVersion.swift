// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// The rules that a call follows (Model Context Protocol, "Versioning and Compatibility").
enum ProtocolVersion {
    /// Each request names its version, and its headers repeat what intermediaries read.
    case perRequest
    /// The client has begun with `initialize`.
    case session

    static let current = "2026-07-28"
    static let sessions = ["2025-11-25", "2025-06-18"]
    static let all = [current] + sessions

    /// Finds the rules, and checks the headers against the body.
    init(of call: Call, id: CallID, headers: HTTPFields) throws {
        func mismatch(_ name: String) -> Refusal {
            Refusal(id: id, code: -32020, "The header \(name) is missing or differs from the body.", status: .badRequest)
        }
        func value(_ name: String) throws -> String? {
            let values = headers.filter { $0.name.rawName.lowercased() == name.lowercased() }.map(\.value)
            guard values.count <= 1, values.allSatisfy({ $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }) else { throw mismatch(name) }
            return values.first
        }
        let header = try value("MCP-Protocol-Version")
        let meta = call.params?.meta?.protocolVersion
        if meta == nil, header != Self.current, call.method == "initialize" {
            self = .session
            return
        }
        guard let header, meta == nil || meta == header else { throw mismatch("MCP-Protocol-Version") }
        guard Self.all.contains(header) else {
            throw Refusal(
                id: id,
                code: -32022,
                "Unsupported protocol version",
                versions: .init(supported: Self.all, requested: header),
                status: .badRequest
            )
        }
        guard header == Self.current else {
            self = .session
            return
        }
        guard meta != nil, call.params?.meta?.hasCapabilities == true else {
            throw Refusal.invalidParameters("_meta has no protocolVersion or no clientCapabilities.", id: id)
        }
        guard try value("Mcp-Method") == call.method else { throw mismatch("Mcp-Method") }
        if call.method == "tools/call" {
            guard let name = call.params?.name else { throw Refusal.invalidParameters("The name of the tool is missing.", id: id) }
            guard let encoded = try value("Mcp-Name"), Self.decoded(encoded) == name else { throw mismatch("Mcp-Name") }
        }
        self = .perRequest
    }

    /// A value that is encoded as `=?base64?…?=` if it is not plain ASCII.
    private static func decoded(_ value: String) -> String? {
        guard value.hasPrefix("=?base64?"), value.hasSuffix("?="), value.utf8.count >= 11 else { return value }
        return Data(base64Encoded: String(value.dropFirst(9).dropLast(2))).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
