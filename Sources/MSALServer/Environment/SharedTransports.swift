// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
package import MSALCore
private import Synchronization

/// The transports of the process. Objects with equal settings share their connections, and read the metadata of an
/// authority once.
package enum SharedTransports {
    /// The transport towards the service, and the reader of authorities that uses it.
    package struct Service: Sendable {
        package let transport: any HTTPTransport
        package let authorities: AuthorityResolver
    }

    private struct Settings: Hashable {
        let connections: HTTPSettings
        let requestTimeout: Duration
    }

    private static let services = Mutex<[Settings: Service]>([:])

    /// The service with these settings. A request to it takes `requestTimeout` at most.
    package static func service(_ settings: HTTPSettings, requestTimeout: Duration) -> Service {
        services.withLock { services in
            let key = Settings(connections: settings, requestTimeout: requestTimeout)
            if let known = services[key] { return known }
            let time = SystemTime()
            let base = AsyncHTTPClientTransport(settings)
            let transport = repeating(base, requestTimeout: requestTimeout, time: time)
            let observed = ObservedTransport(transport, time: time) { message in
                message.url.path().contains("keys") ? .keys : .discovery
            }
            let authorities = AuthorityResolver(transport: observed, time: time) {
                ClientHeaders().headers(correlationID: $0)
            }
            let service = Service(transport: transport, authorities: authorities)
            services[key] = service
            return service
        }
    }

    /// The transport towards the service. It sends requests through `base`, which has the sockets, and repeats them.
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

    /// The transport towards metadata services. It reads no variables. So it uses no proxy, and trusts the system's
    /// certificate authorities only.
    package static let metadata: any HTTPTransport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
}
