// Licensed under the MIT License. See LICENSE.

// The labels of metrics and the attributes of spans. They are fixed: no tenant, client, user, scope, id or address can
// become one, so that the number of series stays small (docs/services/Observation.md).

/// The flow with which a program requested a token.
package enum TokenFlow: Int, Sendable, CaseIterable {
    case clientCredentials, authorizationCode, silent, onBehalfOf, longRunning, managedIdentity, password, agentUser

    package var label: String {
        switch self {
        case .clientCredentials: "client_credentials"
        case .authorizationCode: "authorization_code"
        case .silent: "silent"
        case .onBehalfOf: "on_behalf_of"
        case .longRunning: "long_running"
        case .managedIdentity: "managed_identity"
        case .password: "password"
        case .agentUser: "agent_user"
        }
    }
}

/// The place from which a token came.
package enum TokenSourceLabel: String, Sendable, CaseIterable {
    case cache, l2, service, extended, error
}

/// Why the cache did not serve a call. `refreshAhead` counts calls that it served while a refresh was due.
package enum RequestReason: String, Sendable, CaseIterable {
    case none, expired, forced, claims
    case refreshAhead = "refresh_ahead"
    case noToken = "no_token"
}

/// The purpose of a request over HTTP.
package enum ObservedEndpoint: String, Sendable, CaseIterable {
    case token, discovery, keys, imds, assertion
}

/// The first digit of the status of a response.
package enum StatusClass: String, Sendable, CaseIterable {
    case informational = "1xx"
    case success = "2xx"
    case redirection = "3xx"
    case refusal = "4xx"
    case fault = "5xx"
    /// No response came.
    case none

    init(_ status: Int?) {
        self = status.flatMap { StatusClass(rawValue: "\($0 / 100)xx") } ?? StatusClass.none
    }
}

/// The credential with which a client authenticates to the service.
package enum ObservedCredential: String, Sendable, CaseIterable {
    case secret, certificate, callback, federated
}

/// The operation of the store that instances share.
package enum StoreOperation: String, Sendable, CaseIterable {
    case read, write, remove, lease, release
}

/// The result of a request to the shared store.
package enum StoreOutcome: String, Sendable, CaseIterable {
    /// A value was found; a value was written; a lease was acquired.
    case hit
    /// No value was found; a newer value exists; another instance has the lease.
    case miss
    /// A value exists, but cannot be used.
    case unreadable
    case timeout, error
    /// The store was not called, because it failed recently.
    case open
}

/// The outcome of an operation.
package enum WorkOutcome: String, Sendable, CaseIterable {
    case success, failure

    var label: (String, String) { ("outcome", rawValue) }
}

/// The cause of a fetch of an issuer's keys.
package enum KeyRefreshCause: String, Sendable, CaseIterable {
    case schedule, first
    case unknownKey = "unknown_key"
}

/// A part of the in-memory cache.
package enum MemoryLevel: String, Sendable, CaseIterable {
    case application
    case users
    case onBehalfOf = "on_behalf_of"
    case longRunning = "long_running"
}

/// Why an entry was removed from the cache. Replacement by a successor does not count.
package enum EvictionCause: String, Sendable, CaseIterable {
    /// The cache was full.
    case size
    /// The entry has expired, or has not been used for a long time.
    case expired
    /// A user signed out, or a session was ended.
    case removed
}
