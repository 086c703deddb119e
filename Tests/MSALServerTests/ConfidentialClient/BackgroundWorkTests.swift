// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALServer
import TestSupport
import Testing

/// The end of a process waits for background work, up to a limit.
struct BackgroundWorkTests {
    @Test func `the wait ends at its limit, and reports that work continues`() async {
        let (work, time, flag) = (BackgroundWork(), ManualTime(), AtomicFlag())
        work.run { while !flag.isSet { await Task.yield() } }

        let wait = Task { await work.finish(within: .seconds(10), time: time) }
        await time.untilSomebodySleeps()
        time.advance(by: .seconds(10))
        let isDone = await wait.value
        flag.set()
        let isDoneLater = await work.finish(within: .seconds(10), time: time)

        #expect(!isDone)
        #expect(isDoneLater)
    }
}
