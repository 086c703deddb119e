// Licensed under the MIT License. See LICENSE.

import Foundation

/// The Cloud Shell, whose one identity is the signed-in user's.
struct CloudShellHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.cloudShell
    let words = "The token endpoint of the Cloud Shell"
    let takenIDs = "It has one identity only, the signed-in user's."

    func reason(in environment: ServerEnvironment) -> String? { environment.reason(["MSI_ENDPOINT"]) }

    func apiVersion(for identity: MSALManagedIdentityId) -> String? { nil }
    func parameter(for identity: MSALManagedIdentityId) -> String? { nil }

    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        try environment.tokenEndpoint(environment.variable("MSI_ENDPOINT"), of: "MSI_ENDPOINT")
    }

    func complete(_ draft: inout ManagedIdentityRequestBuilder) {
        draft.headers["Metadata"] = "true"
        draft.isPost = true
    }
}

extension MSALManagedIdentitySource.Kind {
    /// The Cloud Shell.
    public static let cloudShell = Self(rawValue: "cloudShell")
}
