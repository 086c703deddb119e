// Licensed under the MIT License. See LICENSE.

import DBus
import EntraEmulator
import MSALBase

/// Creates the responses of a dialect.
struct BrokerResponses: Sendable {
    let dialect: BrokerDialect

    /// The result of a method: the members of its response, or the reason why there are none.
    typealias Outcome = Result<JSONValue, BrokerRefusal>

    /// The response to a call.
    func response(to request: BrokerRequest, _ outcome: Outcome) -> BusService.Response {
        switch outcome {
        case .success(let members):
            let body = wrapped(members, in: request.method)
            return .values([.string(body.adding(telemetry(of: request, status: nil)).text)])
        case .failure(let refusal): return response(to: request, refusal, subStatus: 0, errorCode: 0, tag: nil)
        }
    }

    /// An error response with all its numbers.
    func response(
        to request: BrokerRequest,
        _ refusal: BrokerRefusal,
        subStatus: Int,
        errorCode: Int,
        tag: Int?
    ) -> BusService.Response {
        guard dialect != .himmelblau else { return himmelblauResponse(to: request, refusal) }
        var error: [String: JSONValue] = [
            "status": .int(refusal.status), "subStatus": .int(subStatus), "errorCode": .int(errorCode),
        ]
        var members: [String: JSONValue]
        switch dialect {
        case .early:
            error["context"] = .string(refusal.context)
            error["tag"] = .int(tag ?? 0)
            error["diagnostics"] = .object(diagnostics(of: refusal))
            members = ["accessTokenType": 0, "expiresOn": 0, "extendedExpiresOn": 0]
        case .current, .himmelblau:
            let code = refusal.oauthError.map { " Code: '\($0)'" } ?? ""
            let suberror = refusal.suberror.map { " suberror: '\($0)'" } ?? ""
            error["context"] = .string("(pii) \(refusal.context)\(code)\(suberror)")
            error["tag"] = .int(tag ?? Self.anyTag)
            error["diagnostics"] = .null
            members = ["subError": ""]
        }
        let body: JSONValue =
            request.method.givesToken
            ? ["brokerTokenResponse": .object(members.merging(["error": .object(error)]) { $1 })]
            : ["error": .object(error)]
        return .values([.string(body.adding(telemetry(of: request, status: refusal.status)).text)])
    }

    private func himmelblauResponse(to request: BrokerRequest, _ refusal: BrokerRefusal) -> BusService.Response {
        let text = refusal.himmelblauText ?? refusal.himmelblau.rawValue
        guard !refusal.himmelblau.isBusError else { return .error(.failed, text) }
        let error: JSONValue = ["error": ["context": .string(text), "status": 0, "subStatus": 0]]
        return .values([.string((request.method.givesToken ? ["brokerTokenResponse": error] : error).text)])
    }

    /// The tag `965ya`, which occurs in captured responses.
    private static let anyTag = 595_719_680

    private func wrapped(_ members: JSONValue, in method: BrokerMethod) -> JSONValue {
        switch method {
        case .acquireTokenSilently, .acquireTokenInteractively: ["brokerTokenResponse": members]
        case .acquirePrtSsoCookie where dialect == .current:
            [
                "cookieItems": .array([
                    [
                        "cookieName": members["cookieName"] ?? .null,
                        "cookieContent": members["cookieContent"] ?? .null,
                    ]
                ])
            ]
        default: members
        }
    }

    private func diagnostics(of refusal: BrokerRefusal) -> [String: JSONValue] {
        let needsUser = refusal.status == BrokerRefusal.Status.interactionRequired.rawValue
        let name = needsUser ? "UiRequiredException" : "ServiceException"
        var members: [String: JSONValue] = [
            "exception_type": .string("com.microsoft.identity.common.exception.\(name)")
        ]
        members["raw_error_code"] = refusal.oauthError.map { .string($0) }
        members["oauth2_sub_error_code"] = refusal.suberror.map { .string($0) }
        return members
    }

    private func telemetry(of request: BrokerRequest, status: Int?) -> [String: JSONValue] {
        switch dialect {
        case .himmelblau: [:]
        case .early:
            [
                "telemetry": [
                    "os_version": "Linux", "broker_version": .string(dialect.version),
                    "dbus_method_name": .string(request.method.rawValue), "http_event_count": "0",
                    "ui_visible": "false", "error_location": status == nil ? "" : "broker",
                ]
            ]
        case .current:
            [
                "telemetry": [
                    "api_name": .string(request.method.rawValue), "broker_version": .string(dialect.version),
                    "client_id": .string(request.clientID ?? ""), "correlation_id": .string(request.correlationID),
                    "is_successful": status == nil ? "true" : "false", "auth_flow": "PRT",
                    "api_status_code": .string(status.map { "StatusInternal::\($0)" } ?? ""),
                ]
            ]
        }
    }
}

extension BrokerMethod {
    var givesToken: Bool { self == .acquireTokenSilently || self == .acquireTokenInteractively }
}
