// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// What a host says about a failure, in any of four forms (docs/reference/Services.md#managed-identity-errors).
package struct ManagedIdentityRefusal: Sendable, Hashable {
    /// A name such as `invalid_request`.
    package var code: String?
    package var message: String?
    /// The id by which the host's logs know the request. It need not be a UUID.
    package var correlationID: String?

    /// Reads the body of a response. A text of another form is the message as a whole.
    package init(body: Data) {
        let members = JSONValue(parsing: body)?.object ?? [:]
        if let inner = members["error"]?.object {
            code = inner["code"]?.string
            message = inner["message"]?.string
            correlationID = inner["correlationId"]?.string
        } else {
            code = members["error"]?.string
            message = members["error_description"]?.string ?? members["message"]?.string
            correlationID = members["correlationId"]?.string
        }
        if code == nil, message == nil { message = String(decoding: body.prefix(4096), as: UTF8.self) }
    }

    /// Whether the machine does not have the identity: in the description of IMDS, which others repeat ("Identity not found"),
    /// or in that of App Service and of its earlier version, which Azure Machine Learning speaks ("No Managed Identity found
    /// for specified ClientId/ResourceId/PrincipalId", "No MSI found for specified ClientId/ResourceId").
    package var saysIdentityIsMissing: Bool {
        let text = (message ?? "").lowercased()
        return text.contains("identity not found") || text.contains("found for specified clientid")
    }

    /// The code, the message and the id in one line, without the secrets and with at most 500 characters.
    package func text(without secrets: [Secret]) -> String {
        var parts = [code, message].compactMap { $0 }.filter { !$0.allSatisfy(\.isWhitespace) }
        if let correlationID { parts.append("correlation ID \(correlationID)") }
        return VisibleText.line(parts.joined(separator: ": "), without: secrets, limit: 500)
    }
}
