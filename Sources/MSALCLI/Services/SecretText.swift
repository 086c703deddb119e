// Licensed under the MIT License. See LICENSE.

import UserFiles

/// The secret of an application, as a user keeps it in a file or a variable.
///
/// A text that cannot be a secret is not sent: the user may have named the wrong file.
enum SecretText {
    /// The longest secret of the service, in bytes.
    private static let longest = 1_024

    /// The secret in a file, or behind a shell's `<(…)`. The line break at its end is not part of it.
    ///
    /// - Throws: `Failure` with the status `usage`. The message does not show what the file holds.
    static func read(_ path: String, named name: String) throws(Failure) -> PrivateText {
        var text: String
        do throws(FileFault) {
            // Two bytes more, for the line break.
            text = try UserFile(path, limit: longest + 2, pipePatience: UserFile.patience).text()
        } catch {
            throw .usage("\(name) \(error.reason).", remedy: remedy)
        }
        if text.last?.isNewline == true { text.removeLast() }
        try check(text, from: name)
        return PrivateText(text)
    }

    /// - Throws: `Failure` with the status `usage`, for a text that is no secret.
    static func check(_ text: String, from name: String) throws(Failure) {
        guard !text.allSatisfy(\.isWhitespace) else { throw .usage("\(name) is empty.", remedy: remedy) }
        guard text.utf8.count <= longest else {
            throw .usage("\(name) holds more than the \(longest) bytes of a secret.", remedy: remedy)
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .usage("\(name) holds several lines or control characters, which no secret has.", remedy: remedy)
        }
    }

    private static let remedy = "It must hold the application's secret and nothing else."
}
