// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import SealedStore

/// The order in which a thread may take the locks of a store (docs/reference/Store.md#lock-order).
@Suite struct LockOrderTests {
    private static let ranks: [LockRank] = [.ending, .keying, .directory, .open, .recovery, .opening, .reading]

    /// On a separate thread, which starts without a lock.
    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    @Test func `locks may be taken from the first to the last`() async {
        await onThread {
            for rank in Self.ranks { #expect(rank.take(), "\(rank)") }
            for rank in Self.ranks.reversed() { #expect(rank.release()) }
            #expect(LockRank.ending.canBeAcquired)
        }
    }

    @Test(arguments: LockOrderTests.ranks)
    func `a thread that holds a lock may take neither it nor one before it`(held: LockRank) async {
        await onThread {
            #expect(held.take())
            for rank in Self.ranks { #expect(rank.canBeAcquired == (rank.rawValue > held.rawValue), "\(rank)") }
            #expect(held.release())
        }
    }

    @Test func `a lock that is not waited for may be taken at any time`() async {
        await onThread {
            #expect(LockRank.reading.take())
            #expect(LockRank.ending.take(mayWait: false))
            #expect(!LockRank.opening.canBeAcquired)
            #expect(LockRank.ending.release())
            #expect(!LockRank.opening.canBeAcquired)
            #expect(LockRank.reading.release())
        }
    }
}
