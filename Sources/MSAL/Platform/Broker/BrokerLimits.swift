// Licensed under the MIT License. See LICENSE.

/// The time limits for the broker and the bus (docs/reference/Broker.md#time-limits).
struct BrokerLimits: Sendable {
    /// The time for finding out whether there is a broker.
    var presence = Duration.seconds(3)
    /// The time for finding that out on the caller's thread.
    var quickPresence = Duration.milliseconds(250)
    /// How long a missing broker is not searched for again, and a broker that hung is not called.
    var absence = Duration.seconds(60)
    /// The time for a call without user interaction.
    var silent = Duration.seconds(10)
    /// The time after which the caller is told that such a call is waiting.
    var noticeDelay = Duration.seconds(2)
    /// The time for finding or starting the broker, before it opens its window.
    var start = Duration.seconds(30)
    /// The time for the broker to close its window.
    var cancellation = Duration.seconds(1)
    /// The pauses while a broker that has just started has not exported its object on the bus yet.
    var pauses: [Duration] = [
        .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400), .seconds(1),
    ]

    /// The limit for a whole call; `nil` for one that waits for the user.
    func limit(of method: IdentityBrokerMethod) -> Duration? {
        switch method {
        case .version, .accounts, .tokenSilently, .cookie, .signedRequest, .removal: silent
        case .tokenInteractively: nil
        case .cancellation: cancellation
        }
    }
}
