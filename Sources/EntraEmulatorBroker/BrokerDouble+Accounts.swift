// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase

/// Accounts: the account of a request, and its description in a response.
extension BrokerDouble {
    func checkDevice() throws(BrokerRefusal) {
        guard state.hasLeft else { return }
        throw BrokerRefusal(
            .deviceNotRegistered,
            context: "The device is not registered in a tenant.",
            himmelblau: .unknownAccount
        )
    }

    /// The account that a request specifies; `nil` if it specifies none.
    func account(of request: BrokerRequest, for clientID: String) throws(BrokerRefusal) -> DeviceAccount? {
        guard dialect != .himmelblau else { return try deviceUser(of: request) }
        let accounts = state.accounts(for: clientID)
        if let home = request.homeAccountID {
            guard let account = accounts.first(where: { $0.homeAccountID == home }) else { throw .accountNotFound }
            return account
        }
        guard let name = request.username else { return nil }
        guard let account = accounts.first(where: { $0.isNamed(name) }) else { throw .accountNotFound }
        return account
    }

    /// Himmelblau serves only the user of the device, and the request has to specify this user.
    private func deviceUser(of request: BrokerRequest) throws(BrokerRefusal) -> DeviceAccount {
        guard let user = state.accounts.first else { throw .noDeviceUser }
        guard let account = request.account else {
            // In the request for a cookie, the account is at the top level.
            throw request.method == .acquirePrtSsoCookie
                ? .missing("account")
                : BrokerRefusal(.contractViolation, context: "There is no account.", himmelblau: .missingAccount)
        }
        guard let name = account["username"]?.nonEmptyString else { throw .missing("username") }
        guard user.isNamed(name) else { throw .accountNotFound }
        return user
    }

    /// The host of the cloud as the broker writes it, regardless of the host in the request.
    func environment(_ request: BrokerRequest) -> String {
        let authority = request.parameters?["authority"]?.nonEmptyString.flatMap { URLComponents(string: $0) }
        // A host with a port is a different cloud than the host without one.
        let host = authority?.host.map { $0 + (authority?.port.map { ":\($0)" } ?? "") }
        let named = request.members["environment"]?.nonEmptyString ?? host ?? ownHost
        guard let named, named != "login.microsoftonline.com" else {
            return dialect == .himmelblau && request.method == .acquirePrtSsoCookie
                ? "login.microsoftonline.com" : "login.windows.net"
        }
        return named
    }

    /// The host of this cloud; `nil` for an emulator on the default port, where it represents Microsoft's cloud.
    private var ownHost: String? {
        emulator.port == 443 ? nil : emulator.baseURL.host().map { "\($0):\(emulator.port)" }
    }

    /// The description of the account in the response with a cookie.
    func cookieDescription(of account: DeviceAccount, environment: String) -> JSONValue {
        let whole = description(of: account, environment: environment)
        guard dialect == .himmelblau, case .object(let members) = whole else { return whole }
        return .object(members.filter { !["name", "givenName", "passwordExpiry"].contains($0.key) })
    }

    /// The description of an account, with the members that clients need.
    ///
    /// `profile`: The tenant of the tokens, and the user's ID in it; `nil` means the home tenant.
    func description(
        of account: DeviceAccount,
        environment: String,
        profile: (tenantID: String, objectID: String)? = nil
    ) -> JSONValue {
        let person = account.person
        var members: [String: JSONValue] = [
            "homeAccountId": .string(account.homeAccountID),
            "localAccountId": .string(profile?.objectID ?? person.userID),
            "realm": .string(profile?.tenantID ?? person.homeTenantID),
            "environment": .string(environment), "username": .string(person.userPrincipalName),
            "name": .string(person.displayName), "givenName": .string(person.displayName), "passwordExpiry": 0,
        ]
        // Himmelblau reports one name of its user, and nothing else about the account.
        guard dialect != .himmelblau else { return .object(members) }
        members["givenName"] = .string(person.givenName)
        members["familyName"] = .string(person.surname)
        let info: JSONValue = ["uid": .string(person.userID), "utid": .string(person.homeTenantID)]
        members["clientInfo"] = .string(Data(info.text.utf8).base64URL)
        // Microsoft's brokers send an empty string for an unknown value.
        for name in ["middleName", "alternativeAccountId", "passwordChangeUrl", "homeEnvironment"] {
            members[name] = ""
        }
        return .object(members)
    }
}

extension DeviceAccount {
    func isNamed(_ name: String) -> Bool { person.userPrincipalName.lowercased() == name.lowercased() }
}

extension BrokerRefusal {
    static let accountNotFound = BrokerRefusal(
        .accountNotFound,
        context: "The account is not known to this broker.",
        himmelblau: .otherUser
    )
    static let noDeviceUser = BrokerRefusal(
        .accountNotFound,
        context: "No user is signed in to the device.",
        himmelblau: .unknownAccount
    )
    static let notImplemented = BrokerRefusal(
        .unexpected,
        context: "The method is not implemented.",
        himmelblau: .notImplemented
    )
}
