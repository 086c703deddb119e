// Licensed under the MIT License. See LICENSE.

import MSAL
import Synchronization
import Testing

struct MSALTelemetryConfigTests {
    @Test func `an event waits until the previous one has been taken`() {
        let config = MSALTelemetryConfig()
        let steps = Mutex<[String]>([])
        config.telemetryCallback = { event in
            let name = event["api"] ?? ""
            steps.withLock { $0.append("\(name) begins") }
            if name == "first" { config.report(["api": "second"], isFailure: false, userID: nil) }
            steps.withLock { $0.append("\(name) ends") }
        }

        config.report(["api": "first"], isFailure: false, userID: nil)

        config.flush()
        config.flush()
        #expect(steps.withLock { $0 } == ["first begins", "first ends", "second begins", "second ends"])
    }

    @Test func `the user's ID and successful requests are reported if the app asks for them`() {
        let config = MSALTelemetryConfig()
        let users = Mutex<[String?]>([])
        config.telemetryCallback = { event in users.withLock { $0.append(event["user_id"]) } }

        config.report([:], isFailure: false, userID: "uid.utid")
        config.piiEnabled = true
        config.report([:], isFailure: false, userID: "uid.utid")
        config.notifyOnFailureOnly = true
        config.report([:], isFailure: false, userID: "uid.utid")

        config.flush()
        #expect(users.withLock { $0 } == [nil, "uid.utid"])
    }
}
