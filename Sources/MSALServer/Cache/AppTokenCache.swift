// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The tokens of applications in the memory of this process.
package final class AppTokenCache: Sendable {
    /// A client in a cloud. It is a number, so that a look-up compares no names.
    package struct Partition: Sendable, Hashable {
        fileprivate let number: UInt32
    }

    /// The name of a client in a cloud.
    private struct PartitionName: Hashable {
        let environment: String
        let clientID: String
    }

    private let partitions = Mutex<[PartitionName: Partition]>([:])
    private let tokens = Mutex<[AppTokenKey: AppToken]>([:])

    package init() {}

    /// The partition of a client. Two objects with the same names share it.
    package func partition(environment: String, clientID: String) -> Partition {
        partitions.withLock { partitions in
            let name = PartitionName(environment: environment, clientID: clientID)
            if let known = partitions[name] { return known }
            let partition = Partition(number: UInt32(partitions.count))
            partitions[name] = partition
            return partition
        }
    }

    /// The token for `key`, which may have expired.
    package func token(for key: AppTokenKey, at now: Int64) -> AppToken? {
        guard let token = tokens.withLock({ $0[key] }) else { return nil }
        token.touch(at: now)
        return token
    }

    /// Keeps a token in place of the one that was there.
    package func store(_ token: AppToken, for key: AppTokenKey) {
        tokens.withLock { $0[key] = token }
    }
}
