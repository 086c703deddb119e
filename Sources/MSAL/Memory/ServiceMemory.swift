// Licensed under the MIT License. See LICENSE.

import MSALCore
private import Synchronization

/// What the applications of a process know about the service: its authorities, and which requests to throttle
/// (docs/reference/Protocol.md#cloud-record and #metadata and docs/reference/Silent.md#throttling).
///
/// Applications with the same proxies and trusted certificates share one object. An app that creates an application
/// object for each call therefore does not repeat requests, and is still throttled.
package final class ServiceMemory: Sendable {
    let throttle = Throttle()
    let telemetry = ServerTelemetry()
    /// One resolver for each app name. A process usually has one, so a list is enough.
    private let resolvers = Mutex<[(headers: ClientHeaders, resolver: AuthorityResolver)]>([])

    package init() {}

    /// The resolver for the app that `headers` identify. A new one sends its requests through `platform`.
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
