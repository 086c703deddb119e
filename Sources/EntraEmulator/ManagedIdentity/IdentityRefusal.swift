// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The reason why an endpoint issues no token. Each host formats it differently.
struct IdentityRefusal: Error, Sendable, Equatable {
    var status = 400
    /// `error` for virtual machines and Azure Arc.
    var error = "invalid_request"
    /// `error.code` for Service Fabric and Cloud Shell.
    var code = "BadRequest"
    let message: String
    /// Additional header fields.
    var headers: HTTPFields = [:]

    /// The response in the format of a host.
    func response(of source: ManagedIdentitySource, to exchange: Exchange) throws -> Response {
        let id = JSONValue.string(exchange.correlationID)
        let body: JSONValue =
            switch source {
            case .imds, .azureArc: ["error": .string(error), "error_description": .string(message)]
            case .appService, .machineLearning:
                ["statusCode": .int(status), "message": .string(message), "correlationId": id]
            case .cloudShell: ["error": ["code": .string(code), "message": .string(message)]]
            case .serviceFabric:
                ["error": ["correlationId": id, "code": .string(code), "message": .string(message)]]
            }
        var response = Response.json(body, status: .init(code: status))
        response.headers.append(contentsOf: headers)
        return response
    }
}

// The codes of virtual machines are documented in "How to use managed identities for Azure resources on an Azure VM to
// acquire an access token", those of Service Fabric in "How to leverage a Service Fabric application's managed identity
// to access Azure services".
extension IdentityRefusal {
    // MARK: Requests

    static let missingMetadata = IdentityRefusal(
        error: "bad_request_102",
        message: "Required metadata header not specified. Send 'Metadata: true'."
    )

    static let forwarded = IdentityRefusal(
        message: "The request came through a proxy (X-Forwarded-For). Keep this address out of proxies: NO_PROXY."
    )

    static let foreignHost = IdentityRefusal(message: "The Host of the request is not a name of this machine.")

    static let malformed = IdentityRefusal(
        message:
            "The request's parameters are invalid: an escape is malformed, one is repeated, or the body is too long."
    )

    static func missing(_ name: String) -> IdentityRefusal {
        .init(code: "ArgumentNullOrEmpty", message: "Required parameter '\(name)' not specified.")
    }

    static func unsupportedVersion(_ version: String, of source: ManagedIdentitySource) -> IdentityRefusal {
        .init(
            code: "InvalidApiVersion",
            message: "The api-version '\(version)' is not supported. Use one of "
                + source.versions.joined(separator: ", ") + "."
        )
    }

    /// Service Fabric identifies a program by its secret, so a wrong secret belongs to no identity.
    static func secret(of source: ManagedIdentitySource, isMissing: Bool) -> IdentityRefusal {
        guard isMissing else {
            return .init(
                status: source == .serviceFabric ? 404 : 401,
                error: "unauthorized_client",
                code: "ManagedIdentityNotFound",
                message: "The value of the header field '\(source.secretHeader ?? "")' does not match the environment."
            )
        }
        return .init(
            status: source == .serviceFabric ? 400 : 401,
            error: "unauthorized_client",
            code: "SecretHeaderNotFound",
            message: "The request has no header field '\(source.secretHeader ?? "")'."
        )
    }

    static func wrongMethod(_ method: String, allowed: HTTPRequest.Method) -> IdentityRefusal {
        .init(
            status: 405,
            code: "MethodNotAllowed",
            message: "The endpoint accepts \(allowed.rawValue) requests, but this is a \(method) request.",
            headers: [.allow: allowed.rawValue]
        )
    }

    static let notFound = IdentityRefusal(
        status: 404,
        error: "not_found",
        code: "NotFound",
        message: "There is nothing at this address."
    )

    static let serverFault = IdentityRefusal(
        status: 500,
        error: "unknown",
        code: "InternalServerError",
        message: "Failed to retrieve token from the Active directory."
    )

    // MARK: Identities and resources

    static func identityNotFound(at source: ManagedIdentitySource) -> IdentityRefusal {
        .init(
            status: source == .serviceFabric ? 404 : 400,
            code: "ManagedIdentityNotFound",
            message: source == .appService
                ? "No User Assigned or Delegated Managed Identity found for specified ClientId/ResourceId/PrincipalId."
                : "Identity not found"
        )
    }

    static let severalIdentities = IdentityRefusal(
        message: "Multiple user assigned identities exist, please specify the clientId / resourceId of the identity in "
            + "the token request"
    )

    static func unsupportedParameter(_ name: String, at source: ManagedIdentitySource) -> IdentityRefusal {
        let known = source.identityParameters.keys.sorted().joined(separator: ", ")
        return .init(
            message: "The parameter '\(name)' does not identify an identity here. Use exactly one of \(known)."
        )
    }

    static func unknownResource(_ resource: String, tenant: Tenant) -> IdentityRefusal {
        .init(
            error: "invalid_resource",
            code: "AudienceNotSupported",
            message: "AADSTS500011: The resource principal named \(resource) was not found in the tenant named "
                + "\(tenant.displayName). Specify the resource without '/.default'."
        )
    }

    // MARK: Failures requested by a test

    static func failure(_ status: Int, retryAfter: Int?, message: String?) -> IdentityRefusal {
        let (error, code, usual) =
            switch status {
            case 404: ("not_found", "ManagedIdentityNotFound", "The endpoint is being updated.")
            case 410: ("gone", "Gone", "The endpoint is going through updates.")
            case 429: ("too_many_requests", "TooManyRequests", "The throttle limit has been reached.")
            case 500...599: ("unknown", "InternalServerError", serverFault.message)
            default: ("invalid_request", "BadRequest", "The request is refused, as configured in the control API.")
            }
        return .init(
            status: status,
            error: error,
            code: code,
            message: message ?? usual,
            headers: retryAfter.map { [.retryAfter: String($0)] } ?? [:]
        )
    }
}
