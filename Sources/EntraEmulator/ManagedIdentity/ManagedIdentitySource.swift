// Licensed under the MIT License. See LICENSE.

/// A type of Azure host whose programs get the tokens of managed identities. Each has its own requests, responses, and
/// errors.
public enum ManagedIdentitySource: String, Sendable, CaseIterable {
    /// A virtual machine: the Azure Instance Metadata Service.
    case imds
    /// App Service, Functions, or Container Apps.
    case appService = "app-service"
    /// A machine outside Azure with the agent of Azure Arc.
    case azureArc = "azure-arc"
    /// Cloud Shell.
    case cloudShell = "cloud-shell"
    /// A Service Fabric cluster.
    case serviceFabric = "service-fabric"
    /// A compute target of Azure Machine Learning.
    case machineLearning = "machine-learning"
}

extension ManagedIdentitySource {
    /// The path of the host's endpoint.
    var path: String {
        switch self {
        case .imds, .serviceFabric: "/metadata/identity/oauth2/token"
        case .appService: "/msi/token"
        // The real Azure Arc uses the path of a virtual machine, on another port.
        case .azureArc: "/arc/metadata/identity/oauth2/token"
        case .cloudShell: "/oauth2/token"
        case .machineLearning: "/ml/msi/token"
        }
    }

    /// Whether the host's endpoint uses TLS. The other hosts use plain HTTP on a loopback or link-local address.
    var isSecure: Bool { self == .serviceFabric }

    /// Whether a request must contain `Metadata: true`. Neither a web page nor a server that was tricked into a request
    /// can add this header.
    var needsMetadataHeader: Bool {
        switch self {
        case .imds, .azureArc, .cloudShell: true
        case .appService, .serviceFabric, .machineLearning: false
        }
    }

    /// The header field with the secret from the program's environment.
    var secretHeader: String? {
        switch self {
        case .imds, .azureArc, .cloudShell: nil
        case .appService: "x-identity-header"
        case .serviceFabric, .machineLearning: "secret"
        }
    }

    /// The accepted values of `api-version`. If the list is empty, the parameter is not required.
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

    /// The parameters that identify a user-assigned identity, and the type of ID in each.
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

    /// All parameters that identify an identity on any host.
    static let identityParameters = Set(allCases.flatMap(\.identityParameters.keys))
}
