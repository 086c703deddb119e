// Licensed under the MIT License. See LICENSE.

import DBus

/// The times that the broker and the bus may take (docs/reference/Broker.md#time-limits).
struct BrokerLimits: Sendable {
    /// The time to find out whether there is a broker.
    var presence = Duration.seconds(3)
    /// The time to find that out on the caller's thread.
    var presenceAtOnce = Duration.milliseconds(250)
    /// For this time a missing broker is not looked for again, and a broker that hung is not asked.
    var absence = Duration.seconds(60)
    /// The time of a call that does not need the user.
    var silent = Duration.seconds(10)
    /// The time after which the caller is told that such a call waits.
    var patience = Duration.seconds(2)
    /// The time to find or start the broker, before it opens its window.
    var start = Duration.seconds(30)
    /// The time in which the broker has to close its window.
    var cancellation = Duration.seconds(1)
    /// The pauses while a broker that has just started does not have its object on the bus yet.
    var pauses: [Duration] = [
        .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400), .seconds(1),
    ]

    /// The limit of a whole call; `nil` for one that waits for the user.
    func limit(of method: BrokerMethod) -> Duration? {
        switch method {
        case .version, .accounts, .tokenSilently, .cookie, .signedRequest, .removal: silent
        case .tokenInteractively: nil
        case .cancellation: cancellation
        }
    }
}
