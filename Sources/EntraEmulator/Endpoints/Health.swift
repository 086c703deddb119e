// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// The address at which a container or a script checks whether the emulator is listening. It requires no token and
/// reveals no secret. Faults and the journal ignore it, so that a probe does not affect a test.
enum Health {
    static let path = "/health"
    static let methods: [HTTPRequest.Method] = [.get, .head]

    /// `200 {"status":"ok"}`.
    static func response() throws -> Response {
        .json(["status": "ok"])
    }
}
