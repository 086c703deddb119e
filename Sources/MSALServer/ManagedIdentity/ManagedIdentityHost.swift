// Licensed under the MIT License. See LICENSE.

/// The kinds of hosts, with what their requests differ in (docs/reference/Services.md#managed-identity-requests).
package enum ManagedIdentityHost: String, Sendable, CaseIterable {
    case serviceFabric, appService, machineLearning, cloudShell, azureArc, imds

    /// The agent's program, which shows that a machine is one of Azure Arc.
    static let arcAgent = "/opt/azcmagent/bin/himds"

    /// The responder, as the subject of a message.
    var words: String {
        switch self {
        case .serviceFabric: "The token service of Service Fabric"
        case .appService: "The token endpoint of App Service"
        case .machineLearning: "The token endpoint of Azure Machine Learning"
        case .cloudShell: "The token endpoint of the Cloud Shell"
        case .azureArc: "The agent of Azure Arc"
        case .imds: "The metadata service of the virtual machine (IMDS)"
        }
    }

    /// The version of the request's form.
    func apiVersion(for identity: MSALManagedIdentityId) -> String? {
        switch self {
        case .imds: "2018-02-01"
        case .appService: "2019-08-01"
        case .machineLearning: "2017-09-01"
        case .azureArc: "2020-06-01"
        case .cloudShell: nil
        // Only the newer form knows `principalId`, and older clusters know only the other one.
        case .serviceFabric: identity == .systemAssigned ? "2019-07-01-preview" : "2020-05-01"
        }
    }

    /// The parameter that names an identity; `nil` if the host takes no id of this form.
    func parameter(for identity: MSALManagedIdentityId) -> String? {
        switch (self, identity) {
        case (_, .systemAssigned), (.cloudShell, _): nil
        case (.machineLearning, .clientId): "clientid"
        case (.machineLearning, _): nil
        case (.serviceFabric, .objectId): "principalId"
        case (.serviceFabric, _): nil
        case (.imds, .clientId), (.appService, .clientId), (.azureArc, .clientId): "client_id"
        case (.imds, .objectId), (.appService, .objectId), (.azureArc, .objectId): "object_id"
        case (.appService, .resourceId): "mi_res_id"
        case (.imds, .resourceId), (.azureArc, .resourceId): "msi_res_id"
        }
    }

    /// The forms of ids that the host takes, for a message.
    var takenIDs: String {
        switch self {
        case .cloudShell: "It has one identity only, the signed-in user's."
        case .machineLearning: "It takes a client id."
        case .serviceFabric: "It takes an object id."
        case .appService, .azureArc, .imds: "It takes a client id, an object id or a resource id."
        }
    }
}
