// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension BrokerResponse {
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
