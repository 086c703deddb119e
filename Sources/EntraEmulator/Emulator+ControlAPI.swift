// Licensed under the MIT License. See LICENSE.

extension Emulator {
    /// The OpenAPI 3.1 description of the control API in JSON, as `GET /openapi.json` returns it. The repository
    /// contains it as docs/control.openapi.json.
    public static var controlAPIDescription: String { ControlDescription.text() }
}
