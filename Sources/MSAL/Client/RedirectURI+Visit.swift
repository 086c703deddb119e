// Licensed under the MIT License. See LICENSE.

extension RedirectURI {
    /// How the redirect reaches this process.
    ///
    /// - Throws: `.invalidRedirectURI` for text that is no URL, which only a bypassed check lets through.
    func visit() throws(AuthError) -> AuthorizationVisit.Redirect {
        switch kind {
        case .loopback(let host, let port, let path):
            return .loopback(host: host, port: port, path: path)
        case .scheme, .https:
            guard let url = URL(string: text) else {
                throw AuthError(.invalidRedirectURI, message: "The redirect URI is not a URL.")
            }
            return .scheme(url)
        }
    }

    var isLoopback: Bool {
        if case .loopback = kind { true } else { false }
    }
}
