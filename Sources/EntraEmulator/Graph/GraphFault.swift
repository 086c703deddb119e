// Licensed under the MIT License. See LICENSE.

import HTTPTypes

/// A request that Microsoft Graph refuses (Microsoft Graph, "Microsoft Graph error responses and resource types").
struct GraphFault: Error {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    /// A permission with which the request would be carried out.
    var permission: String?

    /// The address, the query or the body is wrong.
    static func badRequest(_ message: String, code: String = "BadRequest") -> GraphFault {
        GraphFault(status: .badRequest, code: code, message: message)
    }

    /// A body that cannot be carried out.
    static func badBody(_ message: String) -> GraphFault { .badRequest(message, code: "Request_BadRequest") }

    /// A query option that Graph does not have at this place, or that the emulator does not have at all.
    static func unsupportedQuery(_ message: String) -> GraphFault {
        .badRequest(message, code: "Request_UnsupportedQuery")
    }

    /// No object has that id.
    static func notFound(_ id: String) -> GraphFault {
        GraphFault(
            status: .notFound,
            code: "Request_ResourceNotFound",
            message: "Resource '\(id.prefix(120))' does not exist or one of its queried reference-property objects are "
                + "not present."
        )
    }

    /// Microsoft Graph has this, and the emulator does not.
    static func notBuilt(_ what: String) -> GraphFault {
        GraphFault(status: .notImplemented, code: "notImplemented", message: "The emulator has no \(what).")
    }

    /// The token lacks a permission.
    ///
    /// `candidates`: Permissions each of which would do. The smallest is named.
    static func denied(_ candidates: Set<String> = []) -> GraphFault {
        GraphFault(
            status: .forbidden,
            code: "Authorization_RequestDenied",
            message: "Insufficient privileges to complete the operation.",
            permission: GraphPermissions.shared.smallest(of: candidates)
        )
    }

    /// The address takes other methods.
    static let wrongMethod = GraphFault(
        status: .methodNotAllowed,
        code: "Request_BadRequest",
        message: "Specified HTTP method is not allowed for the request target."
    )
}
