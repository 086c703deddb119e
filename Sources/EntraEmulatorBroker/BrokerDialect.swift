// Licensed under the MIT License. See LICENSE.

/// The known families of brokers, which differ in the format of some responses.
public enum BrokerDialect: String, Sendable, Hashable, CaseIterable {
    /// Microsoft's broker up to 2.0.1. It supports introspection, reports the OAuth error in `diagnostics`, and returns
    /// one cookie at the top level of its response.
    case early
    /// Microsoft's broker since 2.0.2. It does not support introspection, and returns a list of cookies.
    case current
    /// Himmelblau's broker of 2026. It reports errors as texts without numbers, has a single account, prompts its user
    /// at each interactive call, and supports introspection.
    case himmelblau

    /// The version that the broker reports.
    var version: String {
        switch self {
        case .early: "2.0.1"
        case .current: "3.0.2"
        case .himmelblau: "4.0.0"
        }
    }
}
