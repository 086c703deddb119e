// Licensed under the MIT License. See LICENSE.

import MSAL

/// A telemetry callback that changes its main-actor class where it is called.
@MainActor
final class Counter {
    var events = 0

    func listen() {
        MSALGlobalConfig.telemetryConfig.telemetryCallback = { _ in self.events += 1 }
    }
}
