// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALServer
import NIOCore
import NIOPosix

/// A store in another process, which a test can kill, and which misbehaves on request. Each request has a connection.
package struct SocketStore: MSALDistributedTokenStore {
    /// The store's response does not match the request.
    struct Nonsense: Error {}

    private let socket: String

    /// The store that listens on this Unix socket.
    package init(socket: String) {
        self.socket = socket
    }

    package func behave(_ behavior: StoreBehavior) async throws {
        guard case .done = try await answer(to: .behave(behavior)) else { throw Nonsense() }
    }

    package func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        guard case .entries(let entries) = try await answer(to: .read(names.map(NameText.init))) else {
            throw Nonsense()
        }
        return entries.map { $0?.entry }
    }

    package func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        let write = StoreWrite(
            value: value,
            name: NameText(name),
            nanoseconds: expiresIn.wholeNanoseconds,
            condition: StoreWrite.Condition(condition),
            lease: lease?.number
        )
        guard case .written(let isWritten) = try await answer(to: .write(write)) else { throw Nonsense() }
        return isWritten
    }

    package func remove(_ names: [MSALStoreName]) async throws {
        guard case .done = try await answer(to: .remove(names.map(NameText.init))) else { throw Nonsense() }
    }

    package func removeAll(in partition: MSALStorePartition) async throws {
        guard case .done = try await answer(to: .removeAll(partition: partition.text)) else { throw Nonsense() }
    }

    package func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        let question = StoreQuestion.lease(NameText(name), nanoseconds: duration.wholeNanoseconds)
        guard case .lease(let number) = try await answer(to: question) else { throw Nonsense() }
        return number.map { SocketLease(name: name, number: $0) }
    }

    package func release(_ lease: any MSALStoreLease) async throws {
        let question = StoreQuestion.release(NameText(lease.name), number: lease.number)
        guard case .done = try await answer(to: question) else { throw Nonsense() }
    }

    private func answer(to question: StoreQuestion) async throws -> StoreAnswer {
        let line = try JSONEncoder().encode(question) + [Lines.end]
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: socket) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: line))
            guard let line = try await Lines.first(of: inbound) else { throw Nonsense() }
            return try JSONDecoder().decode(StoreAnswer.self, from: line)
        }
    }
}

/// Lines on a connection.
enum Lines {
    static let end = UInt8(ascii: "\n")
    /// A value of a store has at most 64 KiB, which JSON makes four times larger. A request may have 32 values.
    private static let mostBytes = 16 << 20

    /// The first line; `nil` if the connection ends before, or if it is too long.
    static func first(of inbound: NIOAsyncChannelInboundStream<ByteBuffer>) async throws -> Data? {
        var line = Data()
        for try await piece in inbound {
            line.append(contentsOf: piece.readableBytesView)
            if line.last == end { return line.dropLast() }
            if line.count > mostBytes { return nil }
        }
        return nil
    }
}
