// Licensed under the MIT License. See LICENSE.

import NIOCore

/// The time that a client has for each part of a connection. The emulator disconnects a client that needs longer. So
/// clients that never finish do not use up the descriptors.
struct ConnectionTimes: Sendable {
    /// From the connection to the end of the first request's head; the TLS handshake is included.
    var firstHead: TimeAmount = .seconds(20)
    /// From the end of a response to the end of the next request's head.
    var nextHead: TimeAmount = .seconds(120)
    /// From a request's head to the end of its body.
    var body: TimeAmount = .seconds(30)
    /// For reading more of a response, when so much of it is unread that no more can be sent.
    var reading: TimeAmount = .seconds(30)
    /// For reading the last response and closing the connection. After this time the emulator closes it.
    var farewell: TimeAmount = .seconds(1)
}
