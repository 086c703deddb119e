// Licensed under the MIT License. See LICENSE.

/// Where and how an authorization request is answered, once its redirect URI is known to be registered.
struct ReplyTarget: Sendable, Equatable {
    /// How the parameters travel; OAuth 2.0 Multiple Response Types §2.1 and Form Post Response Mode.
    enum Mode: String, Sendable {
        case query
        case fragment
        case formPost = "form_post"
    }

    let redirectURI: RedirectURI
    let mode: Mode
    /// Echoed byte for byte.
    let state: String?

    /// The address with the parameters, for `query` and `fragment`.
    func location(with parameters: [(String, String)]) -> String {
        let encoded = FormValues.encode(parameters)
        // The service adds the slash of an empty path of a web address (protocol 2.7).
        let isWeb = redirectURI.scheme == "http" || redirectURI.scheme == "https"
        let address = redirectURI.rest.isEmpty && isWeb ? redirectURI.text + "/" : redirectURI.text
        switch mode {
        case .query: return address + (redirectURI.rest.contains("?") ? "&" : "?") + encoded
        case .fragment, .formPost: return address + "#" + encoded
        }
    }
}
