// Licensed under the MIT License. See LICENSE.

import Foundation

/// The custom scheme of an app. By it the desktop passes the redirect to the app.
struct RedirectScheme: Equatable {
    /// The app's reverse-DNS name. Its desktop entry has the same name.
    let applicationID: String

    /// The scheme in lower case, because desktops compare it letter by letter.
    var scheme: String { "msauth.\(applicationID.lowercased())" }
    /// The redirect URI that the app's registration needs.
    var redirectURI: String { "\(scheme)://auth" }
    /// The name of the desktop entry.
    var entry: String { "\(applicationID).desktop" }
    /// The MIME type by which desktops find the handler of a scheme.
    var type: String { "x-scheme-handler/\(scheme)" }

    /// Reads an application ID, a scheme, or a whole redirect URI.
    ///
    /// - Throws: `Failure` with the status `usage`, which says why no desktop entry can be made for it.
    init(_ text: String) throws(Failure) {
        let lower = text.lowercased()
        if lower == "https" || lower.hasPrefix("https:") {
            throw .usage(
                "A desktop entry cannot handle an https address: the browser opens it itself.",
                remedy: """
                    An app with such a redirect URI receives it at that address, and gives it to handleMSALResponse. \
                    On this machine use http://localhost, or a scheme: msal redirect register com.contoso.app
                    """
            )
        }
        if lower == "http" || lower.hasPrefix("http:") {
            throw .usage(
                "A redirect to this machine, such as http://localhost, needs no desktop entry.",
                remedy: "The app's registration needs it, under Mobile and desktop applications."
            )
        }
        var id = text
        if let colon = id.firstIndex(of: ":") {
            guard id[colon...] == "://auth" || id[colon...] == "://auth/" || id[colon...] == ":" else {
                throw Self.wrong(text)
            }
            id = String(id[..<colon])
        }
        if id.lowercased().hasPrefix("msauth.") { id.removeFirst("msauth.".count) }
        // A scheme has letters, digits, plus, minus and full stops (RFC 3986 §3.1). No part of an application ID begins
        // with a digit.
        guard id.count <= 200, id.wholeMatch(of: /[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z][A-Za-z0-9-]*)+/) != nil else {
            throw Self.wrong(text)
        }
        applicationID = id
    }

    private static func wrong(_ text: String) -> Failure {
        .usage(
            "\(text) is not the ID of an app with a custom scheme.",
            remedy: "Write it like com.contoso.app: letters, digits and hyphens, separated by dots."
        )
    }
}
