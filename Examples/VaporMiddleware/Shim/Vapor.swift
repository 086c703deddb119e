// Licensed under the MIT License. See LICENSE.

// The few types of Vapor 4 that MSALMiddleware.swift uses, with their documented declarations. Only the type
// check uses them.
public import NIOCore
public import NIOHTTP1

public typealias HTTPHeaders = NIOHTTP1.HTTPHeaders
public typealias HTTPResponseStatus = NIOHTTP1.HTTPResponseStatus

public protocol StorageKey {
    associatedtype Value: Sendable
}

public struct Storage: Sendable {
    public subscript<Key: StorageKey>(_: Key.Type) -> Key.Value? {
        get { nil }
        set { _ = newValue }
    }
}

public struct URI: Sendable {
    public var path = ""
    public var query: String?
}

public final class Request: Sendable {
    public var method: HTTPMethod { .GET }
    public var url: URI { URI() }
    public var headers: HTTPHeaders { HTTPHeaders() }
    public var remoteAddress: SocketAddress? { nil }
    public var storage: Storage {
        get { Storage() }
        set { _ = newValue }
    }
}

public final class Response: Sendable {
    public convenience init(status: HTTPResponseStatus = .ok, headers: HTTPHeaders = HTTPHeaders()) { self.init() }
    private init() {}
}

public protocol AsyncResponder: Sendable {
    func respond(to request: Request) async throws -> Response
}

public protocol AsyncMiddleware: Sendable {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}
