// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

/// The addresses of the application that the service sends browsers to (docs/reference/Services.md#web-sign-in).
enum WebAddress {
    /// An address of the configuration, as it was written, because the service compares it letter by letter.
    ///
    /// - Throws: `.configuration` unless it is an https address without a fragment, or one of http on this machine.
    static func checked(_ text: String?, named name: String) throws(MSALTokenError) -> String {
        guard let text, !text.isEmpty else {
            throw MSALTokenError(
                .configuration,
                message: "The configuration has no \(name). Give the one of the registration."
            )
        }
        guard
            let url = URL(string: text, encodingInvalidCharacters: false), url.fragment() == nil,
            HTTPAddress(text) != nil,
            url.scheme?.lowercased() == "https"
                || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host() ?? "")
        else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The \(name) \"\(text)\" is not an https URL without a fragment. (http is allowed only for localhost.)"
            )
        }
        return text
    }

    /// An address that the library built for a browser.
    ///
    /// - Throws: `.configuration` if parameters made it longer than any server takes.
    static func built(_ url: URL) throws(MSALTokenError) -> URL {
        do throws(TransportError) {
            return try HTTPAddress(built: url).url
        } catch {
            throw MSALTokenError(.configuration, message: error.message)
        }
    }
}
