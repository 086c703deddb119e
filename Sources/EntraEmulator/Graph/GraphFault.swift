// Licensed under the MIT License. See LICENSE.

import HTTPTypes

/// An error response of Microsoft Graph (Microsoft Graph, "Microsoft Graph error responses and resource types").
struct GraphFault: Error {
    let status: HTTPResponse.Status
    let code: String
    let message: String
    /// A permission that would allow the request.
    var permission: String?

    /// The address, the query, or the body is invalid.
    static func badRequest(_ message: String, code: String = "BadRequest") -> GraphFault {
        GraphFault(status: .badRequest, code: code, message: message)
    }

    /// The client has sent too many requests.
    static let tooManyRequests = GraphFault(
        status: .tooManyRequests,
        code: "TooManyRequests",
        message: "Too many requests. Wait for the time in Retry-After."
    )

    /// The body is invalid.
    static func badBody(_ message: String) -> GraphFault { .badRequest(message, code: "Request_BadRequest") }

    /// A query option that Graph does not support here, or that the emulator does not support.
    static func unsupportedQuery(_ message: String) -> GraphFault {
        .badRequest(message, code: "Request_UnsupportedQuery")
    }

    /// There is no object with this ID.
    static func notFound(_ id: String) -> GraphFault {
        GraphFault(
            status: .notFound,
            code: "Request_ResourceNotFound",
            message: "Resource '\(id.prefix(120))' does not exist or one of its queried reference-property objects are "
                + "not present."
        )
    }

    /// A feature of Microsoft Graph that the emulator does not support.
    static func notSupported(_ what: String) -> GraphFault {
        GraphFault(status: .notImplemented, code: "notImplemented", message: "The emulator does not support \(what).")
    }

    /// The token lacks a permission.
    ///
    /// `candidates`: Permissions, each of which is sufficient. The least privileged one is reported.
    static func denied(_ candidates: Set<String> = []) -> GraphFault {
        GraphFault(
            status: .forbidden,
            code: "Authorization_RequestDenied",
            message: "Insufficient privileges to complete the operation.",
            permission: GraphPermissions.shared.smallest(of: candidates)
        )
    }

    /// The address does not accept the method.
    static let wrongMethod = GraphFault(
        status: .methodNotAllowed,
        code: "Request_BadRequest",
        message: "Specified HTTP method is not allowed for the request target."
    )
}
