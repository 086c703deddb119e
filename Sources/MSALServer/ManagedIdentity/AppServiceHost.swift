// Licensed under the MIT License. See LICENSE.

import Foundation

/// App Service, Functions and Container Apps.
struct AppServiceHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.appService
    let words = "The token endpoint of App Service"

    func reason(in environment: ServerEnvironment) -> String? {
        environment.reason(["IDENTITY_ENDPOINT", "IDENTITY_HEADER"])
    }

    func apiVersion(for identity: MSALManagedIdentityId) -> String? { "2019-08-01" }

    func parameter(for identity: MSALManagedIdentityId) -> String? {
        usualParameter(for: identity, resource: "mi_res_id")
    }

    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        try environment.tokenEndpoint(environment.variable("IDENTITY_ENDPOINT"), of: "IDENTITY_ENDPOINT")
    }

    func complete(_ draft: inout ManagedIdentityRequestBuilder) {
        draft.add(secret: "IDENTITY_HEADER", as: "X-IDENTITY-HEADER")
    }
}

extension MSALManagedIdentitySource.Kind {
    /// App Service, Functions and Container Apps.
    public static let appService = Self(rawValue: "appService")
}
