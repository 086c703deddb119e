// Licensed under the MIT License. See LICENSE.
import Foundation
import Logging
import MSALServer
import MSALValkeyStore
import TestEngines
import Valkey

/// The system's `redis-server`, or the server that `MSAL_VALKEY_SERVER` names, on a socket in a folder.
struct ValkeyServer {
    let engine: Engine
    var address: ValkeyServerAddress { .unixDomainSocket(path: engine.folder.appending(path: "socket").path) }

    static let program = ProcessInfo.processInfo.environment["MSAL_VALKEY_SERVER"] ?? "redis-server"

    init(_ arguments: String..., folder: URL? = nil) async throws {
        try await self.init(arguments, folder: folder)
    }

    init(_ arguments: [String], folder: URL? = nil) async throws {
        let folder = try folder ?? temporaryFolder()
        let common = ["--port", "0", "--unixsocket", "socket", "--save", "", "--pidfile", "server.pid"]
        engine = try await Engine(
            Self.program,
            arguments: common + arguments,
            folder: folder,
            readyText: "ready to accept connections"
        )
    }

    /// Runs a command, and returns the response as the command line prints it. An error of the server is a response, too.
    @discardableResult
    func ask(_ words: [String]) async throws -> String {
        let socket = engine.folder.appending(path: "socket").path
        return try await output(of: "redis-cli", ["-s", socket] + words).trimmingCharacters(in: .newlines)
    }

    /// Waits until a response contains a text.
    func until(_ words: String..., has text: String) async throws {
        while !(try await ask(words)).contains(text) {}
    }

    @discardableResult
    func ask(_ words: String...) async throws -> String { try await ask(words) }

    /// Lets time pass on the server's clock.
    func wait(seconds: Double) async throws {
        try await ask(["BLPOP", "nothing", String(seconds)])
    }

    func withStore<Value: Sendable>(
        _ configuration: ValkeyClientConfiguration = .patient,
        _ body: @Sendable (MSALValkeyStore) async throws -> Value
    ) async throws -> Value {
        try await MSALValkeyStoreTests.withStore(
            ValkeyClient(address, configuration: configuration, logger: silent),
            body
        )
    }
}

let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

extension ValkeyClientConfiguration {
    /// Times out late, so that a busy machine is not a failure.
    static let patient = ValkeyClientConfiguration(commandTimeout: .seconds(60))

    /// Reports each failure immediately. Otherwise the driver would retry by itself what may succeed later.
    static let frank: ValkeyClientConfiguration = {
        var settings = patient
        settings.retryParameters = .init(maxAttempts: 0)
        settings.connectionPool.circuitBreakerTripAfter = .milliseconds(50)
        return settings
    }()
}

extension MSALStoreName {
    /// A name for tests.
    static func named(_ text: String, in partition: String = "user") -> MSALStoreName {
        MSALStoreName(text, in: MSALStorePartition(partition))
    }
}

/// The error that the server sent, such as `OOM`; `nil` without an error.
func code(of body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch let error as ValkeyClientError {
        return error.message?.split(separator: " ").first.map(String.init) ?? "\(error.errorCode)"
    } catch {
        return "\(error)"
    }
}

/// Runs the client while the body uses a store on it.
func withStore<Value: Sendable>(
    _ client: ValkeyClient,
    _ body: @Sendable (MSALValkeyStore) async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await client.run() }
        let value = try await body(MSALValkeyStore(client))
        group.cancelAll()
        return value
    }
}
