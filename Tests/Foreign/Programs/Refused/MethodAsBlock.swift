// Licensed under the MIT License. See LICENSE.

import MSAL

/// A main-actor method as a block.
@MainActor
final class Screen {
    func show(_ result: MSALResult?, _ error: (any Error)?) {}

    func signIn(_ application: MSALPublicClientApplication, _ parameters: MSALInteractiveTokenParameters) {
        application.acquireToken(with: parameters, completionBlock: show)
    }
}
