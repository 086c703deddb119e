// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird
import MSALBase

/// `GET /snapshots`; `POST /snapshots/{name}` keeps the state, and `PUT` returns to it.
extension ControlAPI {
    func respondFromSnapshots(to request: DirectoryRequest) throws -> Response {
        guard let name = request.name else {
            guard request.method == .get else { return try Self.wrongMethod(allowed: "GET") }
            return .json(["snapshots": .strings(parts.snapshots.names)])
        }
        guard StateSnapshots.isName(name) else {
            throw ControlRefusal("a snapshot has a name of 1 to 64 letters, digits, hyphens, underscores and dots")
        }
        switch request.method {
        case .post:
            guard try parts.snapshots.take(name) else {
                throw ControlRefusal(
                    "there are \(StateSnapshots.limit) snapshots already; use one of their names again"
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
