// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// The requests of the methods as JSON (docs/reference/Broker.md#requests).
///
/// A text without a value is sent empty, as Microsoft's own client does. Only a missing account and user name are left
/// out: then the broker lets the user choose.
enum BrokerRequests {
    /// The first argument of each method. All clients that are known to work send this one.
    static let protocolVersion = "0.0"

    /// The kinds of authorization that are asked for.
    private enum AuthorizationType: Int64 {
        case silent = 1
        case interactive = 6
        case cookie = 8
    }

    static func version() -> JSONValue {
        .object(["msalCppVersion": .string(LibraryVersion.text)])
    }

    static func accounts(_ request: BrokerAccountsRequest) -> JSONValue {
        .object([
            "clientId": .string(request.clientID),
            "environment": .string(request.environment),
            "redirectUri": .string(BrokerRedirect.uri),
        ])
    }

    static func tokenSilently(_ request: BrokerTokenRequest) -> JSONValue {
        token(request, parameters: parameters(of: request, type: .silent))
    }

    static func tokenInteractively(_ request: BrokerTokenRequest) -> JSONValue {
        var parameters = parameters(of: request, type: .interactive)
        if let prompt = request.prompt { parameters["prompt"] = .string(prompt.rawValue) }
        return token(request, parameters: parameters)
    }

    static func cookie(_ request: BrokerCookieRequest) -> JSONValue {
        let url = JSONValue.string(request.url.absoluteString)
        var parameters = common(
            clientID: request.clientID,
            authority: request.authority,
            account: request.account,
            type: .cookie
        )
        // The scope that the known clients send with this call. The cookie does not depend on it.
        parameters["requestedScopes"] = .array([.string("https://graph.microsoft.com/.default")])
        parameters["ssoUrl"] = url
        var members: [String: JSONValue] = [
            "authParameters": .object(parameters), "mamEnrollment": .bool(false), "ssoUrl": url,
        ]
        members["account"] = request.account?.wire
        return .object(members)
    }

    static func signedRequest(_ proof: SignedHTTPRequest, for account: BrokerAccount, clientID: String) -> JSONValue {
        var parameters = proof.popParameters
        parameters["homeAccountId"] = .string(account.homeAccountID)
        return .object(["clientId": .string(clientID), "popParams": .object(parameters)])
    }

    static func removal(of account: BrokerAccount, clientID: String) -> JSONValue {
        .object(["account": account.wire, "clientId": .string(clientID)])
    }

    /// The error that the broker shall end the flow with.
    static func cancellation() -> JSONValue {
        let error: [String: JSONValue] = [
            "status": .integer(Int64(BrokerStatus.applicationCanceled.rawValue)), "subStatus": .integer(0),
            "errorCode": .integer(0), "tag": .integer(0), "context": .string("The app gave up."), "diagnostics": .null,
        ]
        return .object(["Error": .object(error)])
    }

    /// One family of brokers reads the account inside of the parameters, another one beside them.
    private static func token(_ request: BrokerTokenRequest, parameters: [String: JSONValue]) -> JSONValue {
        var members: [String: JSONValue] = ["authParameters": .object(parameters)]
        members["account"] = request.account?.wire
        return .object(members)
    }

    private static func parameters(
        of request: BrokerTokenRequest,
        type: AuthorizationType
    ) -> [String: JSONValue] {
        var parameters = common(
            clientID: request.clientID,
            authority: request.authority,
            account: request.account,
            type: type
        )
        if request.account == nil, let hint = request.loginHint { parameters["username"] = .string(hint) }
        parameters["requestedScopes"] = .array(request.scopes.map(JSONValue.string))
        parameters["decodedClaims"] = .string(request.claims?.text ?? "")
        parameters["accessTokenToRenew"] = .string(request.accessTokenToRenew?.exposed ?? "")
        parameters["additionalQueryParametersForAuthorization"] =
            .object(request.extraQueryParameters.mapValues(JSONValue.string))
        parameters["popParams"] = request.proof.map { .object($0.popParameters) } ?? .null
        return parameters
    }

    private static func common(
        clientID: String,
        authority: URL,
        account: BrokerAccount?,
        type: AuthorizationType
    ) -> [String: JSONValue] {
        var parameters: [String: JSONValue] = [
            "authority": .string(authority.absoluteString),
            "authorizationType": .integer(type.rawValue),
            "clientId": .string(clientID),
            "enrollmentId": .string(""),
            "redirectUri": .string(BrokerRedirect.uri),
            // No parent window.
            "uxContextHandle": .integer(-1),
        ]
        parameters["account"] = account?.wire
        parameters["username"] = account.map { .string($0.username) }
        return parameters
    }
}

extension BrokerAccount {
    /// The object as it came from the broker. One that did not come from there has the members that brokers need.
    fileprivate var wire: JSONValue {
        guard members.isEmpty else { return .object(members) }
        var members: [String: JSONValue] = [
            "environment": .string(environment), "givenName": .string(""), "homeAccountId": .string(homeAccountID),
            "localAccountId": .string(localAccountID ?? ""), "name": .string(name ?? ""),
            "passwordExpiry": .integer(0), "realm": .string(realm ?? ""), "username": .string(username),
        ]
        members["clientInfo"] = clientInfo.map(JSONValue.string)
        return .object(members)
    }
}

extension SignedHTTPRequest {
    fileprivate var popParameters: [String: JSONValue] {
        [
            "authenticationScheme": .string("pop"), "httpMethod": .string(method), "nonce": .string(nonce ?? ""),
            "uriHost": .string(host), "uriPath": .string(url.path(percentEncoded: true)),
        ]
    }
}
