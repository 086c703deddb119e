// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

/// Azure Machine Learning. It has no system-assigned identity for programs, and names one that serves in its place.
struct MachineLearningHost: ManagedIdentityHost {
    let kind = MSALManagedIdentitySource.Kind.machineLearning
    let words = "The token endpoint of Azure Machine Learning"
    let takenIDs = "It takes a client ID."

    func reason(in environment: ServerEnvironment) -> String? {
        environment.reason(["MSI_ENDPOINT", "MSI_SECRET"])
    }

    func apiVersion(for identity: MSALManagedIdentityId) -> String? { "2017-09-01" }

    func parameter(for identity: MSALManagedIdentityId) -> String? {
        if case .clientId = identity { "clientid" } else { nil }
    }

    func endpoint(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        try environment.tokenEndpoint(environment.variable("MSI_ENDPOINT"), of: "MSI_ENDPOINT")
    }

    func complete(_ draft: inout ManagedIdentityRequestBuilder) throws(MSALTokenError) {
        draft.add(secret: "MSI_SECRET", as: "secret")
        guard draft.identity == .systemAssigned else { return }
        guard let standard = draft.environment.variable("DEFAULT_IDENTITY_CLIENT_ID") else {
            throw MSALTokenError(
                .configuration,
                message:
                    "Azure Machine Learning names its own identity in the variable DEFAULT_IDENTITY_CLIENT_ID, "
                    + "which is not set. Give the client ID of an identity."
            )
        }
        draft.form.set("clientid", to: standard)
    }
}

extension MSALManagedIdentitySource.Kind {
    /// Azure Machine Learning.
    public static let machineLearning = Self(rawValue: "machineLearning")
}
