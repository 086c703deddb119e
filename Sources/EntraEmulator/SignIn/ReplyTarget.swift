// Licensed under the MIT License. See LICENSE.

/// Where the answer of a sign-in goes.
enum ReplyTarget: Sendable, Equatable {
    /// To an application's redirect URI, once that is known to be registered.
    case application(ApplicationReply)
    /// To the device that shows the user code with this id.
    case device(id: String)

    /// The redirect URI, if the answer goes to one.
    var application: ApplicationReply? {
        if case .application(let reply) = self { reply } else { nil }
    }
}

/// Where and how an application is answered.
struct ApplicationReply: Sendable, Equatable {
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
