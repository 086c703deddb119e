// Licensed under the MIT License. See LICENSE.

/// The checked redirect URI of an application. Apps do not build it.
public final class MSALRedirectUri: NSObject, NSCopying, Sendable {
    /// The URI as it is registered; loopback URIs get a port when they are sent.
    public let url: URL
    /// Whether the URI has a form that brokers accept. It does not say that there is one.
    public let brokerCapable: Bool

    /// The redirect URI that is used where the app gives none, `http://localhost`.
    public override init() {
        var parts = URLComponents()
        parts.scheme = "http"
        parts.host = "localhost"
        url = parts.url ?? URL(filePath: "/")
        brokerCapable = false
    }

    /// Returns this object, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
