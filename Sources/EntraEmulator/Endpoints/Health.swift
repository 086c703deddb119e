// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// The address at which a container or a script asks whether the emulator listens. It needs no token, shows no secret,
/// meets no fault and is not in the journal, so that a probe changes nothing for a test.
enum Health {
    static let path = "/health"
    static let methods: [HTTPRequest.Method] = [.get, .head]

    /// `200 {"status":"ok"}`.
    static func response() throws -> Response {
        .json(["status": "ok"])
    }
}
