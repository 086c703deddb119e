// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The proxy for the requests of an application.
///
/// ```swift
/// configuration.proxy = try MSALProxy(url: URL(string: "http://proxy.example:8080")!, user: "app", password: "…")
/// ```
///
/// Requests to this machine, and to the hosts in the environment variable `NO_PROXY`, never use a proxy.
public struct MSALProxy: Sendable {
    let route: ProxyRules.Route?

    /// The proxy in `https_proxy`, `HTTPS_PROXY`, `all_proxy`, or `ALL_PROXY`, whichever is set first.
    public static let environment = MSALProxy(route: nil)

    /// No proxy, whatever the environment says.
    public static let none = MSALProxy(route: .direct)

    /// Specifies the proxy at `http://host:port`, or at `socks5://host:port` without a user name.
    ///
    /// `user` and `password` replace those in the URL. They are never printed or logged.
    ///
    /// - Throws: Detail -42000 if the URL has another scheme, no host, or an invalid port. Correct it.
    public init(url: URL, user: String? = nil, password: String? = nil) throws {
        route = ProxyRules.route(through: url.absoluteString, user: user, password: password)
        if case .unusable(let reason) = route { throw AuthError(.invalidParameter, message: reason).nsError }
    }

    private init(route: ProxyRules.Route?) { self.route = route }
}
