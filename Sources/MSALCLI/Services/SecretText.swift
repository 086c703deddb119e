// Licensed under the MIT License. See LICENSE.

import UserFiles

/// The secret of an application, as a user keeps it in a file or a variable.
///
/// A text that cannot be a secret is not sent: the user may have named the wrong file.
enum SecretText {
    /// The longest secret of the service, in bytes.
    private static let longest = 1_024

    /// The secret in a file, or behind a shell's `<(…)`.
    ///
    /// - Throws: `Failure` with the status `usage`. The message does not show what the file holds.
    static func read(_ path: String, named name: String) throws(Failure) -> PrivateText {
        let text: String
        do throws(FileFault) {
            // Two bytes more, for the line break.
            text = try UserFile(path, limit: longest + 2, pipeTimeout: UserFile.timeout).text()
        } catch {
            throw .usage("\(name) \(error.reason).", remedy: remedy)
        }
        return try secret(in: text, from: name)
    }

    /// The secret in a text, without a line end.
    ///
    /// - Throws: `Failure` with the status `usage`, for a text that is not a secret.
    static func secret(in text: String, from name: String) throws(Failure) -> PrivateText {
        let secret: String
        do throws(CredentialText.Fault) {
            secret = try CredentialText.credential(in: text)
        } catch {
            throw .usage("\(name) \(error.reason). Nothing was sent.", remedy: remedy)
        }
        guard !secret.allSatisfy({ $0 == " " }) else { throw .usage("\(name) is empty.", remedy: remedy) }
        guard secret.utf8.count <= longest else {
            throw .usage("\(name) has more than \(longest) bytes, the limit for a secret.", remedy: remedy)
        }
        return PrivateText(secret)
    }

    private static let remedy = "It must contain only the application's secret."
}
