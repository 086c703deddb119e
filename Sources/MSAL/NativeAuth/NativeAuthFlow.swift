// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth {
    /// The purpose of a V2 flow. It does not change during the flow.
    enum Scenario: Sendable, Hashable {
        case signIn, signUp, passwordReset
    }

    /// The start of a V2 flow.
    struct FlowStart: Sendable {
        var scenario: Scenario
        var username: String
        /// The scopes in the app's order. OpenID Connect's own scopes are added to the request.
        var scopes: [String] = []
        /// The claims request as JSON text; sent unchanged.
        var claims: String?
        /// The attributes of a new user. They are sent once the service requires them.
        var attributes: [String: JSONValue] = [:]
        var correlationID = UUID.random()
    }

    /// The values that a V2 flow passes from one state to the next. Its description contains neither the token nor the
    /// attributes.
    struct Flow: Sendable, CustomStringConvertible, RedactedReflection {
        /// The factor that a `verify` response concerns (docs/reference/NativeAuthV2.md#factor).
        enum Factor: Sendable {
            case first, second, registration
        }

        let scenario: Scenario
        var continuation: Continuation
        /// The attributes from the start of the flow.
        var attributes: [String: JSONValue]
        var factor = Factor.first
        /// Whether the flow ends with tokens: a sign-in does, as does every flow after the app requested the sign-in.
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
