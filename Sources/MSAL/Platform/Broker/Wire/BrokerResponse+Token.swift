// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension BrokerResponse {
    /// The token, if it is one for `request`.
    ///
    /// Throws `.unsupported` for a bearer token where a bound one was asked for, `.otherUser` for a token of another account
    /// than the one asked for, and `.unreadable` for a token that cannot be used or is for another client.
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
        guard let expiry = self.expiry(of: text) else { throw unreadable("does not say when the token expires") }
        let clientInfo = members["clientInfo"]?.filledString.flatMap(ClientInfo.init(raw:))
        return BrokerToken(
            accessToken: Secret(text),
            isBound: isBound,
            // An id token without readable claims is of no use, so it is left out.
            idToken: claims == nil ? nil : idToken.map(Secret.init),
            clientInfo: clientInfo?.raw,
            account: try account(for: request, clientInfo: clientInfo, claims: claims),
            expiresOn: expiry,
            scopes: scopes ?? request.scopes
        )
    }

    private func isBound(_ request: BrokerTokenRequest) throws(BrokerFailure) -> Bool {
        // A broker that does not know the member knows bearer tokens only.
        let type = members["accessTokenType"].flatMap { $0 == .null ? nil : $0 } ?? .integer(0)
        switch (type.wholeNumber, request.proof != nil) {
        case (0, false): return false
        case (1, true): return true
        case (0, true):
            throw BrokerFailure(.unsupported, message: "The broker gave a bearer token in place of a bound one.")
        default: throw unreadable("has a token of a type that was not asked for")
        }
    }

    /// The account of the token. It must be the requested account. `nil` stands for that one.
    private func account(
        for request: BrokerTokenRequest,
        clientInfo: ClientInfo?,
        claims: IDTokenClaims?
    ) throws(BrokerFailure) -> BrokerAccount? {
        var account: BrokerAccount?
        if let object = members["account"]?.object, !object.isEmpty {
            account = BrokerAccount(object)
            guard account != nil else { throw unreadable("has an account of a wrong form") }
        }
        let ids = Set(
            [request.account, account].compactMap { $0?.homeAccountID } + [clientInfo?.homeAccountID].compactMap(\.self)
        )
        guard ids.count <= 1 else {
            throw BrokerFailure(
                .otherUser,
                message: "The broker gave a token of another account than the one asked for."
            )
        }
        if account != nil || request.account != nil { return account }
        guard let clientInfo, let claims else { return nil }
        return BrokerAccount(clientInfo: clientInfo, claims: claims, environment: request.authority.host() ?? "")
    }

    /// The end of the token's life. The time in the token itself is more exact: brokers have mixed up the units.
    private func expiry(of token: String) -> Date? {
        if let expiry = IDTokenClaims(compact: token)?.expiresOn, expiry.timeIntervalSince1970 > 0 { return expiry }
        // In milliseconds since 1970. Some brokers send seconds, which have fewer than twelve digits.
        guard let number = members["expiresOn"]?.double, number > 0, number < 3.2e13 else { return nil }
        return Date(timeIntervalSince1970: number < 1e11 ? number : number / 1000)
    }

    /// One text with spaces, or an array; `nil` where there are none.
    private var scopes: [String]? {
        let texts = members["grantedScopes"]?.array?.compactMap(\.string) ?? [members["grantedScopes"]?.string ?? ""]
        let scopes = texts.flatMap { $0.split(separator: " ").map(String.init) }.filter { !$0.hasControlCharacters }
        return scopes.isEmpty ? nil : scopes
    }
}
