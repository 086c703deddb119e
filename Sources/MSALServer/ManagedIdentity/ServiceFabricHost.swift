// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import MSALCore

/// A Service Fabric cluster. A variable has the hash of its certificate.
struct ServiceFabricHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.serviceFabric
    let words = "The token service of Service Fabric"
    let takenIDs = "It takes an object ID."

    func reason(in environment: ServerEnvironment) -> String? {
        environment.reason(["IDENTITY_ENDPOINT", "IDENTITY_HEADER", Self.thumbprint])
    }

    /// Only the newer version knows `principalId`. Older clusters know only the older version.
    func apiVersion(for identity: MSALManagedIdentityId) -> String? {
        identity == .systemAssigned ? "2019-07-01-preview" : "2020-05-01"
    }

    func parameter(for identity: MSALManagedIdentityId) -> String? {
        if case .objectId = identity { "principalId" } else { nil }
    }

    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        let variable = "IDENTITY_ENDPOINT"
        let url = try environment.tokenEndpoint(environment.variable(variable), of: variable)
        guard url.scheme?.lowercased() == "https" else {
            throw .address(in: variable, because: "Service Fabric requires https.")
        }
        return url
    }

    func complete(_ draft: inout ManagedIdentityRequestBuilder) throws(MSALTokenError) {
        draft.add(secret: "IDENTITY_HEADER", as: "Secret")
        if !draft.capabilities.isEmpty { draft.form.set("xms_cc", to: draft.capabilities.joined(separator: ",")) }
        draft.form.set("token_sha256_to_refresh", to: draft.revoked.map(Self.hash))
        let thumbprint = draft.environment.variable(Self.thumbprint).flatMap(CertificateThumbprint.init)
        guard let thumbprint else {
            throw MSALTokenError(
                .configuration,
                message: "The variable \(Self.thumbprint) is not a SHA-1 hash of 40 hexadecimal digits. "
                    + "No request was sent."
            )
        }
        draft.thumbprint = thumbprint
    }

    /// 404 is not temporary: it says that there is no such identity.
    func isTemporary(status: Int) -> Bool { [408, 429, 500, 503, 504].contains(status) }

    func kind(
        of refusal: ManagedIdentityRefusal,
        status: Int,
        for identity: MSALManagedIdentityId
    ) -> MSALTokenError.Kind {
        status == 404 && refusal.code == "ManagedIdentityNotFound" ? .identityNotAssigned : .refused
    }

    private static let thumbprint = "IDENTITY_SERVER_THUMBPRINT"

    private static func hash(of token: Secret) -> String {
        Hexadecimal.text(SHA256.hash(data: Data(token.exposed.utf8)))
    }
}

extension MSALManagedIdentitySource.Kind {
    /// A Service Fabric cluster.
    public static let serviceFabric = Self(rawValue: "serviceFabric")
}
