// Licensed under the MIT License. See LICENSE.

/// The recipient of an authorization response.
enum ResponseTarget: Sendable, Equatable {
    /// An application, at a registered redirect URI.
    case application(RedirectTarget)
    /// The device that shows the user code with this ID.
    case device(id: String)

    /// The redirect URI, if the response goes to one.
    var application: RedirectTarget? {
        if case .application(let target) = self { target } else { nil }
    }
}

/// The redirect URI of an application, and how it receives the response.
struct RedirectTarget: Sendable, Equatable {
    /// How the parameters are sent; OAuth 2.0 Multiple Response Types §2.1 and Form Post Response Mode.
    enum Mode: String, Sendable {
        case query
        case fragment
        case formPost = "form_post"
    }

    let redirectURI: RedirectAddress
    let mode: Mode
    /// Returned byte for byte.
    let state: String?

    /// The address with the parameters, for `query` and `fragment`.
    func location(with parameters: [(String, String)]) -> String {
        let encoded = FormValues.encode(parameters)
        // The service adds the slash to the empty path of a web address.
        let isWeb = redirectURI.scheme == "http" || redirectURI.scheme == "https"
        let address = redirectURI.rest.isEmpty && isWeb ? redirectURI.text + "/" : redirectURI.text
        switch mode {
        case .query: return address + (redirectURI.rest.contains("?") ? "&" : "?") + encoded
        case .fragment, .formPost: return address + "#" + encoded
        }
    }
}
