// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `GET /signins`: the decisions of the policies. `POST /challenge`: the claims that APIs request from a user.
extension ControlAPI {
    /// The decisions, oldest first, each with the policies that were evaluated.
    func showSignIns() throws -> Response {
        .json(["signins": .array(parts.signIns.elements.map(Self.json))])
    }

    /// Makes the APIs request `claims`, which are JSON, from the app of `user` until a token contains them. Without
    /// `claims`, the APIs stop requesting any.
    func challenge(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .challenge)
        let name = try body.required("user", read: body.text)
        guard let user = try parts.store.user(name) else { return try Self.notFound() }
        guard let text = try body.text("claims") else {
            parts.claimsChallenges.set(nil, for: user.id)
            return .json(["challenged": .null])
        }
        guard let challenge = ClaimsChallenges.Challenge(text) else {
            throw ControlRefusal(
                "'claims' must be JSON with 'acrs' or 'nbf' of 'access_token', such as "
                    + #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
            )
        }
        parts.claimsChallenges.set(challenge, for: user.id)
        return .json(["challenged": .string(user.userPrincipalName)])
    }

    /// Answers the next authorization requests without showing a page: `userPrincipalName`, and optionally `clientId`
    /// and `count`.
    func planSignIn(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .signInNext)
        let name = try body.required("userPrincipalName", read: body.text)
        guard let user = try parts.store.user(name) else { return try Self.notFound() }
        let clientID = try body.text("clientId")
        if let clientID, parts.directory.application(clientID) == nil {
            throw ControlRefusal("'clientId' does not match an application: \(clientID)")
        }
        let count = try body.number("count", in: 1...1_000) ?? 1
        parts.planned.add(userID: user.id, clientID: clientID, count: count)
        return .json(["queued": .int(count)], status: .created)
    }

    private static func json(_ decision: SignInDecision) -> JSONValue {
        var members: [String: JSONValue] = [
            "date": .string(Exchange.serviceTime(decision.date)), "user": .string(decision.user),
            "application": .string(decision.application), "api": .string(decision.api),
            "reason": .string(decision.reason),
            "policies": .array(
                decision.outcomes.map { outcome in
                    [
                        "name": .string(outcome.policy), "mode": .string(outcome.mode.rawValue),
                        "isSatisfied": .bool(outcome.isSatisfied),
                    ]
                }
            ),
        ]
        members["address"] = decision.address.map { .string($0) }
        members["agentBlueprint"] = decision.agentBlueprint.map { .string($0) }
        members["number"] = decision.number.map { .int($0) }
        return .object(members)
    }
}
