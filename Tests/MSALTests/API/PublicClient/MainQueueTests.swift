// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL

/// When the block of an interactive call goes to the main queue. A queue that can be suspended simulates the main
/// queue.
@Suite(.timeLimit(.minutes(1)))
struct MainQueueTests {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "main")
    private let time = ManualTime()

    init() {
        queue.setSpecific(key: Self.key, value: true)
    }

    @Test(arguments: [Duration.zero, .milliseconds(100), .milliseconds(101), .seconds(60)])
    func `a block is sent to a queue that is served`(_ duration: Duration) {
        let main = MainQueue(queue, time: time)
        queue.sync {}

        let call = main.beginCall(nil)
        queue.sync {}
        time.advance(by: duration)

        #expect(location(of: call) == .queue)
    }

    @Test(arguments: [Duration.zero, .milliseconds(100), .milliseconds(101), .seconds(60)])
    func `a block is not sent to a queue that is not served`(_ duration: Duration) {
        queue.suspend()
        defer { queue.resume() }
        let call = MainQueue(queue, time: time).beginCall(nil)

        time.advance(by: duration)

        #expect(location(of: call) == .here)
    }

    @Test func `a queue that was served only at the start does not get the block of a long call`() {
        let main = MainQueue(queue, time: time)
        queue.sync {}
        queue.suspend()
        defer { queue.resume() }

        let call = main.beginCall(nil)
        time.advance(by: .milliseconds(101))

        #expect(location(of: call) == .here)
    }

    @Test func `a queue that has been served since the object was created gets the block of a long call`() {
        queue.suspend()
        let main = MainQueue(queue, time: time)
        queue.resume()

        let call = main.beginCall(nil)
        queue.sync {}
        time.advance(by: .milliseconds(101))

        #expect(location(of: call) == .queue)
    }

    @Test func `a block that does not start within five seconds is logged once, with the remedy`() async throws {
        let main = MainQueue(queue, time: time)
        queue.sync {}
        queue.suspend()
        let id = UUID()
        let call = main.beginCall(id)
        let hasRun = Mutex(false)
        let logged = LoggedIDs()

        try await logged.listen {
            call.run { hasRun.withLock { $0 = true } }
            await time.untilSomebodySleeps()
            time.advance(by: .milliseconds(4999))
            #expect(logged.lines.isEmpty)
            time.advance(by: .milliseconds(1))
            try await until(!logged.lines.isEmpty)
        }

        #expect(logged.lines.first?.contains("completionBlockQueue") == true)
        #expect(logged.all == [id])
        #expect(!hasRun.withLock { $0 })
        queue.resume()
        queue.sync {}
        #expect(hasRun.withLock { $0 })
        #expect(logged.lines.count == 1)
    }

    private enum Location { case here, queue }

    /// Where the block of a call runs. With `queue`, also where it waits.
    private func location(of call: MainQueue.Call) -> Location {
        let isHere = Mutex(false)
        let caller = pthread_self()
        let isOver = Mutex(false)
        call.run { if !isOver.withLock({ $0 }), pthread_self() == caller { isHere.withLock { $0 = true } } }
        isOver.withLock { $0 = true }
        return isHere.withLock { $0 } ? .here : .queue
    }
}
