// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The response of a method, parsed from the broker's text. Unknown members are ignored.
struct BrokerResponse {
    let method: IdentityBrokerMethod
    /// The members of the response; for a token, those inside its envelope.
    let members: [String: JSONValue]

    /// The maximum nesting depth of arrays and objects. Valid responses need five.
    private static let maximumDepth = 32

    /// Parses `text`, the response to `method`. `secrets` are those of the request.
    ///
    /// Throws the failure that the broker reports, or `.unreadable`. Himmelblau sends an empty text if its daemon did
    /// not respond; for a silent token, only user interaction can help then.
    init(_ text: String, to method: IdentityBrokerMethod, secrets: [Secret] = []) throws(BrokerFailure) {
        self.method = method
        guard !text.isEmpty else {
            throw BrokerFailure(
                method == .tokenSilently ? .interactionRequired : .unreadable,
                message: "The broker's response to \(method.rawValue) is empty: it has neither a token nor an error."
            )
        }
        let value: JSONValue
        do throws(JSONReader.Fault) {
            value = try JSONReader.value(of: text.utf8, maximumDepth: Self.maximumDepth)
        } catch {
            throw Self.unreadable("is not JSON: \(error)", method: method)
        }
        guard let all = value.object else { throw Self.unreadable("is not a JSON object", method: method) }
        let envelope = method.hasTokenResponse ? all["brokerTokenResponse"]?.object : nil
        members = envelope ?? all
        for object in [members, all] {
            guard let error = object["error"], error != .null, error != .object([:]) else { continue }
            var failure = BrokerErrorMember(error, in: object, secrets: secrets).failure(of: method)
            failure.brokerVersion = all["telemetry"]?.object?["broker_version"].flatMap(Self.version)
            throw failure
        }
        if method.hasTokenResponse, envelope == nil { throw unreadable("has no brokerTokenResponse") }
    }

    /// The version as a broker states it, if it is short and printable ASCII.
    static func version(_ value: JSONValue) -> String? {
        guard let text = value.string, text.wholeMatch(of: /[!-~]([ -~]{0,62}[!-~])?/) != nil else { return nil }
        return text
    }

    func unreadable(_ reason: String) -> BrokerFailure { Self.unreadable(reason, method: method) }

    private static func unreadable(_ reason: String, method: IdentityBrokerMethod) -> BrokerFailure {
        BrokerFailure(.unreadable, message: "The broker's response to \(method.rawValue) \(reason). It was not used.")
    }

    /// The valid accounts. Invalid ones are skipped.
    func accounts() throws(BrokerFailure) -> [BrokerAccount] {
        guard let values = members["accounts"]?.array else { throw unreadable("has no accounts") }
        let accounts = values.compactMap { $0.object.flatMap(BrokerAccount.init) }
        if accounts.count < values.count {
            Log.warning(
                "\(values.count - accounts.count) of the broker's \(values.count) accounts were skipped: "
                    + "the ID or the user name is missing or invalid."
            )
        }
        return accounts
    }

    /// What the broker reports about itself and the device.
    func information() -> BrokerInformation {
        let version = members["linuxBrokerVersion"].flatMap(Self.version)
        return BrokerInformation(
            version: version,
            dialect: IdentityBrokerDialect(version: version),
            device: members["deviceInfo"]?.object.map(BrokerDevice.init)
        )
    }

    /// The cookies: an array, or a single one among the other members.
    func cookies() throws(BrokerFailure) -> [BrokerCookie] {
        let objects = members["cookieItems"]?.array?.compactMap(\.object) ?? [members]
        let cookies = objects.compactMap { object -> BrokerCookie? in
            guard let name = object["cookieName"]?.filledString, let content = object["cookieContent"]?.filledString,
                // RFC 6265 §4.1.1. Both become part of a header.
                name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~\-]{1,256}/) != nil,
                content.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
                !content.contains(where: { "\",;\\".contains($0) })
            else { return nil }
            return BrokerCookie(name: name, content: Secret(content))
        }
        guard !cookies.isEmpty else { throw unreadable("has no cookie") }
        return cookies
    }

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
            throw unreadable("has an ID token for another client")
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

extension BrokerDevice {
    /// Parses a device. All members are optional (docs/reference/Broker.md#device).
    fileprivate init(_ members: [String: JSONValue]) {
        func text(_ name: String) -> String? {
            members[name]?.filledString.flatMap { $0.hasControlCharacters ? nil : $0 }
        }
        self.init()
        isShared = text("mode") == "shared"
        if case .bool(let flag)? = members["registered"] { isRegistered = flag }
        deviceID = text("deviceId")
        tenantID = text("tenantId")
        preferredAuthMethod = text("preferredAuthMethod")
        certificateThumbprint = text("certificateThumbprint")
    }
}

extension IdentityBrokerDialect {
    /// The family of a version (docs/reference/Broker.md#dialects).
    init(version: String?) {
        let numbers = version?.prefixMatch(of: /([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,6}))?/)?.output
        guard let version, !version.lowercased().contains("himmelblau") else {
            self = version == nil ? .unknown : .himmelblau
            return
        }
        guard let numbers else {
            self = .unknown
            return
        }
        let parts = [numbers.1, numbers.2, numbers.3 ?? "0"].map { Int($0) ?? 0 }
        if parts.lexicographicallyPrecedes([2, 0, 2]) {
            self = .early
        } else {
            self = parts[0] <= 3 ? .current : .unknown
        }
    }
}
