// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension MSALTokenOptions {
    /// The value of `claims`: those of the call, those of the application itself, and the application's capabilities.
    ///
    /// If the call and the application name the same claim, that of the call counts, because an API wants to see it.
    ///
    /// - Throws: `.configuration` if one of them is no JSON object.
    package func claims(with capabilities: [String]) throws(MSALTokenError) -> String? {
        let asked = try Self.object(
            claims,
            fault: "The claims are not a JSON object. Decode the base64 of the API's challenge first."
        )
        let own = try Self.object(clientClaims, fault: "The application's own claims are not a JSON object.")
        let claims = own.map { own in asked.map { own.merging($0) } ?? own } ?? asked
        return ClaimsRequest.merged(capabilities: capabilities, claims: claims)?.text
    }

    private static func object(_ text: String?, fault: String) throws(MSALTokenError) -> JSONValue? {
        guard let text else { return nil }
        guard let value = JSONValue(parsing: Data(text.utf8)), value.object != nil else {
            throw MSALTokenError(.configuration, message: fault)
        }
        return value
    }
}

extension JSONValue {
    /// This object with the members of another. If both have a member, that of the other object counts. Objects within
    /// are merged, too.
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        guard let left = object, let right = other.object else { return other }
        return .object(left.merging(right) { $0.merging($1) })
    }
}
