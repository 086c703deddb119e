// Licensed under the MIT License. See LICENSE.

import Bench
import Dispatch
import MSAL

/// A command-line program whose main thread waits for the block: the main queue is never served.
@main struct BlockedMain {
    static func main() throws {
        let application = try Bench.application()
        let done = DispatchSemaphore(value: 0)
        application.acquireToken(with: MSALInteractiveTokenParameters(scopes: Bench.scopes)) { _, error in
            dispatchPrecondition(condition: .notOnQueue(.main))
            Bench.expect(error)
            done.signal()
        }
        Bench.expect(done.wait(timeout: .now() + 60) == .success, "the block of a sign-in never ran")

        let account = try application.allAccounts().first
        application.signout(with: account, signoutParameters: MSALSignoutParameters()) { _, error in
            dispatchPrecondition(condition: .notOnQueue(.main))
            Bench.expect(error)
            done.signal()
        }
        Bench.expect(done.wait(timeout: .now() + 60) == .success, "the block of a sign-out never ran")

        DispatchQueue.global().async {
            application.acquireToken(with: MSALInteractiveTokenParameters(scopes: ["openid"])) { _, error in
                Bench.expect(error != nil, "a reserved scope is accepted")
                done.signal()
            }
        }
        Bench.expect(done.wait(timeout: .now() + 60) == .success, "the block of a rejected sign-in never ran")
        Bench.pass()
    }
}
