// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The claims of an access token that decide what its bearer may do, in types that cannot be wrong.
///
/// This is an object, because many callers and the memory of checked tokens share it. It is small, because the memory
/// holds many. A claim that decides nothing is read from the token on demand.
package final class TokenClaims: Sendable {
    /// The claims that other tokens of the client have as well.
    let common: CommonClaims
    package let times: TokenTimes
    package let object: TokenObjectID

    init(common: CommonClaims, times: TokenTimes, object: TokenObjectID) {
        self.common = common
        self.times = times
        self.object = object
    }

    /// Reads the claims of a token that this kind of authority issued.
    ///
    /// - Throws: `.notAnAccessToken` if it names no client, as an ID token does not; `.malformedToken` if a claim has another
    ///   type.
    convenience init(
        _ claims: [String: JSONValue],
        times: TokenTimes,
        from authority: Authority.Kind
    ) throws(MSALTokenRejection) {
        let common = try CommonClaims(claims, from: authority)
        self.init(common: common, times: times, object: TokenObjectID(claims["oid"]?.string))
    }

    /// The tenant, in lower case. It comes from `tid`, or else from the issuer's address.
    package var tenant: String? { common.tenant }
    package var client: String { common.client }
    package var objectID: String? { object.text }
    package var kind: MSALPrincipal.Kind { common.kind }
}
