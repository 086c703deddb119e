// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension BrokerResponse {
    /// The token, if it is valid for `request`.
    ///
    /// Throws `.unsupported` for a bearer token if a bound one was requested, `.otherUser` for a token of a different
    /// account than the requested one, and `.unreadable` for a token that cannot be used or is for another client.
    func token(for request: BrokerTokenRequest) throws(BrokerFailure) -> BrokerToken {
        guard let text = members["accessToken"]?.filledString, text.isBearerToken else {
            throw unreadable("has no access token that can be sent")
        }
        let isBound = try self.isBound(request)
        let idToken = members["idToken"]?.filledString
        let claims = idToken.flatMap(IDTokenClaims.init(compact:))
        if let claims, !claims.audience.contains(where: { $0.lowercased() == request.clientID.lowercased() }) {
            throw unreadable("has an id token for another client")
        }
        guard let expiry = self.expiry(of: text) else { throw unreadable("does not state when the token expires") }
        let clientInfo = members["clientInfo"]?.filledString.flatMap(ClientInfo.init(raw:))
        return BrokerToken(
            accessToken: Secret(text),
            isBound: isBound,
            // An ID token without readable claims is useless, so it is omitted.
            idToken: claims == nil ? nil : idToken.map(Secret.init),
            clientInfo: clientInfo?.raw,
            account: try account(for: request, clientInfo: clientInfo, claims: claims),
            expiresOn: expiry,
            scopes: scopes ?? request.scopes
        )
    }

    private func isBound(_ request: BrokerTokenRequest) throws(BrokerFailure) -> Bool {
        // A broker that does not know the member only supports bearer tokens.
        let type = members["accessTokenType"].flatMap { $0 == .null ? nil : $0 } ?? .integer(0)
        switch (type.wholeNumber, request.proof != nil) {
        case (0, false): return false
        case (1, true): return true
        case (0, true):
            throw BrokerFailure(.unsupported, message: "The broker returned a bearer token instead of a bound one.")
        default: throw unreadable("has a token of a type that was not requested")
        }
    }

    /// The account of the token, which must be the requested one; `nil` means the requested one.
    private func account(
        for request: BrokerTokenRequest,
        clientInfo: ClientInfo?,
        claims: IDTokenClaims?
    ) throws(BrokerFailure) -> BrokerAccount? {
        var account: BrokerAccount?
        if let object = members["account"]?.object, !object.isEmpty {
            account = BrokerAccount(object)
            guard account != nil else { throw unreadable("has an invalid account") }
        }
        let ids = Set(
            [request.account, account].compactMap { $0?.homeAccountID } + [clientInfo?.homeAccountID].compactMap(\.self)
        )
        guard ids.count <= 1 else {
            throw BrokerFailure(
                .otherUser,
                message: "The broker returned a token of a different account than the requested one."
            )
        }
        if account != nil || request.account != nil { return account }
        guard let clientInfo, let claims else { return nil }
        return BrokerAccount(clientInfo: clientInfo, claims: claims, environment: request.authority.host() ?? "")
    }

    /// The expiry of the token. The time in the token itself is more reliable: brokers have confused the units.
    private func expiry(of token: String) -> Date? {
        if let expiry = IDTokenClaims(compact: token)?.expiresOn, expiry.timeIntervalSince1970 > 0 { return expiry }
        // In milliseconds since 1970. Some brokers send seconds, which have fewer than twelve digits.
        guard let number = members["expiresOn"]?.double, number > 0, number < 3.2e13 else { return nil }
        return Date(timeIntervalSince1970: number < 1e11 ? number : number / 1000)
    }

    /// One text with spaces, or an array; `nil` if there are none.
    private var scopes: [String]? {
        let texts = members["grantedScopes"]?.array?.compactMap(\.string) ?? [members["grantedScopes"]?.string ?? ""]
        let scopes = texts.flatMap { $0.split(separator: " ").map(String.init) }.filter { !$0.hasControlCharacters }
        return scopes.isEmpty ? nil : scopes
    }
}
