// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALSupport

/// What a host says about a failure, in whichever of the four forms (docs/reference/Services.md#managed-identity-errors).
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
        if code == nil, message == nil {
            message = String(decoding: body.prefix(4096), as: UTF8.self)
        }
    }

    /// The code, the message and the id in one line, without the secrets and with at most 500 characters.
    package func text(without secrets: [Secret]) -> String {
        var parts = [code, message].compactMap { $0 }.filter { !$0.allSatisfy(\.isWhitespace) }
        if let correlationID { parts.append("correlation id \(correlationID)") }
        return VisibleText.line(parts.joined(separator: ": "), without: secrets, limit: 500)
    }
}

/// Foreign text that a message may show.
package enum VisibleText {
    /// One line of at most `limit` characters, in which neither the secrets nor anything that looks like a token is left.
    package static func line(_ text: String, without secrets: [Secret], limit: Int) -> String {
        var text = text
        for secret in secrets where !secret.exposed.isEmpty {
            text = text.replacing(secret.exposed, with: "\(secret)")
        }
        // Each JWT begins with the base64url of '{"'.
        text = text.replacing(/eyJ[A-Za-z0-9_\-.=]{8,}/, with: "\(Secret(""))")
        let scalars = text.unicodeScalars.prefix(limit * 2).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: " "
            default: scalar
            }
        }
        var line = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
        if line.count > limit { line = line.prefix(limit - 1) + "…" }
        return line
    }
}
