// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import UserFiles

/// The source of a program's assertion outside Azure. The assertion authenticates the program, so no secret is needed.
///
/// The application registration or managed identity needs a matching federated credential. Each token request uses a
/// new assertion, because some expire after five minutes.
public struct MSALFederatedSource: Sendable, CustomStringConvertible {
    /// The name of the source, for messages.
    let name: String
    let assertion: @Sendable (ServerEnvironment, MSALAssertionContext) async throws(MSALTokenError) -> Secret

    init(
        _ name: String,
        assertion:
            @escaping @Sendable (ServerEnvironment, MSALAssertionContext) async throws(MSALTokenError) -> Secret
    ) {
        self.name = name
        self.assertion = assertion
    }

    /// The service account of a Kubernetes pod: the file that `AZURE_FEDERATED_TOKEN_FILE` names.
    public static let kubernetes = kubernetes(tokenFile: nil)

    /// The service account of a Kubernetes pod.
    ///
    /// - Parameter tokenFile: The path of the token file, which is read for each token request. `nil` selects the file
    ///   that `AZURE_FEDERATED_TOKEN_FILE` names.
    /// - Returns: The source.
    public static func kubernetes(tokenFile: String?) -> MSALFederatedSource {
        MSALFederatedSource("Kubernetes") { environment, _ throws(MSALTokenError) in
            try FederatedTokenFile(path: tokenFile, environment: environment).assertion(in: environment)
        }
    }

    /// A GitHub Actions job. The workflow needs `permissions: id-token: write`.
    public static let gitHubActions = gitHubActions(audience: nil)

    /// A GitHub Actions job. The workflow needs `permissions: id-token: write`.
    ///
    /// - Parameter audience: The audience of the federated credential. `nil` selects the one that Microsoft recommends
    ///   for the cloud, `api://AzureADTokenExchange` in the public cloud.
    /// - Returns: The source.
    public static func gitHubActions(audience: String?) -> MSALFederatedSource {
        MSALFederatedSource("GitHub Actions") { environment, context throws(MSALTokenError) in
            try await IssuerRequest.gitHubActions(
                audience: audience ?? ExchangeAudience.name(for: context.authority),
                in: environment
            ).assertion(in: environment)
        }
    }

    /// An Azure Pipelines job.
    ///
    /// - Parameters:
    ///   - serviceConnectionId: The id of the service connection. `nil` selects the value of
    ///     `AZURESUBSCRIPTION_SERVICE_CONNECTION_ID`, which some tasks set.
    ///   - systemAccessToken: The value of `$(System.AccessToken)`, a secret. `nil` selects the value of
    ///     `SYSTEM_ACCESSTOKEN`.
    /// - Returns: The source.
    public static func azurePipelines(
        serviceConnectionId: String? = nil,
        systemAccessToken: String? = nil
    ) -> MSALFederatedSource {
        let token = systemAccessToken.map { Secret($0) }
        return MSALFederatedSource("Azure Pipelines") { environment, _ throws(MSALTokenError) in
            try await IssuerRequest.azurePipelines(
                connection: serviceConnectionId,
                token: token,
                in: environment
            ).assertion(in: environment)
        }
    }

    /// A managed identity of this machine that a user assigned. Its token for the exchange is the assertion.
    public static func managedIdentity(clientId: String) -> MSALFederatedSource {
        MSALFederatedSource("managed identity") { environment, context throws(MSALTokenError) in
            // Its tokens are kept for the process, so an object for each redemption loses none.
            let identity = MSALManagedIdentityApplication(identity: .clientId(clientId), environment: environment)
            let audience = ExchangeAudience.name(for: context.authority)
            return Secret(try await identity.acquireToken(resource: audience).accessToken)
        }
    }

    /// The source by its name.
    public var description: String { "MSALFederatedSource(\(name))" }
}

/// The audience of assertions that a cloud takes in exchange for a token (docs/reference/Services.md#federation).
enum ExchangeAudience {
    /// The audience at an authority.
    static func name(for authority: URL) -> String {
        let host = authority.host() ?? ""
        return switch KnownClouds.metadata(for: host)?.networkHost ?? host {
        case "login.microsoftonline.us": "api://AzureADTokenExchangeUSGov"
        case "login.partner.microsoftonline.cn", "login.chinacloudapi.cn": "api://AzureADTokenExchangeChina"
        default: "api://AzureADTokenExchange"
        }
    }
}

/// The file in which Kubernetes keeps the token of a pod's service account, and replaces it before it ends.
struct FederatedTokenFile: Sendable {
    /// The variable with the path.
    static let variable = "AZURE_FEDERATED_TOKEN_FILE"
    private static let limit = 65_536

    let path: String

    /// The file at a path, or the one that the variable names.
    ///
    /// - Throws: `.credentialUnavailable` naming the variable.
    init(path: String?, environment: ServerEnvironment) throws(MSALTokenError) {
        guard let path = path ?? environment.variable(Self.variable) else {
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "The variable \(Self.variable) is not set. In Kubernetes, the webhook for workload identity sets it: "
                    + "label the pod azure.workload.identity/use, and annotate its service account."
            )
        }
        self.path = path
    }

    /// The content without a line end. It is read anew each time.
    ///
    /// - Throws: `.credentialUnavailable` naming the path, never the content.
    func assertion(in environment: ServerEnvironment) throws(MSALTokenError) -> Secret {
        let data: Data
        do throws(FileFault) {
            data = try environment.files.contents(of: path, limit: Self.limit)
        } catch {
            throw fault(error.reason)
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw fault(FileFault.notText.reason) }
        let token: String
        do throws(CredentialText.Fault) {
            token = try CredentialText.credential(in: text)
        } catch {
            throw fault(error.reason)
        }
        guard !token.isEmpty, !token.contains(" ") else { throw fault(token.isEmpty ? "is empty" : "holds no token") }
        return Secret(token)
    }

    private func fault(_ reason: String) -> MSALTokenError {
        MSALTokenError(
            .credentialUnavailable,
            message:
                "The file with the federated token, \(path), \(reason). Nothing was sent. Check the volume of the pod, "
                + "and \(Self.variable)."
        )
    }
}
