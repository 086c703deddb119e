// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A token of an external issuer. With it, a program acts as an application with a matching federated credential.
public struct FederatedToken: Sendable {
    /// The issuer.
    public var issuer: FederatedIssuer
    /// `sub`, such as `repo:contoso/app:ref:refs/heads/main` or `system:serviceaccount:default:app`.
    public var subject: String
    /// `aud`.
    public var audience: String
    /// The lifetime of the token; `nil` uses the default of the issuer.
    public var lifetime: Duration?
    /// Additional claims; they cannot replace those above.
    public var claims: [String: String]
    /// The flaw of the token; `nil` issues a valid token.
    public var flaw: Flaw?

    /// Creates a description of a token.
    public init(
        issuer: FederatedIssuer,
        subject: String,
        audience: String = EmulatorDirectory.FederatedCredential.standardAudience,
        lifetime: Duration? = nil,
        claims: [String: String] = [:],
        flaw: Flaw? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.lifetime = lifetime
        self.claims = claims
        self.flaw = flaw
    }

    /// Signs the token.
    ///
    /// `base`: `https://host[:port]` of the emulator, the prefix of `iss`.
    func signed(by keys: SigningKeys, base: String, now: Date) async throws -> String {
        let life = (lifetime ?? issuer.lifetime).wholeSeconds
        var start = Int(now.timeIntervalSince1970)
        if flaw == .expired { start -= life + 3_600 }
        if flaw == .early { start += 3_600 }
        var members = claims.mapValues { JSONValue.string($0) }
        members["iss"] = .string(issuer.issuer(base: base))
        members["sub"] = .string(subject)
        // Kubernetes uses an array.
        members["aud"] = issuer == .kubernetes ? .strings([audience]) : .string(audience)
        members["iat"] = .int(start)
        members["nbf"] = .int(start)
        members["exp"] = .int(start + life)
        members["jti"] = .string(UUID().uuidString.lowercased())
        if issuer == .kubernetes { members["kubernetes.io"] = kubernetesMember }
        switch flaw {
        case .otherAudience: members["aud"] = "api://somebody-else"
        case .otherIssuer: members["iss"] = "https://issuer.example"
        case .otherSubject: members["sub"] = .string(subject + "-else")
        case .unknownKey: return try SigningKeys.signWithUnknownKey(members)
        case .unsigned: return SigningKeys.unsigned(members)
        case .expired, .early, nil: break
        }
        return try await keys.sign(members)
    }

    /// The namespace and the name in `system:serviceaccount:<namespace>:<name>`, as an object.
    private var kubernetesMember: JSONValue? {
        let parts = subject.split(separator: ":").map(String.init)
        guard parts.count == 4, parts[0] == "system", parts[1] == "serviceaccount" else { return nil }
        return [
            "namespace": .string(parts[2]),
            "serviceaccount": [
                "name": .string(parts[3]), "uid": .string(UUID.derived(from: "service account", subject).text),
            ],
        ]
    }
}
