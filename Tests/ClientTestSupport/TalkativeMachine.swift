// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSAL
import MSALBase
package import MSALCore
package import SealedStore
import Synchronization

/// The log lines that were written during a call, with their correlation IDs.
package final class LoggedIDs: Sendable {
    private let list = Mutex<[(id: UUID?, line: String)]>([])

    package init() {}

    /// The IDs of the lines, in order.
    package var all: [UUID?] { list.withLock { $0.map(\.id) } }

    /// The lines themselves.
    package var lines: [String] { list.withLock { $0.map(\.line) } }

    /// Runs a call and collects its lines.
    package func listen<Value>(_ call: () async throws -> Value) async rethrows -> Value {
        let listener = Log.Listener { _, line in
            self.list.withLock { $0.append((Log.correlationID, line)) }
        }
        return try await Log.$listener.withValue(listener) { try await call() }
    }
}

/// A store in memory that writes a line whenever it is used.
package struct TalkativeStore: TokenStore {
    private let base = MemoryStore()

    package init() {}

    package var isPrepared: Bool { false }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {
        Log.verbose("The store was opened.")
    }

    package func changeCounter() throws(StoreError) -> Int64 {
        Log.verbose("The store was asked whether it changed.")
        return try base.changeCounter()
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        Log.verbose("The store was read.")
        return try base.read(body)
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        Log.verbose("The store was written.")
        return try base.write(durability, body: body)
    }
}

/// A transport that writes a line for each message, without looking at its headers.
package struct TalkativeTransport: HTTPTransport {
    private let base: any HTTPTransport

    package init(_ base: any HTTPTransport) {
        self.base = base
    }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        Log.verbose("A message was sent.")
        return try await base.send(message)
    }
}
