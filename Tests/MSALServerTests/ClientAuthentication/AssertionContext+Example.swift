// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer

extension MSALAssertionContext {
    /// A request of a tenant in the public cloud.
    static func example(
        authorityKind: Authority.Kind = .aad,
        sendsCertificateChain: Bool = false
    ) throws -> MSALAssertionContext {
        let authority = "https://login.microsoftonline.com/73ab4876-7734-47c1-87fd-e805ec99108d"
        var context = MSALAssertionContext(
            clientId: "2fa91425-cb00-4853-9d2c-67eda13ffe79",
            tokenEndpoint: try Authority.url("\(authority)/oauth2/v2.0/token"),
            tenant: "73ab4876-7734-47c1-87fd-e805ec99108d",
            authority: try Authority.url(authority),
            authorityKind: authorityKind,
            correlationID: UUID()
        )
        context.sendsCertificateChain = sendsCertificateChain
        return context
    }
}

extension ClientProof {
    /// The header and the claims of the assertion.
    var parts: (header: [String: JSONValue], claims: [String: JSONValue])? {
        let parts = assertion?.exposed.split(separator: ".").prefix(2).map {
            Base64URL.decode($0).flatMap(JSONValue.init(parsing:))?.object
        }
        guard let header = parts?.first ?? nil, let claims = parts?.last ?? nil else { return nil }
        return (header, claims)
    }
}
