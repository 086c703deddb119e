// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
package import MSALCore

/// A request to a host of managed identities while it is written.
package struct ManagedIdentityRequestBuilder {
    package let identity: MSALManagedIdentityId
    /// The capabilities of the program, such as `cp1`.
    package let capabilities: [String]
    /// A token that an API has refused.
    package let revoked: Secret?
    package let correlationID: UUID
    package let environment: ServerEnvironment
    /// The parameters.
    package var form = FormBody()
    package var headers: [String: String] = [:]
    /// The secrets in the request, which no text may show.
    package var secrets: [Secret] = []
    /// Whether the parameters are the body, and not the query.
    package var isPost = false
    /// The certificate of the server, where the host names one.
    var thumbprint: CertificateThumbprint?

    /// Adds the secret in a variable as a header.
    mutating func add(secret variable: String, as name: String) {
        guard let value = environment.variable(variable) else { return }
        headers[name] = value
        secrets.append(Secret(value))
    }
}

extension ServerEnvironment {
    /// The address of a token endpoint in a variable.
    ///
    /// - Throws: `.configuration` naming the variable.
    func tokenEndpoint(_ text: String?, of variable: String) throws(MSALTokenError) -> URL {
        guard let url = URL(string: text ?? ""), url.host()?.isEmpty == false, url.fragment() == nil else {
            throw .address(
                in: variable,
                because: "It has to be an address such as http://127.0.0.1:41741/msi/token."
            )
        }
        do {
            return try HTTPAddress(url).url
        } catch {
            throw .address(in: variable, because: error.message)
        }
    }
}

extension MSALTokenError {
    /// The error if a variable holds no address that may be asked.
    static func address(in variable: String, because text: String) -> MSALTokenError {
        MSALTokenError(
            .configuration,
            message: "The variable \(variable) holds no address that may be asked. \(text) No request was sent."
        )
    }
}
