// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Collects the body of a refusal, which is read in pieces, up to a limit.
final class GraphReason: Sendable {
    private static let maximumLength = 64 << 10

    private let collected = Mutex(Data())

    var bytes: Data { collected.withLock(\.self) }

    func append(_ piece: Data) {
        collected.withLock { $0.append(piece.prefix(Self.maximumLength - $0.count)) }
    }
}
