// Licensed under the MIT License. See LICENSE.

import Bench
import Dispatch
import MSAL

/// A program that sets one queue for all its blocks, and others for some.
@main struct DefaultQueue {
    static func main() throws {
        let queue = DispatchQueue(label: "all blocks")
        let other = DispatchQueue(label: "some blocks")
        MSALGlobalConfig.defaultCompletionBlockQueue = queue
        let application = try Bench.application()
        let done = DispatchSemaphore(value: 0)
        func wait(_ line: UInt = #line) {
            Bench.expect(done.wait(timeout: .now() + 60) == .success, "a block never ran", line: line)
        }

        application.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { _, error in
            dispatchPrecondition(condition: .onQueue(queue))
            Bench.expect(error)
            done.signal()
        }
        wait()
        let account = try application.allAccounts().first
        let silent = MSALSilentTokenParameters(scopes: Bench.scopes, account: account)
        application.acquireTokenSilent(with: silent) { _, error in
            dispatchPrecondition(condition: .onQueue(queue))
            Bench.expect(error)
            done.signal()
        }
        wait()
        application.getCurrentAccount(with: nil) { _, _, error in
            dispatchPrecondition(condition: .onQueue(queue))
            Bench.expect(error)
            done.signal()
        }
        wait()
        silent.completionBlockQueue = other
        application.acquireTokenSilent(with: silent) { _, error in
            dispatchPrecondition(condition: .onQueue(other))
            Bench.expect(error)
            done.signal()
        }
        wait()
        silent.completionBlockQueue = nil
        silent.scopes = ["openid"]
        application.acquireTokenSilent(with: silent) { _, error in
            dispatchPrecondition(condition: .onQueue(queue))
            Bench.expect(error != nil, "a reserved scope was accepted")
            done.signal()
        }
        wait()
        Bench.pass()
    }
}
