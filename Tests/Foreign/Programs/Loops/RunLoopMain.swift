// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// A program whose main thread runs the main run loop, as apps with a Foundation interface do.
@main struct RunLoopMain {
    static func main() throws {
        let application = try Bench.application()
        let parameters = MSALInteractiveTokenParameters(scopes: Bench.scopes)
        application.acquireToken(with: parameters) { result, error in
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(Thread.isMainThread, "the block of a sign-in is not on the main thread")
            Bench.expect(error)
            let signOut = MSALSignoutParameters()
            application.signout(with: result?.account, signoutParameters: signOut) { isDone, error in
                dispatchPrecondition(condition: .onQueue(.main))
                Bench.expect(error)
                Bench.expect(isDone, "the account is not signed out")
                Bench.pass()
            }
        }
        RunLoop.main.run()
    }
}
