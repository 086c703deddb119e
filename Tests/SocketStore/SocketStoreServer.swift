// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import MSALStoreConformance
import NIOCore
import NIOPosix
import Synchronization

/// Serves a store in the memory of this process on a Unix socket, correctly or with faults.
package final class SocketStoreServer: Sendable {
    private let store = MSALMemoryStore()
    private let behavior = Mutex(StoreBehavior.good)
    private let lastMoment = Mutex(ContinuousClock.now)

    package init() {}

    /// Listens until the task is canceled. `ready` is called when connections are accepted.
    package func run(socket: String, ready: @Sendable () -> Void) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(unixDomainSocketPath: socket, cleanupExistingSocketFile: true) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        ready()
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask {
                        // A broken connection concerns only its caller.
                        try? await self.serve(connection)
                    }
                }
            }
        }
    }

    private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await connection.executeThenClose { inbound, outbound in
            guard let line = try await Lines.first(of: inbound) else { return }
            let question = try JSONDecoder().decode(StoreQuestion.self, from: line)
            let answer = try JSONEncoder().encode(try await answer(to: question)) + [Lines.end]
            var behavior = behavior.withLock { $0 }
            if case .behave = question { behavior = .good }
            switch behavior {
            case .good: try await outbound.write(ByteBuffer(bytes: answer))
            case .cuts: try await outbound.write(ByteBuffer(bytes: answer.prefix(answer.count / 2)))
            case .hangsUp: return
            case .garbage: try await outbound.write(ByteBuffer(string: "{\"entries\":\u{0}\n"))
            case .wrongAnswer:
                let other = try JSONEncoder().encode(StoreAnswer.entries([nil, nil, nil, nil, nil])) + [Lines.end]
                try await outbound.write(ByteBuffer(bytes: other))
            case .endless:
                while !Task.isCancelled { try await outbound.write(ByteBuffer(repeating: 0x20, count: 1 << 16)) }
            case .silent:
                // The caller closes the connection when it gives up.
                for try await _ in inbound {}
            }
        }
    }

    private func answer(to question: StoreQuestion) async throws -> StoreAnswer {
        letTimePass()
        switch question {
        case .read(let names):
            return .entries(try await store.read(names.map(\.name)).map { $0.map(StoreAnswer.Entry.init) })
        case .write(let write):
            return .written(
                try await store.write(
                    write.value,
                    to: write.name.name,
                    expiresIn: .nanoseconds(write.nanoseconds),
                    if: write.condition.condition,
                    lease: write.lease.map { SocketLease(name: write.name.name, number: $0) }
                )
            )
        case .remove(let names):
            try await store.remove(names.map(\.name))
        case .removeAll(let partition):
            try await store.removeAll(in: MSALStorePartition(partition))
        case .lease(let name, let nanoseconds):
            return .lease(try await store.lease(on: name.name, for: .nanoseconds(nanoseconds))?.number)
        case .release(let name, let number):
            try await store.release(SocketLease(name: name.name, number: number))
        case .behave(let new):
            behavior.withLock { $0 = new }
        }
        return .done
    }

    /// The clock of the in-memory store stands still unless it is moved.
    private func letTimePass() {
        let now = ContinuousClock.now
        let passed = lastMoment.withLock { last in
            defer { last = now }
            return now - last
        }
        store.advance(by: passed)
    }
}
