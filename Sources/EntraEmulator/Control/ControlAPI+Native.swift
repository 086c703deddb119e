// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase

/// `GET` and `PATCH /native`: the settings of native authentication, with the default V2 branches. The branches of a
/// single application or customer are set in its own directory entry.
extension ControlAPI {
    func respondFromNative(to request: DirectoryRequest) throws -> Response {
        switch request.method {
        case .get: return try shownNative()
        case .patch:
            let settings = EntryBody<NativeAuthSettings>()
            try parts.editor.change { directory in
                directory.native = try settings.entry(parts.directory.native, changedBy: request.body)
            }
            return try shownNative()
        default: return try Self.wrongMethod(allowed: "GET, PATCH")
        }
    }

    /// The current settings, each with its value.
    private func shownNative() throws -> Response {
        let native = parts.directory.native
        guard case .object(var members) = try FileWriter().value(of: native),
            case .object(let v2) = try FileWriter().value(of: native.v2)
        else { return .json(.null) }
        members["v2"] = .object(NativeAuthV2Settings.form.object.standards.merging(v2) { _, chosen in chosen })
        return .json(.object(members))
    }
}
