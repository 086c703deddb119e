// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `POST /issuers`: flaws of the tokens of the issuers like GitHub's.
extension ControlAPI {
    /// Makes the next tokens of the issuers wrong: `flaw`; also `issuer` and `count`.
    func flawTokens(_ body: JSONValue) throws -> Response {
        let body = try ControlBody(body, of: .flawFederatedTokens)
        guard let flaw = FederatedToken.Flaw(rawValue: try body.required("flaw", read: body.text)) else {
            let all = FederatedToken.Flaw.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlRefusal("'flaw' must be one of \(all)")
        }
        let issuer = try body.text("issuer").map { name throws(ControlRefusal) in
            guard let issuer = FederatedIssuer(rawValue: name) else {
                let all = FederatedIssuer.allCases.map(\.rawValue).joined(separator: ", ")
                throw ControlRefusal("'issuer' must be one of \(all); without it, each is meant")
            }
            return issuer
        }
        let count = try body.number("count", in: 1...1_000_000) ?? 1
        parts.flaws.enqueue(flaw, of: issuer, count: count)
        return try .json(["queued": .int(count)], status: .created)
    }
}
