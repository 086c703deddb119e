// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL
import Synchronization

/// A program with an asynchronous `main` whose main thread runs a loop that does not serve the main queue, such as GTK's. The
/// queue was served before, so the application object's probe ran.
@main struct ForeignLoop {
    static func main() async throws {
        let application = try Bench.application()
        try await Task.sleep(for: .milliseconds(300))

        let loop = PollLoop()
        application.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { _, error in
            dispatchPrecondition(condition: .notOnQueue(.main))
            Bench.expect(error)
            loop.add { loop.quit() }
        }
        loop.run(atMost: 60)
        Bench.pass()
    }
}

/// A main loop based on `poll`, with an `add` that any thread may call, like `g_idle_add`.
final class PollLoop: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])
    private let isOver = Mutex(false)
    private let pipe = Pipe()

    func add(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0.append(work) }
        pipe.fileHandleForWriting.write(Data([0]))
    }

    func quit() {
        isOver.withLock { $0 = true }
    }

    func run(atMost seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds)
        while !isOver.withLock({ $0 }) {
            Bench.expect(Date() < end, "the block of a sign-in never ran")
            var descriptor = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 100) > 0 else { continue }
            _ = pipe.fileHandleForReading.availableData
            let waiting = work.withLock { work in
                defer { work = [] }
                return work
            }
            for piece in waiting { piece() }
        }
    }
}
