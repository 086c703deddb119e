// Licensed under the MIT License. See LICENSE.

import MSALCore
private import Synchronization

/// The knowledge of the service that the applications of a process share
/// (docs/reference/Protocol.md#cloud-record and #metadata and docs/reference/Silent.md#throttling).
///
/// Applications with the same network route share one. So an app that creates its application object for each call does
/// not repeat requests, and is still throttled.
package final class ServiceMemory: Sendable {
    let throttle = Throttle()
    let telemetry = ServerTelemetry()
    /// The resolvers are few: apps of one process have one name, seldom two.
    private let resolvers = Mutex<[(headers: ClientHeaders, resolver: AuthorityResolver)]>([])

    package init() {}

    /// The knowledge of authorities. It is asked for through `platform`, in the name of the app that `headers` describe.
    func authorities(through platform: Platform, for headers: ClientHeaders) -> AuthorityResolver {
        resolvers.withLock { resolvers in
            if let known = resolvers.first(where: { $0.headers == headers }) { return known.resolver }
            let resolver = AuthorityResolver(transport: platform.transport, time: platform.time) { id in
                headers.headers(correlationID: id)
            }
            resolvers.append((headers, resolver))
            return resolver
        }
    }
}
