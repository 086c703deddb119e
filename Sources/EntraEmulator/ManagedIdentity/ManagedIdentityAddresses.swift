// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The addresses of the managed identity endpoints, and the environment variables with which programs find them.
public struct ManagedIdentityAddresses: Sendable {
    /// The port of the plain endpoints.
    public let port: Int
    /// The TLS port of Service Fabric.
    public let securePort: Int
    /// The folder of Azure Arc's key files; `nil` if it is not known yet.
    public let arcKeyFolder: String?
    let header: String
    /// SHA-1 of the certificate, by which programs in Service Fabric recognize it.
    let thumbprint: String
    /// The client ID of the system-assigned identity.
    let systemClientID: String?

    /// The environment variables of a program on a host. A program with the variables of two hosts uses one of them, so
    /// do not set those of other hosts.
    public func environment(for source: ManagedIdentitySource) -> [String: String] {
        let endpoint = endpoint(of: source)
        switch source {
        case .imds: return ["AZURE_POD_IDENTITY_AUTHORITY_HOST": base]
        case .appService: return ["IDENTITY_ENDPOINT": endpoint, "IDENTITY_HEADER": header]
        case .azureArc: return ["IDENTITY_ENDPOINT": endpoint, "IMDS_ENDPOINT": base]
        case .cloudShell:
            // MSAL for Python recognizes Cloud Shell by the second variable.
            return ["MSI_ENDPOINT": endpoint, "AZUREPS_HOST_ENVIRONMENT": "cloud-shell/1.0"]
        case .serviceFabric:
            return [
                "IDENTITY_ENDPOINT": endpoint, "IDENTITY_HEADER": header, "IDENTITY_SERVER_THUMBPRINT": thumbprint,
            ]
        case .machineLearning:
            var variables = ["MSI_ENDPOINT": endpoint, "MSI_SECRET": header]
            variables["DEFAULT_IDENTITY_CLIENT_ID"] = systemClientID
            return variables
        }
    }

    private var base: String { "http://127.0.0.1:\(port)" }

    private func endpoint(of source: ManagedIdentitySource) -> String {
        (source.isSecure ? "https://127.0.0.1:\(securePort)" : base) + source.path
    }
}

extension ManagedIdentityAddresses {
    /// The addresses of an emulator with this state folder and the default directory. It listens on this port and the
    /// next one.
    ///
    /// - Throws: `TrustFiles.Failure`, whose message says what to do.
    package init(port: Int, stateDirectory: URL?) throws(TrustFiles.Failure) {
        do {
            let folder = try PrivateFolder(state: stateDirectory)
            self.init(
                port: port,
                securePort: port + 1,
                arcKeyFolder: nil,
                header: ManagedIdentitySettings().header,
                // Before the first start, there is no certificate and no emulator to call.
                thumbprint: try ServerIdentity.storedThumbprint(in: folder) ?? "",
                systemClientID: EmulatorDirectory.seed.managedIdentities.first { $0.resourceID == nil }?.clientID
            )
        } catch {
            throw TrustFiles.Failure(errorDescription: error.userMessage)
        }
    }
}
