// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL
import Synchronization

/// A program that serves the main queue for a moment at its start and then waits for its blocks.
///
/// The block of its sign-in still runs. That of a sign-out, which finishes immediately, is scheduled according to the state at
/// the start, and waits: the log names the remedy.
@main struct BriefRunLoop {
    static func main() throws {
        let remedies = Mutex(0)
        let told = DispatchSemaphore(value: 0)
        MSALGlobalConfig.loggerConfig.logLevel = .error
        MSALGlobalConfig.loggerConfig.setLogCallback { _, line, _ in
            guard line?.contains("completionBlockQueue") == true else { return }
            remedies.withLock { $0 += 1 }
            told.signal()
        }
        let application = try Bench.application()
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))

        let done = DispatchSemaphore(value: 0)
        application.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { _, error in
            dispatchPrecondition(condition: .notOnQueue(.main))
            Bench.expect(error)
            done.signal()
        }
        Bench.expect(done.wait(timeout: .now() + 60) == .success, "the block of a sign-in never ran")

        let account = try application.allAccounts().first
        application.signout(with: account, signoutParameters: MSALSignoutParameters()) { _, error in
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(error)
            Bench.expect(remedies.withLock { $0 } == 1, "the remedy was logged \(remedies.withLock { $0 }) times")
            Bench.pass()
        }
        Bench.expect(told.wait(timeout: .now() + 60) == .success, "the log does not say why the block waits")
        RunLoop.main.run()
    }
}
