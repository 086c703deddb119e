// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension TestToken.Flaw {
    /// Makes the claims invalid, if the flaw concerns a claim.
    func corrupt(_ claims: inout [String: JSONValue], at now: Date) {
        let hour = 3_600
        let seconds = Int(now.timeIntervalSince1970)
        switch self {
        case .expired:
            claims["iat"] = .int(seconds - 2 * hour)
            claims["nbf"] = .int(seconds - 2 * hour)
            claims["exp"] = .int(seconds - hour)
        case .notYetValid:
            claims["nbf"] = .int(seconds + hour)
            claims["exp"] = .int(seconds + 2 * hour)
        case .wrongIssuer:
            claims["iss"] = .string("https://issuer.example/\(claims["tid"]?.string ?? "")/v2.0")
        case .wrongAudience: claims["aud"] = "api://somebody-else"
        case .wrongTenant:
            let own = claims["tid"]?.string ?? ""
            let other = UUID.derived(from: "another tenant", own).text
            claims["tid"] = .string(other)
            claims["iss"] = claims["iss"]?.string.map { .string($0.replacing(own, with: other)) }
        case .noScopes:
            claims["scp"] = nil
            claims["roles"] = nil
        case .wrongKey, .unknownKid, .unsigned, .hs256WithPublicKey, .truncated: break
        }
    }
}

extension SigningKeys {
    /// Signs the claims, incorrectly if the flaw concerns the signature.
    func sign(_ claims: [String: JSONValue], flaw: TestToken.Flaw?) async throws -> String {
        switch flaw {
        case .wrongKey: return try signWithOtherKey(claims)
        case .unknownKid: return try Self.signWithUnknownKey(claims)
        case .unsigned: return Self.unsigned(claims)
        case .hs256WithPublicKey: return signWithPublicKey(claims)
        case .truncated: return String(try await sign(claims).dropLast(100))
        case .expired, .notYetValid, .wrongIssuer, .wrongAudience, .wrongTenant, .noScopes, nil:
            return try await sign(claims)
        }
    }
}
