// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSAL

/// Fixes for the code that Swift 6 rejects.
@MainActor
final class Screen {
    var events = 0

    func show(_ result: MSALResult?, _ error: (any Error)?) {}

    func signIn(_ application: MSALPublicClientApplication, _ parameters: MSALInteractiveTokenParameters) {
        application.acquireToken(with: parameters) { result, error in
            DispatchQueue.main.async { self.show(result, error) }
        }
    }

    func listen() {
        MSALGlobalConfig.telemetryConfig.telemetryCallback = { _ in
            DispatchQueue.main.async { self.events += 1 }
        }
    }
}

protocol Authenticating {
    func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping @Sendable (MSALResult?, (any Error)?) -> Void
    )
}

extension MSALPublicClientApplication: Authenticating {}
