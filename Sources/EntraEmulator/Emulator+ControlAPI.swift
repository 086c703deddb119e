// Licensed under the MIT License. See LICENSE.

extension Emulator {
    /// The description of the control API: JSON in the form of OpenAPI 3.1, which `GET /openapi.json` answers with. The
    /// repository has it as docs/control.openapi.json.
    public static var controlAPIDescription: String { ControlDescription.text() }
}
