// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// The `Host` header field of a request.
///
/// RFC 9112 §3.2: a request without one, with two, or with an invalid value is rejected, because proxies on the way
/// could interpret it as different hosts.
enum HostField {
    /// Whether the request has exactly one, with a host and optionally a port. It may be empty.
    static func isClear(in request: Request) -> Bool {
        guard let authority = request.head.authority else { return false }
        // The first `Host` field has become the authority.
        guard !request.headers.contains(where: { $0.name.canonicalName == "host" }) else { return false }
        return authority.isEmpty || RedirectAddress("https://\(authority)").map(\.rest.isEmpty) == true
    }
}
