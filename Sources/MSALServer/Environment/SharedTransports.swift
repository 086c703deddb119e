// Licensed under the MIT License. See LICENSE.

package import MSALCore
package import MSALSupport
private import Synchronization

/// The transports of the process. Application objects with equal settings share their connections.
package enum SharedTransports {
    private static let services = Mutex<[HTTPSettings: any HTTPTransport]>([:])

    /// The transport towards the service with these settings.
    package static func service(_ settings: HTTPSettings) -> any HTTPTransport {
        services.withLock { services in
            if let known = services[settings] { return known }
            let base = AsyncHTTPClientTransport(settings)
            let transport = repeating(base, requestTimeout: .seconds(30), time: SystemTime())
            services[settings] = transport
            return transport
        }
    }

    /// The transport towards the service over one that has the sockets.
    package static func repeating(
        _ base: any HTTPTransport,
        requestTimeout: Duration,
        time: any TimeSource
    ) -> any HTTPTransport {
        var settings = RetrySettings()
        settings.timeout = requestTimeout
        settings.limitsAllAttempts = true
        return RetryingTransport(base: base, settings: { [settings] in settings }, time: time)
    }

    private static let resolvers = Mutex<[HTTPSettings: AuthorityResolver]>([:])

    /// The reader of authorities with these settings. The metadata of an authority are read once in a process.
    package static func authorities(_ settings: HTTPSettings) -> AuthorityResolver {
        let transport = service(settings)
        return resolvers.withLock { resolvers in
            if let known = resolvers[settings] { return known }
            let resolver = AuthorityResolver(transport: transport, time: SystemTime()) {
                ClientHeaders().headers(correlationID: $0)
            }
            resolvers[settings] = resolver
            return resolver
        }
    }

    /// The transport towards metadata services. Without variables it knows no proxy and no other trust roots.
    package static let metadata: any HTTPTransport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
}
