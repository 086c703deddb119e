// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension BrokerAccount {
    /// Parses an account in a response.
    ///
    /// `nil` without a home account ID of the form `<uid>.<utid>`, an environment, and a user name, if one of the IDs
    /// contains a control character, or if `clientInfo` names another account. The display name is kept unchanged.
    init?(_ members: [String: JSONValue]) {
        guard let homeAccountID = Self.homeAccountID(members["homeAccountId"]?.filledString),
            let environment = Self.identifier(members["environment"]?.filledString),
            environment.wholeMatch(of: /[A-Za-z0-9.\-]{1,253}(:[0-9]{1,5})?/) != nil,
            let username = Self.identifier(members["username"]?.filledString)
        else { return nil }
        var ids: [String: String] = [:]
        for name in ["localAccountId", "realm"] {
            guard let text = members[name]?.filledString else { continue }
            guard let id = Self.identifier(text) else { return nil }
            ids[name] = id.lowercased()
        }
        // Text that cannot be decoded is treated as missing.
        let clientInfo = members["clientInfo"]?.filledString.flatMap(ClientInfo.init(raw:))
        if let clientInfo, clientInfo.homeAccountID != homeAccountID { return nil }
        self.init(
            homeAccountID: homeAccountID,
            localAccountID: ids["localAccountId"],
            realm: ids["realm"],
            environment: environment.lowercased(),
            username: username,
            name: members["name"]?.filledString,
            clientInfo: clientInfo?.raw
        )
        self.members = members
    }

    /// The account of a token whose response names none, derived from its client info and its ID token.
    init?(clientInfo: ClientInfo, claims: IDTokenClaims, environment: String) {
        guard let homeAccountID = Self.homeAccountID(clientInfo.homeAccountID),
            let username = Self.identifier(claims.username(isB2C: false)),
            let localAccountID = Self.identifier(claims.localAccountID),
            let realm = Self.identifier(claims.tenantID)
        else { return nil }
        self.init(
            homeAccountID: homeAccountID,
            localAccountID: localAccountID,
            realm: realm.lowercased(),
            environment: environment,
            username: username,
            name: claims.name,
            clientInfo: clientInfo.raw
        )
    }

    /// The ID in lowercase, if it consists of two parts with a dot between them.
    private static func homeAccountID(_ text: String?) -> String? {
        guard let text = identifier(text), !text.contains(where: \.isWhitespace),
            text.split(separator: ".", omittingEmptySubsequences: false).map(\.isEmpty) == [false, false]
        else { return nil }
        return text.lowercased()
    }

    /// The text, if it can be an ID: without control characters, and not too long.
    private static func identifier(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= 1024, !text.hasControlCharacters else { return nil }
        return text
    }
}
