// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `POST /issuers`: flaws of the tokens of the issuers like GitHub's.
extension ControlAPI {
    /// Makes the next tokens of the issuers wrong: `flaw`; also `issuer` and `count`.
    func flawTokens(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .flawFederatedTokens)
        let flaw: FederatedToken.Flaw = try body.required("flaw") { name throws(ControlRefusal) in try body.choice(name)
        }
        let issuer: FederatedIssuer? = try body.choice("issuer", otherwise: "each is meant")
        let count = try body.number("count", in: 1...1_000_000) ?? 1
        parts.flaws.enqueue(flaw, of: issuer, count: count)
        return try .json(["queued": .int(count)], status: .created)
    }
}
