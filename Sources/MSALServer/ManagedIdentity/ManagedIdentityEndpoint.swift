// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALCore

/// The address of a host's token endpoint, as the variables name it.
package enum ManagedIdentityEndpoint {
    /// The address of the metadata service's token endpoint, or that of the host that stands in for it.
    ///
    /// - Throws: `.configuration` naming the variable.
    package static func imds(in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        let path = "/metadata/identity/oauth2/token"
        let variable = "AZURE_POD_IDENTITY_AUTHORITY_HOST"
        let base = environment.variable(variable) ?? "http://169.254.169.254"
        let url = try checked((base.hasSuffix("/") ? String(base.dropLast()) : base) + path, of: variable)
        guard url.host()?.contains(":") != true else {
            throw fault(of: variable, because: "The metadata service has an IPv4 address.")
        }
        return url
    }

    /// The endpoint of a host.
    ///
    /// - Throws: `.configuration` naming the variable.
    static func url(of host: ManagedIdentityHost, in environment: ServerEnvironment) throws(MSALTokenError) -> URL {
        switch host {
        case .imds:
            return try imds(in: environment)
        case .appService, .serviceFabric:
            let url = try checked(environment.variable("IDENTITY_ENDPOINT") ?? "", of: "IDENTITY_ENDPOINT")
            guard host == .appService || url.scheme?.lowercased() == "https" else {
                throw fault(of: "IDENTITY_ENDPOINT", because: "Service Fabric is asked over https only.")
            }
            return url
        case .machineLearning, .cloudShell:
            return try checked(environment.variable("MSI_ENDPOINT") ?? "", of: "MSI_ENDPOINT")
        case .azureArc:
            return try checked(
                environment.variable("IDENTITY_ENDPOINT") ?? "http://127.0.0.1:40342/metadata/identity/oauth2/token",
                of: "IDENTITY_ENDPOINT"
            )
        }
    }

    private static func checked(_ text: String, of variable: String) throws(MSALTokenError) -> URL {
        guard let url = URL(string: text), url.host()?.isEmpty == false, url.fragment() == nil else {
            throw fault(of: variable, because: "It has to be an address such as http://127.0.0.1:41741/msi/token.")
        }
        do {
            return try HTTPAddress(url).url
        } catch {
            throw fault(of: variable, because: error.message)
        }
    }

    private static func fault(of variable: String, because text: String) -> MSALTokenError {
        MSALTokenError(
            .configuration,
            message: "The variable \(variable) holds no address that may be asked. \(text) No request was sent."
        )
    }
}
