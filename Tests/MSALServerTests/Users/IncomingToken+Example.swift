// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer

extension IncomingToken {
    /// A token as an API receives it. `changes` replaces claims. A null removes one. `mark` distinguishes tokens.
    static func example(mark: String = "1", _ changes: [String: JSONValue] = [:]) -> IncomingToken {
        var claims: [String: JSONValue] = [
            "ver": .string("2.0"), "tid": .string(SignInService.tenant), "oid": .string(SignInService.user),
            "sub": .string("pairwise"), "scp": .string("Orders.Read"), "azp": .string("a-client"),
            "uti": .string(mark),
        ]
        claims = claims.merging(changes) { $1 }.filter { $0.value != .null }
        let parts = [#"{"alg":"RS256","typ":"JWT"}"#, JSONValue.object(claims).text]
            .map { Base64URL.encode(Array($0.utf8)) }
        return IncomingToken(Secret(parts.joined(separator: ".") + ".c2ln"))
    }
}
