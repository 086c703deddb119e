// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The body of a request, which notes the first access to its bytes. The client reads them when it writes the body. By then
/// the head of the request was written to a connection.
struct ObservedBody: RandomAccessCollection, Sendable {
    let bytes: Data
    let sent: AtomicFlag

    var startIndex: Int { bytes.startIndex }
    var endIndex: Int { bytes.endIndex }

    subscript(position: Int) -> UInt8 {
        sent.set()
        return bytes[position]
    }

    func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        sent.set()
        return try bytes.withContiguousStorageIfAvailable(body)
    }
}
