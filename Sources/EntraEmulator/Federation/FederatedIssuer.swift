// Licensed under the MIT License. See LICENSE.

import Foundation

/// An external issuer of tokens for programs outside Azure, which the emulator simulates (Microsoft identity platform,
/// "Workload identity federation").
public enum FederatedIssuer: String, Sendable, CaseIterable {
    /// GitHub Actions, for the job of a workflow.
    case github
    /// Azure Pipelines, for a service connection.
    case azurePipelines = "azure-pipelines"
    /// A Kubernetes cluster, for a service account.
    case kubernetes
}

extension FederatedIssuer {
    /// The first segment of the paths of all issuers.
    static let folder = "issuers"

    /// The path of the issuer, which is the prefix of its endpoints.
    var path: String { "/\(Self.folder)/\(rawValue)" }

    /// The path of its key set, the same as that of the real issuer.
    var keySetPath: String {
        switch self {
        case .github, .azurePipelines: "/.well-known/jwks"
        case .kubernetes: "/openid/v1/jwks"
        }
    }

    /// The lifetime of the issuer's tokens.
    var lifetime: Duration {
        switch self {
        case .github: .seconds(300)
        case .azurePipelines: .seconds(600)
        case .kubernetes: .seconds(3600)
        }
    }

    /// `iss` of its tokens.
    ///
    /// `base`: `https://host[:port]` of the emulator.
    func issuer(base: String) -> String { base + path }
}

/// The settings of the simulated external issuers.
public struct FederatedIssuerSettings: Sendable, EmulatorRedactedReflection {
    /// The secret with which a job requests a token: `ACTIONS_ID_TOKEN_REQUEST_TOKEN`, `SYSTEM_ACCESSTOKEN`. It only
    /// gives access to test tokens.
    public var requestToken = "emulator-request-token"

    /// Creates settings with the default values.
    public init() {}
}
