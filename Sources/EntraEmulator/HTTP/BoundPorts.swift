// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The ports of the platform, which are known once it listens.
final class BoundPorts: Sendable {
    private struct Ports {
        var platform: Int?
        var mutualTLS: Int?
        var trust: Int?
        var control: Int?
    }

    private let ports = Mutex(Ports())

    /// The TLS port.
    var platform: Int? {
        get { ports.withLock { $0.platform } }
        set { ports.withLock { $0.platform = newValue } }
    }

    /// The port that requests client certificates; `nil` if there is none.
    var mutualTLS: Int? {
        get { ports.withLock { $0.mutualTLS } }
        set { ports.withLock { $0.mutualTLS = newValue } }
    }

    /// The control port; `nil` if there is none.
    var control: Int? {
        get { ports.withLock { $0.control } }
        set { ports.withLock { $0.control = newValue } }
    }

    /// The port without TLS that serves the authority's certificate; `nil` if there is none.
    var trust: Int? {
        get { ports.withLock { $0.trust } }
        set { ports.withLock { $0.trust = newValue } }
    }
}
