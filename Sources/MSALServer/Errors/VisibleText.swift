// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// Makes foreign text safe to show in a message.
package enum VisibleText {
    /// One line of at most `limit` characters. The secrets and everything that looks like a token are taken out.
    package static func line(_ text: String, without secrets: [Secret], limit: Int) -> String {
        var text = text
        for secret in secrets where !secret.exposed.isEmpty { text = text.replacing(secret.exposed, with: "\(secret)") }
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
