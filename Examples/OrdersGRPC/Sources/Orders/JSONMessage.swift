// Licensed under the MIT License. See LICENSE.

import Foundation
public import GRPCCore

/// Messages in JSON. A service with Protocol Buffers uses the coders of its generated code; with JSON, this example needs no
/// code generator.
public struct JSONMessage<Message: Codable & Sendable>: MessageSerializer, MessageDeserializer {
    public init() {}

    public func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        Bytes(try JSONEncoder().encode(message))
    }

    public func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        do {
            return try JSONDecoder().decode(Message.self, from: bytes.withUnsafeBytes { Data($0) })
        } catch {
            throw RPCError(code: .invalidArgument, message: "The message is not the JSON of this method.")
        }
    }
}
