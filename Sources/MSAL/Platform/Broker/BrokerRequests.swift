// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The requests of the methods as JSON, with exactly the members of Microsoft's own client
/// (docs/reference/Broker.md#requests).
///
/// A missing text is sent as an empty one, as that client does.
enum BrokerRequests {
    /// The first argument of each method. All clients that are known to work send this one.
    static let protocolVersion = "0.0"

    /// The requested kinds of authorization.
    private enum AuthorizationType: Int64 {
        case silent = 1
        case interactive = 6
        case cookie = 8
    }

    static func version() -> JSONValue { .object(["msalCppVersion": .string(LibraryVersion.text)]) }

    static func accounts(_ request: BrokerAccountsRequest) -> JSONValue {
        .object([
            "clientId": .string(request.clientID),
            "redirectUri": .string(request.clientID),
        ])
    }

    static func tokenSilently(_ request: BrokerTokenRequest) -> JSONValue {
        .object(["authParameters": .object(parameters(of: request, type: .silent))])
    }

    static func tokenInteractively(_ request: BrokerTokenRequest) -> JSONValue {
        let window = JSONValue.integer(window(request.parentWindow))
        var parameters = parameters(of: request, type: .interactive)
        parameters["parentWindow"] = .object(["handle": window])
        if request.account == nil {
            // Without an account and a user name, the broker lets the user choose.
            parameters["account"] = .null
            parameters["username"] = .string(request.loginHint ?? "")
            parameters["isSignIn"] = .bool(true)
        }
        // Without this member, the broker would not know that the app requested a prompt.
        if let prompt = request.prompt { parameters["prompt"] = .string(prompt.rawValue) }
        return .object(["authParameters": .object(parameters), "parentWindowHandle": window])
    }

    /// The number of an X11 window. Microsoft's own client sends 1 if a terminal has no window.
    private static func window(_ handle: String?) -> Int64 {
        let number = handle?.wholeMatch(of: /x11:([0-9a-fA-F]{1,8})/).flatMap { Int64($0.1, radix: 16) } ?? 0
        return number == 0 ? 1 : number
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
        .object([
            "clientId": .string(clientID), "popParams": .object(proof.popParameters(of: account.homeAccountID)),
        ])
    }

    static func removal(of account: BrokerAccount, clientID: String) -> JSONValue {
        .object(["account": account.wire, "clientId": .string(clientID)])
    }

    /// The error with which the broker should end the flow.
    static func cancellation() -> JSONValue {
        let error: [String: JSONValue] = [
            "status": .integer(Int64(BrokerStatus.applicationCanceled.rawValue)), "subStatus": .integer(0),
            "errorCode": .integer(0), "tag": .integer(0), "context": .string("The app gave up."), "diagnostics": .null,
        ]
        return .object(["Error": .object(error)])
    }

    private static func parameters(of request: BrokerTokenRequest, type: AuthorizationType) -> [String: JSONValue] {
        var parameters = common(
            clientID: request.clientID,
            authority: request.authority,
            account: request.account,
            type: type
        )
        parameters["requestedScopes"] = .array(request.scopes.map(JSONValue.string))
        parameters["decodedClaims"] = .string(request.claims?.text ?? "")
        parameters["accessTokenToRenew"] = .string(request.accessTokenToRenew?.exposed ?? "")
        parameters["additionalQueryParametersForAuthorization"] =
            .object(request.extraQueryParameters.mapValues(JSONValue.string))
        parameters["popParams"] = request.proof.map { .object($0.popParameters(of: "")) } ?? .null
        parameters["isTestMode"] = .bool(false)
        // A password is never sent.
        parameters["password"] = .string("")
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
    /// The object as received from the broker. An account from elsewhere gets the members that brokers need.
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
    /// The members that make the broker bind the token to a key. A request for a bearer token has none of them.
    fileprivate func popParameters(of homeAccountID: String) -> [String: JSONValue] {
        [
            "clientClaims": .string(""), "homeAccountId": .string(homeAccountID),
            "httpMethod": .string(method), "nonce": .string(nonce ?? ""),
            "uriHost": .string(host), "uriPath": .string(url.path(percentEncoded: true)),
        ]
    }
}

/// The redirect URI of every request that goes through a broker (docs/reference/Broker.md#redirect-uri).
package enum BrokerRedirect {
    /// The redirect URI for brokers. It must be registered for the app, under "Mobile and desktop applications".
    static let uri = "https://login.microsoftonline.com/common/oauth2/nativeclient"
}
