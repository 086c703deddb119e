// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase

/// `GET /snapshots`; `POST /snapshots/{name}` saves the state, and `PUT` restores it.
extension ControlAPI {
    func respondFromSnapshots(to request: DirectoryRequest) throws -> Response {
        guard let name = request.name else {
            guard request.method == .get else { return try Self.wrongMethod(allowed: "GET") }
            return .json(["snapshots": .strings(parts.snapshots.names)])
        }
        guard StateSnapshots.isName(name) else {
            throw ControlRefusal(
                "the name of a snapshot must be 1 to 64 letters, digits, hyphens, underscores, and dots"
            )
        }
        switch request.method {
        case .post:
            guard try parts.snapshots.take(name) else {
                throw ControlRefusal(
                    "\(StateSnapshots.limit) snapshots exist already; overwrite one of them"
                )
            }
            return .json(["snapshot": .string(name)], status: .created)
        case .put:
            guard try parts.snapshots.restore(name) else { return try Self.notFound() }
            return .json(["snapshot": .string(name)])
        default: return try Self.wrongMethod(allowed: "POST, PUT")
        }
    }
}
