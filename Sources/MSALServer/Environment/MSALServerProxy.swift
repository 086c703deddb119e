// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALCore

/// The proxy for requests to the service.
///
/// ```swift
/// var options = MSALCredentialOptions()
/// options.proxy = try MSALServerProxy(url: URL(string: "http://proxy.example:8080")!, user: "app", password: secret)
/// ```
///
/// Requests to this machine, to managed identity hosts, and to the hosts in `NO_PROXY` never use a proxy.
public struct MSALServerProxy: Sendable {
    let route: ProxyRules.Route?

    /// The proxy in `https_proxy`, `HTTPS_PROXY`, `all_proxy`, or `ALL_PROXY`, whichever is set first.
    public static let environment = MSALServerProxy(route: nil)

    /// No proxy, whatever the environment says.
    public static let none = MSALServerProxy(route: .direct)

    /// Specifies the proxy at `http://host:port`, or at `socks5://host:port` without a user name.
    ///
    /// `user` and `password` replace those in the URL. They are never printed or logged.
    ///
    /// - Throws: `.configuration` if the URL has another scheme, no host, or an invalid port. Correct it.
    public init(url: URL, user: String? = nil, password: String? = nil) throws(MSALTokenError) {
        route = ProxyRules.route(through: url.absoluteString, user: user, password: password)
        if case .unusable(let reason) = route { throw MSALTokenError(.configuration, message: reason) }
    }

    private init(route: ProxyRules.Route?) { self.route = route }
}
