// Licensed under the MIT License. See LICENSE.

/// The known families of brokers. They differ in the form of some responses.
public enum BrokerDialect: String, Sendable, Hashable, CaseIterable {
    /// Microsoft's broker up to 2.0.1. It can be introspected, names the OAuth error in `diagnostics`, and puts one cookie
    /// at the top of its response.
    case early
    /// Microsoft's broker from 2.0.2 on. It cannot be introspected, and lists cookies.
    case current
    /// Himmelblau's broker of 2026. It reports failures by texts without numbers, knows one account, asks its user at each
    /// interactive call, and can be introspected.
    case himmelblau

    /// The version that the broker names.
    var version: String {
        switch self {
        case .early: "2.0.1"
        case .current: "3.0.2"
        case .himmelblau: "4.0.0"
        }
    }
}
