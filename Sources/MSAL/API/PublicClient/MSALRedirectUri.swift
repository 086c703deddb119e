// Licensed under the MIT License. See LICENSE.

/// The validated redirect URI of an application. Apps do not create it.
public final class MSALRedirectUri: NSObject, NSCopying, Sendable {
    /// The URI as registered; loopback URIs get a port when they are sent.
    public let url: URL
    /// Whether the URI has a form that brokers accept. It does not mean that there is a broker.
    public let brokerCapable: Bool

    /// Creates the default redirect URI, `http://localhost`.
    public override init() {
        var parts = URLComponents()
        parts.scheme = "http"
        parts.host = "localhost"
        url = parts.url ?? URL(filePath: "/")
        brokerCapable = false
    }

    /// Returns this object, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
