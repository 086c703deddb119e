// Licensed under the MIT License. See LICENSE.

/// A kind of host in Azure whose programs get the tokens of managed identities. Each has a request, a response and errors of
/// its own.
public enum ManagedIdentitySource: String, Sendable, CaseIterable {
    /// The host is a virtual machine: the Azure Instance Metadata Service.
    case imds
    /// The host is App Service, Functions or Container Apps.
    case appService = "app-service"
    /// The host is a machine outside Azure with the agent of Azure Arc.
    case azureArc = "azure-arc"
    /// The host is the Cloud Shell.
    case cloudShell = "cloud-shell"
    /// The host is a Service Fabric cluster.
    case serviceFabric = "service-fabric"
    /// The host is a compute target of Azure Machine Learning.
    case machineLearning = "machine-learning"
}

extension ManagedIdentitySource {
    /// The path of the host's endpoint.
    var path: String {
        switch self {
        case .imds, .serviceFabric: "/metadata/identity/oauth2/token"
        case .appService: "/msi/token"
        // The real Azure Arc has the path of a virtual machine, at another port.
        case .azureArc: "/arc/metadata/identity/oauth2/token"
        case .cloudShell: "/oauth2/token"
        case .machineLearning: "/ml/msi/token"
        }
    }

    /// Whether the host's endpoint speaks TLS. The other hosts have plain HTTP on a loopback or link-local address.
    var isSecure: Bool { self == .serviceFabric }

    /// Whether a request has to carry `Metadata: true`. A page cannot add this header. Neither can a server that was
    /// tricked into a request.
    var needsMetadataHeader: Bool {
        switch self {
        case .imds, .azureArc, .cloudShell: true
        case .appService, .serviceFabric, .machineLearning: false
        }
    }

    /// The header field with the secret that a program finds in its environment.
    var secretHeader: String? {
        switch self {
        case .imds, .azureArc, .cloudShell: nil
        case .appService: "x-identity-header"
        case .serviceFabric, .machineLearning: "secret"
        }
    }

    /// The values that `api-version` may have. An empty list takes requests without the parameter.
    var versions: [String] {
        switch self {
        case .imds: ["2018-02-01", "2019-06-01", "2019-11-01", "2020-06-01", "2021-02-01"]
        case .appService: ["2019-08-01"]
        case .azureArc: ["2019-11-01", "2020-06-01", "2021-02-01"]
        case .cloudShell: []
        case .serviceFabric: ["2019-07-01-preview", "2020-05-01"]
        case .machineLearning: ["2017-09-01"]
        }
    }

    /// The parameters that name a user-assigned identity, with what each one holds.
    var identityParameters: [String: RequestedIdentity.Kind] {
        switch self {
        case .imds, .azureArc:
            ["client_id": .clientID, "object_id": .objectID, "msi_res_id": .resourceID, "mi_res_id": .resourceID]
        case .appService:
            ["client_id": .clientID, "object_id": .objectID, "principal_id": .objectID, "mi_res_id": .resourceID]
        case .cloudShell: [:]
        case .serviceFabric: ["principalId": .objectID]
        case .machineLearning: ["clientid": .clientID]
        }
    }

    /// All parameters that name an identity at some host.
    static let identityParameters = Set(allCases.flatMap(\.identityParameters.keys))
}
