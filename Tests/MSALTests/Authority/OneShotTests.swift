// Licensed under the MIT License. See LICENSE.

import Synchronization
import Testing

@testable import MSAL
@testable import MSALCore

@Suite(.timeLimit(.minutes(1)))
struct OneShotTests {
    @Test func `the first result is used`() async {
        let result = await OneShotSource<Int>.value { source in
            source.settle(1)
            source.settle(2)
        }

        #expect(result == 1)
    }

    @Test func `a block that is released without a call has no result`() async {
        let result = await OneShotSource<Int>.value { _ in }

        #expect(result == nil)
    }

    @Test func `cancellation ends the wait for a retained block`() async {
        let kept = Mutex<OneShotSource<Int>?>(nil)
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let task = Task {
            await OneShotSource<Int>.value { source in
                kept.withLock { $0 = source }
                asking.yield()
            }
        }
        for await _ in asked.prefix(1) {}

        task.cancel()

        #expect(await task.value == nil)
        kept.withLock { $0?.settle(1) }
    }

    @Test func `a canceled task does not call the block`() async {
        let isAsked = Mutex(false)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await OneShotSource<Int>.value { _ in isAsked.withLock { $0 = true } }
        }

        #expect(await task.value == nil)
        #expect(isAsked.withLock { $0 } == false)
    }
}
