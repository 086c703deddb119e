// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
package import MSALCore
private import Synchronization

/// The transports of the process. Objects with equal settings share their connections, and read the metadata of an
/// authority once.
package enum SharedTransports {
    /// The transport towards the service, which repeats failed requests, and the reader of authorities that uses it.
    package struct Service: Sendable {
        package let transport: any HTTPTransport
        package let authorities: AuthorityResolver
    }

    private static let services = Mutex<[HTTPSettings: Service]>([:])

    /// The service with these settings.
    package static func service(_ settings: HTTPSettings) -> Service {
        services.withLock { services in
            if let known = services[settings] { return known }
            let time = SystemTime()
            let base = AsyncHTTPClientTransport(settings)
            let retries = settings.retries ?? RetrySettings()
            let transport = RetryingTransport(base: base, settings: { retries }, time: time)
            let observed = ObservedTransport(transport, time: time) { message in
                message.url.path().contains("keys") ? .keys : .discovery
            }
            let authorities = AuthorityResolver(transport: observed, time: time) {
                ClientHeaders().headers(correlationID: $0)
            }
            let service = Service(transport: transport, authorities: authorities)
            services[settings] = service
            return service
        }
    }

    /// The transport towards metadata services. It reads no variables. So it uses no proxy, and trusts the system's
    /// certificate authorities only.
    package static let metadata: any HTTPTransport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
}
