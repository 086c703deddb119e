// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth {
    /// The intention of a flow of V2. It stays the same until the end of the flow.
    enum Scenario: Sendable, Hashable {
        case signIn, signUp, passwordReset
    }

    /// The start of a flow of V2.
    struct FlowStart: Sendable {
        var scenario: Scenario
        var username: String
        /// The scopes in the app's order. OpenID Connect's own are added to the request.
        var scopes: [String] = []
        /// The claims request as JSON text; sent unchanged.
        var claims: String?
        /// The attributes of a new user. They wait until the service asks for them.
        var attributes: [String: JSONValue] = [:]
        var correlationID = UUID.random()
    }

    /// The values that a flow of V2 hands from one state to the next. It prints neither token nor attributes.
    struct Flow: Sendable, CustomStringConvertible, ClosedMirror {
        /// The factor that a `verify` response is about (docs/reference/NativeAuthV2.md#factor).
        enum Factor: Sendable {
            case first, second, registration
        }

        let scenario: Scenario
        var continuation: Continuation
        /// The attributes that were given at the start.
        var attributes: [String: JSONValue]
        var factor = Factor.first
        /// Whether the flow ends in tokens: a sign-in does, and every flow after the app asked for the sign-in.
        var endsInTokens: Bool

        init(_ start: FlowStart) {
            scenario = start.scenario
            continuation = Continuation(
                token: Secret(""),
                correlationID: start.correlationID,
                username: start.username,
                scopes: start.scopes,
                claims: start.claims
            )
            attributes = start.attributes
            endsInTokens = start.scenario == .signIn
        }

        var description: String { "flow \(continuation.correlationID.uuidString)" }
    }
}
