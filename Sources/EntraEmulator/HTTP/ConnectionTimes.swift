// Licensed under the MIT License. See LICENSE.

import NIOCore

/// The time that a client has for each part of a connection. The emulator disconnects a client that needs longer. So
/// clients that never finish do not use up the descriptors.
struct ConnectionTimes: Sendable {
    /// The time from the connection to the end of the first request's head. The TLS handshake is included.
    var firstHead: TimeAmount = .seconds(20)
    /// The time from the end of a response to the end of the next request's head.
    var nextHead: TimeAmount = .seconds(120)
    /// The time from a request's head to the end of its body.
    var body: TimeAmount = .seconds(30)
    /// The time for reading more of a response, when so much of it is unread that no more can be sent.
    var reading: TimeAmount = .seconds(30)
    /// The time for reading the last response and closing the connection. After this time the emulator closes it.
    var farewell: TimeAmount = .seconds(1)
}
