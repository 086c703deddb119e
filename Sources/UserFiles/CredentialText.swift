// Licensed under the MIT License. See LICENSE.

/// A client secret, an assertion, or a token, as a file or a variable holds it.
public enum CredentialText {
    /// The credential in a text, without the line end that an editor or `echo` adds.
    ///
    /// - Throws: ``Fault`` for a character outside U+0020 to U+007E, which no credential has (RFC 6749 appendix A). Do not
    ///   send the text: the user may have named the wrong file, or saved it with a byte order mark.
    public static func credential(in text: String) throws(Fault) -> String {
        let credential = text.withoutFinalLineEnd
        let scalars = credential.unicodeScalars
        if let place = scalars.firstIndex(where: { !(0x20...0x7E).contains($0.value) }) {
            throw Fault(position: scalars.distance(from: scalars.startIndex, to: place) + 1)
        }
        return credential
    }

    /// A character that no credential has.
    public struct Fault: Error, Sendable, Hashable {
        /// The position of the character (Unicode scalar) in the text. The first one has the position 1.
        public let position: Int

        /// The description of the fault, to follow the name of the file or variable. It does not show the text.
        public var reason: String { "has a character at position \(position) that is not printable ASCII" }
    }
}

extension String {
    /// This text without one line feed, or one carriage return and line feed, at its end.
    public var withoutFinalLineEnd: String {
        var scalars = unicodeScalars
        if scalars.last == "\n" {
            scalars.removeLast()
            if scalars.last == "\r" { scalars.removeLast() }
        }
        return String(scalars)
    }
}
