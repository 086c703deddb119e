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
            let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(), !host.isEmpty,
            url.fragment() == nil, url.user() == nil,
            url.scheme?.lowercased() == "https"
                || url.scheme?.lowercased() == "http" && ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The \(name) \"\(text)\" is no https address without a fragment. (http serves localhost alone.)"
            )
        }
        return text
    }
}
