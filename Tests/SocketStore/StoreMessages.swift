// Licensed under the MIT License. See LICENSE.

import MSALServer

/// A request to a store in another process: one line of JSON.
enum StoreQuestion: Codable {
    case read([NameText])
    case write(StoreWrite)
    case remove([NameText])
    case removeAll(partition: String)
    case lease(NameText, nanoseconds: Int64)
    case release(NameText, number: UInt64)
    /// Sets the store's behavior from now on.
    case behave(StoreBehavior)
}

/// How the store responds.
package enum StoreBehavior: String, Codable, Sendable, CaseIterable {
    case good
    /// It closes the connection in the middle of its response.
    case cuts
    /// It performs the request and closes the connection without a response.
    case hangsUp
    /// Its response is not JSON.
    case garbage
    /// Its response is for another request.
    case wrongAnswer
    /// Its response never ends.
    case endless
    /// It never responds, and keeps the connection open.
    case silent
}

struct NameText: Codable {
    let partition: String
    let text: String

    init(_ name: MSALStoreName) {
        partition = name.partition.text
        text = name.text
    }

    var name: MSALStoreName { MSALStoreName(text, in: MSALStorePartition(partition)) }
}

struct StoreWrite: Codable {
    enum Condition: Codable {
        case always, absent
        case version(UInt64)

        init(_ condition: MSALWriteCondition) {
            switch condition {
            case .always: self = .always
            case .absent: self = .absent
            case .version(let version): self = .version(version.number)
            }
        }

        var condition: MSALWriteCondition {
            switch self {
            case .always: .always
            case .absent: .absent
            case .version(let number): .version(MSALStoreVersion(number))
            }
        }
    }

    let value: [UInt8]
    let name: NameText
    let nanoseconds: Int64
    let condition: Condition
    /// The number of the writer's lease.
    let lease: UInt64?
}

/// The response: one line of JSON.
enum StoreAnswer: Codable {
    struct Entry: Codable {
        let value: [UInt8]
        let version: UInt64
        let nanoseconds: Int64

        init(_ entry: MSALStoreEntry) {
            value = entry.value
            version = entry.version.number
            nanoseconds = entry.expiresIn.wholeNanoseconds
        }

        var entry: MSALStoreEntry {
            MSALStoreEntry(value: value, version: MSALStoreVersion(version), expiresIn: .nanoseconds(nanoseconds))
        }
    }

    case entries([Entry?])
    case written(Bool)
    case lease(UInt64?)
    case done
}

struct SocketLease: MSALStoreLease {
    let name: MSALStoreName
    let number: UInt64
}

extension Duration {
    /// Three centuries at most.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, -9_000_000_000), 9_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
