// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase

/// A call with its three arguments, the last of them parsed.
struct BrokerRequest: Sendable {
    let method: BrokerMethod
    let correlationID: String
    /// The request, a JSON object.
    let members: JSONValue

    init(method: BrokerMethod, correlationID: String, members: JSONValue) {
        (self.method, self.correlationID, self.members) = (method, correlationID, members)
    }

    init(_ method: BrokerMethod, correlationID: String, text: String) throws(BrokerRefusal) {
        guard let members = JSONValue(parsing: text), members.isObject else {
            throw BrokerRefusal(
                .contractViolation,
                context: "The request is not a JSON object.",
                himmelblau: .unreadable
            )
        }
        self.init(method: method, correlationID: correlationID, members: members)
    }

    var parameters: JSONValue? { members["authParameters"] }

    /// The account, in either of the locations that clients use.
    var account: JSONValue? {
        [members["account"], parameters?["account"]].lazy.compactMap(\.self).first(where: \.isObject)
    }

    var homeAccountID: String? { account?["homeAccountId"]?.nonEmptyString?.lowercased() }

    /// The user's name, from the account or the login hint.
    var username: String? { account?["username"]?.nonEmptyString ?? parameters?["username"]?.nonEmptyString }

    var clientID: String? { members["clientId"]?.nonEmptyString ?? parameters?["clientId"]?.nonEmptyString }

    /// The validated parameters of a token request.
    func tokenRequest() throws(BrokerRefusal) -> TokenParameters {
        guard let parameters, parameters.isObject else { throw .missing("authParameters") }
        guard let clientID = parameters["clientId"]?.nonEmptyString else { throw .missing("clientId") }
        guard let authority = parameters["authority"]?.nonEmptyString else { throw .missing("authority") }
        guard let redirectURI = parameters["redirectUri"]?.nonEmptyString else { throw .missing("redirectUri") }
        guard let scopes = parameters["requestedScopes"]?.array?.compactMap(\.nonEmptyString), !scopes.isEmpty else {
            throw .missing("requestedScopes")
        }
        guard let url = URLComponents(string: authority), url.scheme == "https", let host = url.host?.lowercased(),
            let tenant = url.path.split(separator: "/").first
        else {
            throw BrokerRefusal(.authorityUntrusted, context: "The authority is not an https address with a tenant.")
        }
        var result = TokenParameters(
            clientID: clientID,
            host: host,
            port: url.port,
            tenant: String(tenant),
            redirectURI: redirectURI,
            // A broker keeps refresh tokens to itself, and always requests an ID token.
            scopes: (["openid", "profile"] + scopes).filter { $0.lowercased() != "offline_access" }
        )
        result.claims = parameters["decodedClaims"]?.nonEmptyString
        result.prompt = parameters["prompt"]?.nonEmptyString
        if case .object(let extra)? = parameters["additionalQueryParametersForAuthorization"] {
            result.extraQueryParameters = extra.compactMapValues(\.nonEmptyString)
        }
        result.proof = parameters["popParams"].flatMap { ProofParameters($0) }
        return result
    }
}

/// A request for a token.
struct TokenParameters: Sendable {
    var clientID: String
    /// The host of the authority, its port and its tenant.
    let host: String
    let port: Int?
    let tenant: String
    let redirectURI: String
    let scopes: [String]
    var claims: String?
    var prompt: String?
    var extraQueryParameters: [String: String] = [:]
    var proof: ProofParameters?

    var scope: String {
        var seen: Set<String> = []
        return scopes.filter { seen.insert($0).inserted }.joined(separator: " ")
    }

    /// `host[:port]`, in the format of a Host field.
    var hostField: String { port.map { "\(host):\($0)" } ?? host }
}

/// The HTTP request for which a bound token is requested.
struct ProofParameters: Sendable, Hashable {
    let method: String
    let host: String
    let path: String
    let nonce: String?
    let clientClaims: String?
    /// A key of the caller, to which the token is bound instead of the broker's.
    let keyID: String?

    /// `nil` if the parameters request a bearer token. Microsoft's own client specifies no scheme: if there are
    /// parameters, it requests a bound token.
    init?(_ members: JSONValue) {
        guard members.isObject, members["authenticationScheme"]?.nonEmptyString?.lowercased() ?? "pop" == "pop" else {
            return nil
        }
        method = members["httpMethod"]?.nonEmptyString?.uppercased() ?? "GET"
        let named = members["uriHost"]?.nonEmptyString ?? ""
        // One client puts the whole address here.
        let address = named.contains("://") ? URLComponents(string: named) : nil
        host = address.map { ($0.host ?? "") + ($0.port.map { ":\($0)" } ?? "") } ?? named
        path = members["uriPath"]?.nonEmptyString ?? address.map(\.path).flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        nonce = members["nonce"]?.nonEmptyString
        clientClaims = members["clientClaims"]?.nonEmptyString
        keyID = members["kid"]?.nonEmptyString
    }
}
