// Licensed under the MIT License. See LICENSE.

import NIOCore

/// The time that a client has for each step of a connection. The emulator disconnects slower clients, so that clients
/// that never finish do not exhaust the descriptors.
struct ConnectionTimeouts: Sendable {
    /// From the connection to the end of the first request's head, including the TLS handshake.
    var firstHead: TimeAmount = .seconds(20)
    /// From the end of a response to the end of the next request's head.
    var nextHead: TimeAmount = .seconds(120)
    /// From a request's head to the end of its body.
    var body: TimeAmount = .seconds(30)
    /// The time to read more of a response when the unread part blocks sending.
    var reading: TimeAmount = .seconds(30)
    /// The time to read the last response and close the connection, before the emulator closes it.
    var closeDelay: TimeAmount = .seconds(1)
}
